import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { resultOf, run, simulate } from '../harness/simulated.js';

/** Payments whose end comes late, or comes twice. */

const MINUTE = 60_000;

test('declines, lets the cardholder try again, and approves: two entries under one reference', async () => {
  const world = simulate();
  world.simulator.faults.arm({ kind: 'declined-then-approved' });
  const body = world.sale();
  const reference = String(body.transactionReference);
  const { json } = await world.post('/transactions', body);
  await world.clock.advance(3500);
  assert.equal((await world.status(reference)).json.finStatus, 'DECLINED');
  assert.equal((await world.get(`/transaction-result/${String(json.transactionResultId)}`)).status, 204);
  await world.clock.runUntilIdle();
  await world.clock.advance(1000);
  assert.equal((await resultOf(world, json)).finStatus, 'AUTHORISED');
  const { list } = (await world.status(reference, '/all')).json;
  assert.deepEqual(
    (list as { finStatus: string }[]).map(({ finStatus }) => finStatus),
    ['DECLINED', 'AUTHORISED'],
  );
  assert.equal((await world.status(reference)).json.finStatus, 'DECLINED');
  assert.equal(world.simulator.bank.netMoved(reference), 1000);
});

test('stays declined where the cardholder does not try again', async () => {
  const world = simulate({ cardholder: 'none' });
  world.simulator.faults.arm({ kind: 'declined-then-approved' });
  const { json } = await world.post('/transactions', world.sale());
  world.terminal.presentCard();
  await world.clock.runUntil(() => world.terminal.screen.stage === 'processing');
  await world.clock.runUntil(() => world.terminal.screen.stage === 'awaiting-card');
  world.terminal.cancel();
  await world.clock.runUntilIdle();
  assert.equal((await resultOf(world, json)).finStatus, 'DECLINED');
  assert.equal(world.simulator.bank.entries().length, 0);
});

test('fails on both sides, and the bank has approved a minute later', async () => {
  for (const [operation, moved, held] of [
    ['sale', 1000, 0],
    ['preAuthorization', 0, 1000],
  ] as const) {
    const world = simulate();
    world.simulator.faults.arm({ kind: 'failed-then-approved' });
    const body = world.sale({ operation });
    const reference = String(body.transactionReference);
    const { json } = await world.post('/transactions', body);
    await world.clock.advance(30_000);
    assert.equal((await resultOf(world, json)).finStatus, 'FAILED');
    assert.equal((await world.status(reference)).json.finStatus, 'FAILED');
    assert.equal(world.simulator.bank.entries(reference).length, 0);
    await world.clock.advance(MINUTE);
    assert.equal((await world.status(reference)).json.finStatus, 'AUTHORISED');
    assert.deepEqual(
      [world.simulator.bank.netMoved(reference), world.simulator.bank.netHeld(reference)],
      [moved, held],
    );
    const { transactionID } = (await world.status(reference)).json;
    assert.equal((await world.post('/reversal', { originalGuid: transactionID })).status, 200);
    assert.deepEqual([world.simulator.bank.netMoved(reference), world.simulator.bank.netHeld(reference)], [0, 0]);
  }
});

test('a payment by token has no answer and shows as FAILED, and the bank has approved a minute later', async () => {
  const world = simulate();
  const stored = await world.post('/transactions', world.sale({ operation: 'saleAndTokenizeCard' }));
  await world.clock.advance(30_000);
  world.simulator.faults.arm({ kind: 'failed-then-approved' });
  const { cardToken } = await resultOf(world, stored.json);
  const transactionReference = randomUUID();
  const sale = { amount: '10.00', currency: 'EUR', cardToken, transactionReference };
  assert.equal((await world.post('/moto/sale', sale)).status, 504);
  await world.clock.advance(11_000);
  assert.equal((await world.status(transactionReference)).json.finStatus, 'FAILED');
  assert.equal(world.simulator.bank.netMoved(transactionReference), 0);
  await world.clock.advance(MINUTE);
  assert.equal((await world.status(transactionReference)).json.finStatus, 'AUTHORISED');
  assert.equal(world.simulator.bank.netMoved(transactionReference), 1000);
});

test('asks for the card late: charged after 115 s, with nothing in the status until then', async () => {
  const world = simulate({ cardholder: { tapAfterMs: 29_000 } });
  world.simulator.faults.arm({ kind: 'card-read-late' });
  const body = world.sale();
  const { json } = await world.post('/transactions', body);
  await world.clock.advance(113_000);
  assert.equal((await world.get(`/transaction-result/${String(json.transactionResultId)}`)).status, 204);
  assert.equal((await world.status(String(body.transactionReference))).json.finStatus, 'UNDEFINED');
  await world.clock.runUntilIdle();
  const [charge] = world.simulator.bank.charges();
  assert.equal(Math.round(((charge?.at ?? 0) - world.simulator.startedAt) / 1000), 114);
});

test('never asks for a card later than its worst case', async () => {
  const world = simulate();
  world.simulator.faults.arm({ kind: 'card-read-late', ms: 3_600_000 });
  assert.equal((await run(world, world.sale())).finStatus, 'CANCELLED');
  assert.equal(world.simulator.bank.entries().length, 0);
});

test('reports a result late: polls say nothing while the money has moved', async () => {
  const world = simulate();
  world.simulator.faults.arm({ kind: 'result-late' });
  const body = world.sale({ callbackUrl: 'https://till.example/cb' });
  const { json } = await world.post('/transactions', body);
  await world.clock.advance(88_000);
  assert.equal((await world.get(`/transaction-result/${String(json.transactionResultId)}`)).status, 204);
  assert.deepEqual([world.simulator.bank.netMoved(), world.callbacks.length], [1000, 0]);
  await world.clock.runUntilIdle();
  assert.equal((await resultOf(world, json)).finStatus, 'AUTHORISED');
  assert.equal(world.callbacks.length, 1);
});

test('reports UNDEFINED first, and what really happened later', async () => {
  const world = simulate();
  world.simulator.faults.arm({ kind: 'undefined-first', ms: 30_000 });
  await world.post('/transactions', world.sale({ callbackUrl: 'https://till.example/cb' }));
  await world.clock.runUntilIdle();
  assert.deepEqual(
    world.callbacks.map(({ body, moved }) => [body.finStatus, moved]),
    [
      ['UNDEFINED', 1000],
      ['AUTHORISED', 1000],
    ],
  );
});
