import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransactionOrder } from '../../../../src/core/api/schema/transaction-request.js';
import type { Send } from '../../../../src/core/base/seams.js';
import type { Cardholder } from '../../../../src/simulator/index.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** Evidence that seems to prove more than it does. Defects that the truth test found, each with the shortest way to it. */

test('a capture that another message made is not taken for what became of a lost answer', async () => {
  const world = payments();
  const hold = await world.after(world.sale({ operation: 'preAuthorization', amount: '10000' }));
  const body = { originalGuid: hold.transactionId, capturedAmount: '50.00', currency: 'EUR' };
  const order = { operation: 'preauthorization/capture', body } as const;
  assert.equal((await world.after(world.backOffice(order))).outcome, 'approved');
  world.simulator.faults.arm({ kind: 'server-error-before', match: { endpoint: 'POST /preauthorization/capture' } });
  const second = await world.after(world.backOffice(order));
  assert.deepEqual([second.outcome, second.moneyMoved], ['refused', 'no']);
  assert.equal(world.bank.netMoved(), 5000);
});

test('a late capture is reported whatever the policy: there is nothing to go back to', async () => {
  const world = payments();
  const hold = await world.after(world.sale({ operation: 'preAuthorization', amount: '10000' }));
  world.simulator.faults.arm({ kind: 'gateway-answer-lost', match: { operation: 'preAuthorizationCapture' } });
  const capture = {
    operation: 'preAuthorizationCapture',
    originalTransactionId: hold.transactionId,
    amount: '10000',
  } as const;
  const late = await world.after(world.sale(capture, { deadlineMs: 20_000, lateApproval: 'reverse' }));
  assert.equal(late.outcome, 'approved');
  assert.equal(world.bank.netMoved(), 10_000);
});

test('a change of a hold on the terminal is not taken for what became of one at the gateway', async () => {
  const world = payments({ simulator: { timings: { statusLagMs: 10_000 } } });
  const { transactionId } = await world.after(world.sale({ operation: 'preAuthorization', amount: '10000' }));
  await world.clock.advance(20_000);
  const onTerminal = { operation: 'preAuthorizationIncrease', originalTransactionId: transactionId, amount: '500' };
  await world.after(world.sale(onTerminal as Partial<TransactionOrder>));
  world.simulator.faults.arm({ kind: 'request-lost', match: { endpoint: 'POST /preauthorization/increase' } });
  const body = { originalGuid: transactionId, increaseAmount: '5.00', currency: 'EUR' };
  const increase = world.after(world.backOffice({ operation: 'preauthorization/increase', body }));
  assert.equal((await increase).outcome, 'not-charged');
  assert.equal(world.bank.netHeld(), 10_500);
});

test('an operation on the terminal waits for what the gateway has under way about the same payment', async () => {
  const world = payments();
  const { transactionId } = await world.after(world.sale({ operation: 'preAuthorization', amount: '10000' }));
  await world.clock.advance(20_000);
  world.simulator.faults.arm({ kind: 'request-lost', match: { endpoint: 'POST /preauthorization/increase' } });
  const body = { originalGuid: transactionId, increaseAmount: '5.00', currency: 'EUR' };
  const increase = world.backOffice({ operation: 'preauthorization/increase', body });
  await world.clock.advance(5_000);
  const request = { operation: 'preAuthorizationIncrease', originalTransactionId: transactionId, amount: '500' };
  const onTerminal = world.sale(request as Partial<TransactionOrder>, { busyWaitMs: 600_000 });
  assert.equal((await world.after(increase)).outcome, 'not-charged');
  assert.equal(world.bank.netHeld(), 10_000, 'nothing was sent before');
  assert.equal((await world.after(onTerminal)).outcome, 'approved');
  assert.equal(world.bank.netHeld(), 10_500);
});

/** Two tries fail, 29 s each; the third succeeds `ms` later. */
function thirdTryAfter(ms: number): Cardholder {
  let tries = 0;
  return ({ stage }) => {
    if (stage !== 'awaiting-card' && stage !== 'insert-card') return undefined;
    const unreadable = ++tries < 3;
    const card = { entry: 'CONTACTLESS_ICC', unreadable } as const;
    return { afterMs: unreadable ? 29_000 : ms, act: { do: 'present-card', card } };
  };
}

test('what a terminal sent to the gateway right before its power went is waited for, whatever it says of itself', async () => {
  for (let before = 0; before <= 20_000; before += 100) {
    const cardholder = thirdTryAfter(24_000 - before);
    const world = payments({ callbacks: false, simulator: { cardholder, timings: { statusLagMs: 10_000 } } });
    world.simulator.faults.arm({ kind: 'power-cut-processing', ms: 2 });
    await world.sale();
    const { payload } = await world.untilTold();
    assert.deepEqual(
      [payload.outcome, world.bank.netMoved()],
      ['approved', 1000],
      `${before} ms before the end of the card window`,
    );
    world.simulator.stop();
  }
});

test('a payment that the gateway is still working on is on record, so that it is not called not charged', async () => {
  const inProgress = JSON.stringify({ finStatus: 'IN_PROGRESS', transactionID: 'a', type: 'SALE' });
  let hasRecord = false;
  const send: Send = (request) =>
    hasRecord && request.url.startsWith(world.simulator.statusUrl)
      ? Promise.resolve({ status: 200, body: inProgress })
      : world.simulator.send(request);
  const world: Payments = payments({ callbacks: false, simulator: { cardholder: 'none' }, engine: { send } });
  world.simulator.faults.arm({ kind: 'power-cut-awaiting-card', ms: 1000 });
  await world.sale();
  await world.clock.advance(30_000);
  hasRecord = true;
  const { payload } = await world.untilTold();
  assert.equal(payload.outcome, 'unknown');
});

test('a stop that took long to arrive says nothing of the time before it did', async () => {
  for (let before = 0; before <= 20_000; before += 500) {
    const cardholder = thirdTryAfter(28_000 - before);
    const world = payments({ callbacks: false, simulator: { cardholder, timings: { statusLagMs: 10_000 } } });
    world.simulator.faults.arm({ kind: 'power-cut-processing', ms: 2 });
    world.simulator.faults.arm({ kind: 'request-delayed', ms: 19_000, match: { operation: 'stopCurrentTransaction' } });
    await world.sale();
    const { payload } = await world.untilTold();
    assert.deepEqual([payload.outcome, world.bank.netMoved()], ['approved', 1000], `${before} ms`);
    world.simulator.stop();
  }
});

test('a polled question that arrives after its answer is no contradiction', async () => {
  const world = payments({ simulator: { cardholder: 'none' } });
  world.simulator.faults.arm({ kind: 'answer-delayed', ms: 5000, match: { endpoint: 'GET /transaction-result' } });
  await world.sale({ amount: '3757' });
  await world.clock.advance(1000);
  world.terminal.act({ do: 'present-card' });
  await world.clock.advance(4000);
  world.terminal.act({ do: 'answer', accept: false });
  const { payload } = await world.untilTold();
  assert.notEqual(payload.moneyMoved, 'partly');
  await world.clock.runUntilIdle();
  assert.deepEqual(
    world.noticed.filter(({ late }) => late),
    [],
  );
});
