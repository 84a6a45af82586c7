import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import { DEFAULT_KEY } from '../../../../src/simulator/index.js';
import { type Payments, payments } from '../../../harness/payments.js';

const HOUR = 3_600_000;

/** A follow-up as a flow makes it that wires a result into the next node. */
function about({ reference, transactionId }: ResultPayload, order: (original: string) => BackOfficeOrder) {
  return { ...order(transactionId), ...(reference === '' ? {} : { originalReference: reference }) };
}

const whole = (originalGuid: string): BackOfficeOrder => ({ operation: 'reversal', body: { originalGuid } });
const part =
  (amount: string) =>
  (originalGuid: string): BackOfficeOrder => ({
    operation: 'reversal',
    body: { originalGuid, amount, currency: 'EUR' },
  });
const capture = (originalGuid: string): BackOfficeOrder => ({
  operation: 'preauthorization/capture',
  body: { originalGuid, capturedAmount: '10.00', currency: 'EUR' },
});

async function refunded(world: Payments): Promise<ResultPayload> {
  const { transactionId } = await world.after(world.sale());
  return world.after(world.sale({ operation: 'refund', originalTransactionId: transactionId }));
}

/** Another system with the same key, of which this journal knows nothing. */
async function posts({ simulator, clock }: Payments, path: string, body: object): Promise<number> {
  const answer = simulator.send({
    method: 'POST',
    url: `${simulator.baseUrl}${path}`,
    headers: { ApiKeyCloud: DEFAULT_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    timeoutMs: 1000,
  });
  await clock.advance(20_000);
  return (await answer).status;
}

async function byAnotherSystem(world: Payments, { body }: BackOfficeOrder): Promise<void> {
  assert.equal(await posts(world, '/reversal', body), 200);
}

async function onAnothersTerminal(world: Payments, originalTransactionId: string): Promise<void> {
  const order = {
    operation: 'saleReversal',
    serial_number: '10000001',
    terminal_type: 'SIMULATEDT1',
    amount: '1000',
    currency: 'EUR',
    originalTransactionId,
    customerReference: 'another till',
  };
  assert.equal(await posts(world, '/transactions', order), 202);
}

function loseAnswers({ simulator }: Payments, endpoint: string, times: number): void {
  simulator.faults.arm({ kind: 'answer-lost', match: { endpoint }, times });
}

function loseRequests({ simulator }: Payments, endpoint: string): void {
  simulator.faults.decideBy((at) =>
    at.moment === 'request' && at.endpoint === endpoint ? { kind: 'request-lost' } : undefined,
  );
}

const WIRED: {
  name: string;
  original(world: Payments): Promise<ResultPayload>;
  order: (original: string) => BackOfficeOrder;
  moves: number;
}[] = [
  {
    name: 'a reversal of a keyed sale',
    original: (world) => world.after(world.sale({ operation: 'moToSale' })),
    order: whole,
    moves: -1000,
  },
  {
    name: 'a capture of a keyed hold',
    original: (world) => world.after(world.sale({ operation: 'moToPreAuthorization' })),
    order: capture,
    moves: 1000,
  },
  { name: 'a reversal of a refund of an earlier sale', original: refunded, order: whole, moves: 1000 },
];

for (const { name, original, order, moves } of WIRED) {
  for (const times of [1, 100]) {
    test(`${name}, wired from its result: ${times} lost answers, and the flow learns that the money moved`, async () => {
      const world = payments();
      const result = await original(world);
      const before = world.bank.netMoved();
      const asked = about(result, order);
      loseAnswers(world, asked.operation === 'reversal' ? 'POST /reversal' : 'POST /preauthorization/capture', times);
      const { moneyMoved } = await world.after(world.backOffice(asked));
      await world.clock.runUntilIdle(HOUR);
      assert.equal(world.bank.netMoved() - before, moves);
      assert.equal(moneyMoved, 'yes');
    });
  }
}

test('the reference of a result is one that the status service knows, or none', async () => {
  const world = payments();
  const keyed = await world.after(world.sale({ operation: 'moToSale' }));
  const refund = await refunded(world);
  const sale = world.told.find(({ payload }) => payload.transactionId === refund.originalTransactionId)?.payload;
  assert.equal(refund.reference, sale?.reference);
  await world.clock.advance(10_000);
  for (const { reference, transactionId } of [keyed, refund]) {
    const chain = await world.engine.client.status.all(reference);
    assert.ok(chain.some(({ transactionID }) => transactionID === transactionId));
  }
  world.simulator.faults.arm({ kind: 'connection-refused' });
  const unsent = await world.after(world.sale({ operation: 'moToSale' }));
  assert.equal(unsent.reference, '');
});

test('what the journal knows of an original wins over the reference that a message brings', async () => {
  const world = payments();
  const [first, second] = [await world.after(world.sale()), await world.after(world.sale())];
  loseAnswers(world, 'POST /reversal', 100);
  const order = { ...whole(first.transactionId), originalReference: second.reference };
  const { outcome, reference } = await world.after(world.backOffice(order));
  assert.deepEqual([outcome, reference], ['refunded', first.reference]);
  assert.equal(world.bank.netMoved(first.reference), 0);
});

test('the chain of another payment proves nothing', async () => {
  const world = payments();
  const [first, second] = [await world.after(world.sale()), await world.after(world.sale())];
  await world.engine.stop();
  const engine = world.createEngine({ journal: payments().journal });
  world.connect(engine);
  loseAnswers(world, 'POST /reversal', 100);
  const order = { ...whole(first.transactionId), originalReference: second.reference };
  await engine.submitBackOffice(order, { node: 'sale-node', message: {} });
  const { exit, payload } = await world.untilTold(3);
  assert.deepEqual([exit, payload.outcome, payload.moneyMoved], ['needs-attention', 'unknown', 'unknown']);
  assert.equal(world.bank.netMoved(first.reference), 0, 'the bank has it');
  await engine.stop();
});

for (const [asked, order] of Object.entries({ 'the whole': whole, 'the same part': part('4.00') })) {
  test(`a part that another system reversed before is no proof that ${asked} was`, async () => {
    const world = payments();
    const sale = await world.after(world.sale());
    await byAnotherSystem(world, part('4.00')(sale.transactionId));
    loseRequests(world, 'POST /reversal');
    const { moneyMoved } = await world.after(world.backOffice(about(sale, order)));
    assert.equal(moneyMoved, 'no');
    assert.equal(world.bank.netMoved(), 600);
  });
}

test('a part that another system reverses meanwhile is no proof that the whole was, and none that nothing was', async () => {
  const world = payments();
  const sale = await world.after(world.sale());
  loseRequests(world, 'POST /reversal');
  const submitted = world.backOffice(about(sale, whole));
  await world.clock.advance(130_000);
  world.simulator.faults.decideBy(() => undefined);
  await byAnotherSystem(world, part('4.00')(sale.transactionId));
  const { moneyMoved } = await world.after(submitted);
  assert.equal(moneyMoved, 'unknown');
  assert.equal(world.bank.netMoved(), 600);
});

test('that another system reversed the whole is no proof that a part was, and none that nothing was', async () => {
  const world = payments();
  const sale = await world.after(world.sale());
  await world.engine.stop();
  const engine = world.createEngine({ journal: payments().journal });
  world.connect(engine);
  world.simulator.faults.arm({ kind: 'server-error-before', match: { endpoint: 'POST /reversal' } });
  await engine.submitBackOffice(part('4.00')(sale.transactionId), { node: 'sale-node', message: {} });
  await world.clock.advance(1000);
  await byAnotherSystem(world, whole(sale.transactionId));
  const { payload } = await world.untilTold(2);
  assert.deepEqual([payload.outcome, payload.error?.code], ['unknown', '3051']);
  assert.equal(world.bank.netMoved(), 0);
  await engine.stop();
});

test('a reversal with the mark of another till is no proof of ours, and none that nothing was', async () => {
  const world = payments();
  const sale = await world.after(world.sale());
  await world.engine.stop();
  const engine = world.createEngine({ journal: payments().journal });
  world.connect(engine);
  world.simulator.faults.arm({ kind: 'server-error-before', match: { endpoint: 'POST /reversal' }, times: 100 });
  await engine.submitBackOffice(about(sale, whole), { node: 'sale-node', message: {} });
  await world.clock.advance(1000);
  await onAnothersTerminal(world, sale.transactionId);
  const { payload } = await world.untilTold(2);
  assert.equal(payload.outcome, 'unknown');
  assert.equal(world.bank.netMoved(), 0);
  await engine.stop();
});

test('a reversal whose request was lost is not proved by the same reversal of a later message that was sent twice', async () => {
  const world = payments();
  const { transactionId } = await world.after(world.sale());
  loseRequests(world, 'POST /reversal');
  world.simulator.faults.arm({ kind: 'request-lost', match: { endpoint: 'GET /status' }, forMs: 450_000 });
  const first = await world.after(world.backOffice(part('3.00')(transactionId)));
  assert.equal(first.outcome, 'unknown');
  world.simulator.faults.decideBy(() => undefined);
  world.simulator.faults.arm({ kind: 'server-error-after', match: { endpoint: 'POST /reversal' } });
  const second = await world.after(world.backOffice(part('3.00')(transactionId)));
  assert.deepEqual([second.outcome, second.moneyMoved], ['refunded', 'yes']);
  await world.clock.advance(3_600_000);
  const last = world.told.findLast(({ payload }) => payload.operationId === first.operationId);
  assert.equal(last?.payload.outcome, 'unknown', 'once alone has it gone back');
  assert.equal(world.bank.netMoved(), 700);
});
