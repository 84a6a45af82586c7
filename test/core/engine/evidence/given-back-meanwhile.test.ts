import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransactionResult } from '../../../../src/core/api/schema/transaction-result.js';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import { DEFAULT_KEY } from '../../../../src/simulator/index.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** The response is lost, and another till gives the money back before anybody can ask. */

async function chainOf({ simulator }: Payments, reference: string): Promise<TransactionResult[]> {
  const { body } = await simulator.send({
    method: 'GET',
    url: `${simulator.statusUrl}/transactions/${reference}/status/all`,
    headers: { ApiKeyCloud: DEFAULT_KEY },
    timeoutMs: 15_000,
  });
  return JSON.parse(body);
}

async function idIn(world: Payments, reference: string, type: RegExp): Promise<string> {
  const entry = (await chainOf(world, reference)).find((one) => type.test(one.type ?? ''));
  assert.ok(entry?.transactionID);
  return entry.transactionID;
}

const said = ({ outcome, moneyMoved, final, amount, error }: ResultPayload) =>
  [outcome, moneyMoved, final, amount?.total, error?.code] as const;

const WHOLE = ['refunded', 'no', true, '0.00', undefined];
const PART = ['partial', 'partly', true, '6.00', 'PARTLY_REFUNDED'];

for (const [how, back, expected] of [
  ['reverse', 400, PART],
  ['refund', 400, PART],
] as const) {
  test(`a sale, of which ${back} went back by ${how}, is told as what is left`, async () => {
    const world = payments({ callbacks: false });
    world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /transactions' } });
    const reference = await world.sale();
    await world.clock.advance(40_000);
    assert.ok(world.simulator.other[how](await idIn(world, reference, /SALE/), back));
    await world.clock.advance(3 * 86_400_000);
    assert.equal(world.bank.netMoved(), 600);
    assert.deepEqual(world.told.map(({ payload }) => said(payload)).at(-1), expected);
  });
}

/** A follow-up whose response is lost, and what another till does about it. */
async function answerOf(
  world: Payments,
  submitted: Promise<string>,
  reference: string,
  undo: (id: string) => unknown,
): Promise<ResultPayload> {
  await world.clock.advance(30_000);
  assert.ok(undo(await idIn(world, reference, /CAPTURE|REFUND/)));
  return world.after(submitted);
}

for (const [how, back, left, expected] of [
  ['reverse', undefined, 0, WHOLE],
  ['refund', 400, 600, PART],
  ['refund', 1000, 0, WHOLE],
] as const) {
  test(`a capture, of which ${back ?? 'the whole'} went back by ${how}, is told as what is left`, async () => {
    const world = payments();
    const { transactionId, reference } = await world.after(world.sale({ operation: 'preAuthorization' }));
    await world.clock.advance(20_000);
    const endpoint = 'POST /preauthorization/capture';
    world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint }, times: 100 });
    const order: BackOfficeOrder = {
      operation: 'preauthorization/capture',
      body: { originalGuid: transactionId, capturedAmount: '10.00', currency: 'EUR' },
    };
    const undo = (id: string) => world.simulator.other[how](id, back);
    const told = await answerOf(world, world.backOffice(order), reference, undo);
    assert.equal(world.bank.netMoved(), left);
    assert.deepEqual(said(told), expected);
  });
}

test('a refund that was reversed is not told as refunded', async () => {
  const world = payments();
  const { transactionId, reference } = await world.after(world.sale());
  await world.clock.advance(20_000);
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /moto/refund' }, times: 100 });
  const body = { originalGuid: transactionId, amount: '10.00', currency: 'EUR' };
  const submitted = world.backOffice({ operation: 'moto/refund', body });
  const told = await answerOf(world, submitted, reference, (id) => world.simulator.other.reverse(id));
  assert.equal(world.bank.netMoved(), 1000);
  assert.deepEqual(said(told), ['cancelled', 'no', true, '0.00', undefined]);
});

/** An approval that only the status service knows, so that the policy takes it for late. */
for (const partlyReturnedSale of ['unchanged', 'REFUNDED'] as const) {
  for (const returnEntry of ['own', 'in-payment'] as const) {
    for (const when of ['before the reversal by policy', 'while that is on its way'] as const) {
      test(`a late approval of which 1.00 went back ${when} is not told as reversed while 9.00 stay (${partlyReturnedSale}, ${returnEntry})`, async () => {
        const endpoint = 'POST /transactions';
        let isBack = false;
        const giveBack = (): void => {
          isBack ||= world.simulator.other.refund(world.bank.charges()[0]?.transactionId ?? '', 100) !== undefined;
        };
        const world: Payments = payments({
          callbacks: false,
          simulator: { variants: { partlyReturnedSale, returnEntry } },
          engine: {
            send: (request) => {
              if (request.url.endsWith('/reversal')) giveBack();
              return world.simulator.send(request);
            },
          },
        });
        world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint } });
        const reference = await world.sale({}, { lateApproval: 'reverse' });
        await world.clock.advance(40_000);
        if (when.startsWith('before')) giveBack();
        await world.clock.advance(3 * 86_400_000);
        assert.deepEqual([isBack, world.bank.netMoved(reference)], [true, 900]);
        const tellings = world.noticed.map(({ delivery }) => delivery);
        for (const { exit, payload } of tellings) {
          assert.equal(exit, 'needs-attention', JSON.stringify(said(payload)));
          assert.notEqual(payload.moneyMoved, 'no');
          assert.notEqual(payload.error?.code, 'LATE_APPROVAL_REVERSED');
        }
        assert.equal(tellings.at(-1)?.payload.final, true);
      });
    }
  }
}
