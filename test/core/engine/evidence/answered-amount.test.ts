import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import { recordedDelivery } from '../../../../src/core/delivery/recorded-delivery.js';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import { type Payments, payments } from '../../../harness/payments.js';

type Body = Record<string, unknown>;

/** Intercepts one endpoint, and changes its requests and its answers. */
function between(path: string, { asked = same, said = same }: { asked?(body: Body): Body; said?(body: Body): Body }) {
  const world = payments();
  const { send } = world.simulator;
  const engine = world.createEngine({
    send: async (request) => {
      if (!request.url.endsWith(path)) return send(request);
      const answer = await send({ ...request, body: JSON.stringify(asked(JSON.parse(request.body ?? '{}'))) });
      return { ...answer, body: JSON.stringify(said(JSON.parse(answer.body))) };
    },
  });
  void world.engine.stop();
  world.engine = engine;
  world.connect(engine);
  return world;
}

function same(body: Body): Body {
  return body;
}

async function exitOf(world: Payments, order: BackOfficeOrder): Promise<[string, ResultPayload]> {
  const payload = await world.after(world.backOffice(order));
  return [world.told.at(-1)?.exit ?? '', payload];
}

const part = (originalGuid: string): BackOfficeOrder => ({
  operation: 'reversal',
  body: { originalGuid, amount: '4.00', currency: 'EUR' },
});

test('a part was asked for, and the service reverses the whole: the result says how much, and that it differs', async () => {
  const world = between('/reversal', { asked: ({ originalGuid }) => ({ originalGuid }) });
  const { transactionId } = await world.after(world.sale());
  const [exit, { outcome, moneyMoved, amount, error, final }] = await exitOf(world, part(transactionId));
  assert.deepEqual([exit, outcome, moneyMoved, final], ['needs-attention', 'partial', 'yes', true]);
  assert.deepEqual([amount?.requested, amount?.total, error?.code], ['4.00', '10.00', 'AMOUNT_DIFFERS']);
  assert.equal(world.bank.netMoved(), 0);
});

test('less is captured than was asked for: the result says how much, and that it differs', async () => {
  const world = between('/preauthorization/capture', { asked: (body) => ({ ...body, capturedAmount: '7.00' }) });
  const { transactionId } = await world.after(world.sale({ operation: 'preAuthorization' }));
  const [exit, { outcome, moneyMoved, amount }] = await exitOf(world, {
    operation: 'preauthorization/capture',
    body: { originalGuid: transactionId, capturedAmount: '9.00', tipAmount: '1.00', currency: 'EUR' },
  });
  assert.deepEqual([exit, outcome, moneyMoved], ['needs-attention', 'partial', 'partly']);
  assert.deepEqual([amount?.requested, amount?.total, amount?.tip], ['10.00', '8.00', '1.00']);
  assert.equal(world.bank.netMoved(), 800);
});

test('an answer in another currency proves nothing: what the chain shows is told', async () => {
  const world = between('/reversal', { said: (body) => ({ ...body, currency: 'JPY', amount: '4' }) });
  const { transactionId } = await world.after(world.sale());
  const [exit, { amount, error }] = await exitOf(world, part(transactionId));
  assert.deepEqual([exit, amount?.total, amount?.currency, error], ['done', '4.00', 'EUR', undefined]);
});

for (const amount of [undefined, '4', '-4.00', '4,00', 'EUR 4.00', '']) {
  test(`an answer whose amount is ${amount}, and as much as was asked for in the chain, is told as asked for`, async () => {
    const world = between('/reversal', { said: (body) => ({ ...body, amount }) });
    const { transactionId } = await world.after(world.sale());
    const [exit, { outcome, amount: reported }] = await exitOf(world, part(transactionId));
    assert.deepEqual([exit, outcome, reported?.total], ['done', 'refunded', '4.00']);
    assert.equal(world.bank.netMoved(), 600);
  });
}

test('what the service says that it did is told after a crash too', async () => {
  const world = between('/reversal', { asked: ({ originalGuid }) => ({ originalGuid }) });
  const { transactionId } = await world.after(world.sale());
  const first = await world.after(world.backOffice(part(transactionId)));
  const [record] = await world.journal.find({ reference: first.operationId }, 1);
  assert.ok(record?.state.latest !== undefined);
  const { payload } = recordedDelivery(record, record.state.latest);
  assert.deepEqual([payload.amount?.total, payload.error?.code], ['10.00', 'AMOUNT_DIFFERS']);
});

test('a reversal of the whole that is answered in minor units is told as the chain shows it, and never as that much', async () => {
  const inMinorUnits = (body: Body): Body => ({ ...body, amount: '1000' });
  for (const asked of [undefined, (): Body => ({ originalGuid: 'nothing' })]) {
    const world = between('/reversal', asked ? { asked, said: () => ({}) } : { said: inMinorUnits });
    const { transactionId: originalGuid } = await world.after(world.sale());
    await world.clock.advance(20_000);
    const [, { outcome, amount }] = await exitOf(world, { operation: 'reversal', body: { originalGuid } });
    assert.notEqual(amount?.total, '1000.00');
    assert.equal(outcome, asked ? 'not-charged' : 'refunded');
    assert.equal(world.bank.netMoved(), asked ? 1000 : 0);
  }
});
