import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpRequest } from '../../../../src/core/base/seams.js';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import type { OperationRecord } from '../../../../src/core/journal/record.js';
import { NODE, type Payments, payments } from '../../../harness/payments.js';

/** The service may give odd answers; the flow gets the result of the payment all the same. */

/** The simulated service, whose answers at one endpoint say something else. */
function answering(endpoint: string, odd: object): Payments {
  const world = payments();
  const { simulator } = world;
  const send = async (request: HttpRequest) => {
    const answer = await simulator.send(request);
    if (!request.url.endsWith(endpoint)) return answer;
    return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), ...odd }) };
  };
  world.engine = world.createEngine({ send });
  world.connect(world.engine);
  return world;
}

const held = (world: Payments): Promise<ResultPayload> => world.after(world.sale({ operation: 'preAuthorization' }));

const reversed = (world: Payments, { transactionId: originalGuid }: ResultPayload): Promise<ResultPayload> =>
  world.after(world.backOffice({ operation: 'reversal', body: { originalGuid } }));

for (const holdAmount of ['1,012.00', 'EUR 12.00', '12.005', 'abc', '']) {
  test(`an increase is reported where the answer says of the hold ${JSON.stringify(holdAmount)}`, async () => {
    const world = answering('/preauthorization/increase', { holdAmount });
    const { transactionId, reference } = await held(world);
    const body = { originalGuid: transactionId, increaseAmount: '2.00', currency: 'EUR' };
    const { outcome, moneyMoved, amount } = await world.after(
      world.backOffice({ operation: 'preauthorization/increase', body }),
    );
    // It proves nothing, so that the chain is asked, which says it.
    assert.deepEqual([outcome, moneyMoved, amount?.total, amount?.hold], ['approved', 'no', '2.00', '12.00']);
    assert.equal(world.bank.netHeld(reference), 1200);
  });
}

test('a whole reversal reports how much went back, as the answer says it', async () => {
  const world = payments();
  const sale = await world.after(world.sale());
  const { amount } = await reversed(world, sale);
  assert.deepEqual(
    [amount?.currency, amount?.requested, amount?.total, amount?.minor.total],
    ['EUR', '10.00', '10.00', 1000],
  );
  assert.equal(world.bank.netMoved(sale.reference), 0);
});

test('a whole reversal whose answer was lost reports how much went back, as the chain says it', async () => {
  const world = payments();
  const sale = await world.after(world.sale());
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /reversal' }, times: 1000 });
  const { outcome, amount } = await reversed(world, sale);
  assert.deepEqual([outcome, amount?.currency, amount?.total], ['refunded', 'EUR', '10.00']);
});

test('a whole reversal of which nobody says how much reports what the journal knows, tip included', async () => {
  const world = answering('/reversal', { amount: null, currency: null });
  const sale = await world.after(world.sale());
  const body = { transactionID: sale.transactionId, amount: '2.00', currency: 'EUR' };
  await world.after(world.backOffice({ operation: 'tip-adjustment', body }));
  const { amount } = await reversed(world, sale);
  assert.deepEqual([amount?.total, amount?.currency], ['12.00', 'EUR']);
  assert.equal(world.bank.netMoved(sale.reference), 0);
  const again = await reversed(world, sale);
  assert.deepEqual([again.outcome, again.amount?.requested, again.amount?.total], ['refused', '12.00', '0.00']);
});

test('an amount that may have moved is not reported as nothing', async () => {
  const world = payments();
  const sale = await world.after(world.sale());
  const { faults } = world.simulator;
  faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /reversal' }, times: 1000 });
  faults.arm({ kind: 'status-in-progress', times: 1000 });
  const { outcome, amount } = await reversed(world, sale);
  assert.deepEqual([outcome, amount?.total], ['unknown', '10.00']);
});

for (const [what, operation] of [
  ['at the gateway', 'reversal'],
  ['on the terminal', 'preAuthorizationReversal'],
] as const) {
  test(`a hold that is released ${what} reports how much was held`, async () => {
    const world = payments();
    const hold = await held(world);
    const { moneyMoved, amount } =
      operation === 'reversal'
        ? await reversed(world, hold)
        : await world.after(
            world.sale({
              operation,
              originalTransactionId: hold.transactionId,
              amount: undefined,
              currency: undefined,
            }),
          );
    assert.deepEqual([moneyMoved, amount?.requested, amount?.total, amount?.currency], ['no', '10.00', '10.00', 'EUR']);
    assert.equal(world.bank.netHeld(hold.reference), 0);
  });
}

for (const odd of [
  { amount: '10.005' },
  { amount: 'EUR 10' },
  { currency: 'euro' },
  { amount: null, currency: null },
]) {
  test(`a whole reversal is reported where the answer says ${JSON.stringify(odd)}`, async () => {
    const world = answering('/reversal', odd);
    const sale = await world.after(world.sale());
    const { outcome, moneyMoved } = await reversed(world, sale);
    assert.deepEqual([outcome, moneyMoved], ['refunded', 'yes']);
    assert.equal(world.bank.netMoved(sale.reference), 0);
  });
}

test('a result that cannot be built any more is delivered as unknown, once, and is pending no longer', async () => {
  const world = payments();
  // Nobody gets it in the life of this engine.
  world.engine.attach(NODE, { deliver: () => undefined, progress: () => undefined })();
  const operationId = await world.sale();
  const recorded = async (): Promise<OperationRecord | undefined> => (await world.journal.find({ operationId }))[0];
  await world.clock.runUntil(() => world.bank.netMoved(operationId) === 1000, 100_000);
  await world.clock.advance(60_000);
  const record = await recorded();
  assert.equal(record?.state.pending?.verdict.outcome, 'approved');
  await world.engine.stop();
  await world.journal.advance({ ...(record as OperationRecord), result: { finStatus: 7 } });

  world.engine = world.createEngine();
  await world.engine.start();
  world.connect(world.engine);
  const { payload, exit } = await world.untilTold();
  assert.deepEqual([exit, payload.outcome, payload.error?.code], ['needs-attention', 'unknown', 'UNTELLABLE']);
  assert.match(String(payload.error?.message), /approved, money moved: yes/);
  await world.clock.advance(60_000);
  assert.equal(world.told.length, 1);
  assert.equal((await recorded())?.state.pending, undefined);
});

for (const finStatus of ['CANCELLED', 'DECLINED']) {
  test(`a payment that its terminal calls ${finStatus} was not charged, whatever its amounts look like`, async () => {
    const world = payments({ callbacks: false });
    const engine = world.createEngine({
      send: async (request) => {
        const answer = await world.simulator.send(request);
        if (answer.status !== 200 || !request.url.includes('/transaction-result/')) return answer;
        return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), finStatus, totalAmount: '12,3x' }) };
      },
    });
    world.simulator.faults.arm({ kind: 'gateway-request-lost' });
    world.engine = engine;
    world.connect(engine);
    await world.sale();
    const { payload } = await world.untilTold();
    assert.deepEqual([payload.outcome, payload.moneyMoved, payload.final], [finStatus.toLowerCase(), 'no', true]);
  });
}

test('a decline by token beside an approval code that cannot be read is asked about, and was an approval', async () => {
  const odd = { issuerResponseCode: '05', approvalCode: { toString: 1 } };
  const world = answering('/moto/sale', odd);
  const { card } = await world.after(world.sale({ operation: 'saleAndTokenizeCard' }));
  const body = { amount: '3.00', currency: 'EUR', cardToken: card.token ?? '' };
  const { outcome, moneyMoved } = await world.after(world.backOffice({ operation: 'moto/sale', body }));
  assert.deepEqual([outcome, moneyMoved], ['approved', 'yes']);
  assert.equal(world.bank.netMoved(), 1300);
});
