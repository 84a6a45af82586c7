import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** An intermediary delivers the response to another payment of this journal: what that says is not told of this one. */

/** A service whose responses to what has a part of an address are replaced by another one. Polled for; `isLost`: the service gets no request. */
function mixedUp() {
  const answers = new Map<string, HttpAnswer & { isLost: boolean }>();
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async (request): Promise<HttpAnswer> => {
        const [, mixed] = [...answers].find(([part]) => request.url.includes(part)) ?? [];
        if (mixed?.isLost) return mixed;
        const own = await world.simulator.send(request);
        return mixed !== undefined && own.status < 300 ? mixed : own;
      },
    },
  });
  const answer = (part: string, body: object, { status = 200, isLost = false } = {}): unknown =>
    answers.set(part, { status, body: JSON.stringify(body), isLost });
  return { world, answer, stop: () => answers.clear() };
}

/** A declined sale of this journal, which the responses are about. */
async function declinedSale(world: Payments) {
  const { outcome, operationId, transactionId } = await world.after(world.sale({ amount: '3784' }));
  assert.equal(outcome, 'declined');
  const [record] = await world.journal.find({ operationId });
  const [transactionReference] = record?.references ?? [];
  return { transactionReference, transactionResultId: record?.resultId, transactionID: transactionId };
}

const ORIGINAL = { amount: '5000' };

/** What can be started on a terminal beside it. */
async function startable(world: Payments, operation: string) {
  if (operation === 'tokenizeCard') return { operation, amount: undefined, currency: undefined } as const;
  if (operation !== 'refund' && operation !== 'saleReversal') return { operation } as { operation: 'sale' };
  const { transactionId } = await world.after(world.sale(ORIGINAL));
  return { operation, originalTransactionId: transactionId } as const;
}

for (const operation of ['moToSale', 'refund', 'saleReversal', 'moToRefund', 'tokenizeCard'] as const) {
  test(`a ${operation} whose request gets the acceptance of a declined sale once more is not told as declined`, async () => {
    const { world, answer, stop } = mixedUp();
    const another = await declinedSale(world);
    const request = await startable(world, operation);
    answer('/transactions', another, { status: 202 });
    const submitted = world.sale(request as object);
    await world.clock.advance(500);
    stop();
    const [record] = await world.journal.find({ operationId: await submitted });
    assert.notEqual(record?.resultId, another.transactionResultId, 'it is not polled by');
    const { outcome, reference } = await world.after(submitted);
    assert.notEqual(outcome, 'declined');
    assert.notEqual(reference, another.transactionReference);
  });
}

for (const operation of ['sale', 'moToSale', 'refund', 'saleReversal', 'tokenizeCard'] as const) {
  test(`a ${operation} that is polled, and gets the result of a declined sale once, is told by its own`, async () => {
    const { world, answer, stop } = mixedUp();
    const { transactionID } = await declinedSale(world);
    const request = await startable(world, operation);
    answer('/transaction-result/', { finStatus: 'DECLINED', type: 'SALE', totalAmount: 3784, transactionID });
    const submitted = world.sale(request as object);
    await world.clock.advance(15_000);
    stop();
    const { outcome } = await world.after(submitted);
    assert.ok(['approved', 'refunded', 'completed'].includes(outcome), outcome);
  });
}

const THEIRS = { transactionID: 'another', reference: '6f1c9d0e-2f5b-4c57-9d36-0f6f5a4c1b22' };

/** A payment of this journal, or one of another point of sale, whose result is a question as long as no code of the issuer proves it. */
const OTHERS = {
  'of this journal': async (world: Payments) => {
    const { transactionId = '', reference = '' } = await world.after(world.sale({ operation: 'moToSale' }));
    return { type: 'MOTO_SALE', transactionID: transactionId, reference };
  },
  'of another type': async () => ({ type: 'PRE_AUTHORIZATION', ...THEIRS }),
};

for (const [which, another] of Object.entries(OTHERS)) {
  test(`a moToSale that is polled, and gets the result of a payment ${which}, is not told that it was cancelled as that was`, async () => {
    const { world, answer } = mixedUp();
    const { type, transactionID, reference } = await another(world);
    const other = { type, transactionID, transactionReference: reference, totalAmount: 1000, currency: 'EUR' };
    answer('/transaction-result/', { ...other, finStatus: 'PROCESSED' });
    answer(`/${reference}/`, [{ ...other, finStatus: 'CANCELLED' }], { isLost: true });
    const before = world.bank.netMoved();
    const id = await world.sale({ operation: 'moToSale' });
    await world.clock.advance(3 * 24 * 3_600_000);
    assert.notEqual(world.bank.netMoved(), before, 'it was done');
    const told = world.told.filter(({ payload }) => payload.operationId === id).map(({ payload }) => payload);
    assert.ok(told.length > 0 && told.every(({ moneyMoved }) => moneyMoved === 'unknown'));
    assert.ok(told.every(({ transactionId }) => transactionId !== transactionID));
  });
}

const DECLINE = { httpStatus: 200, issuerResponseCode: '51', issuerResponseText: 'Insufficient funds' };

/** What can be done about a payment whose reference nobody has named. */
const FOLLOW_UPS: readonly ((originalGuid: string) => BackOfficeOrder)[] = [
  (originalGuid) => ({ operation: 'moto/refund', body: { originalGuid, amount: '4.00', currency: 'EUR' } }),
  (originalGuid) => ({ operation: 'reversal', body: { originalGuid } }),
  (originalGuid) => ({
    operation: 'tip-adjustment',
    body: { transactionID: originalGuid, amount: '2.00', currency: 'EUR' },
  }),
];

for (const orderOf of FOLLOW_UPS) {
  const { operation } = orderOf('');
  test(`a ${operation} that gets the decline of another sale is not told as declined`, async () => {
    const { world, answer } = mixedUp();
    const { transactionID, transactionReference } = await declinedSale(world);
    const { transactionId = '' } = await world.after(world.sale(ORIGINAL));
    await world.clock.advance(20_000);
    const before = world.bank.netMoved();
    answer(`/${operation}`, { ...DECLINE, guid: transactionID, transactionID, transactionReference, type: 'SALE' });
    const payload = await world.after(world.backOffice(orderOf(transactionId)));
    assert.notEqual(world.bank.netMoved(), before, 'it was done');
    assert.notDeepEqual(saidOf(payload), ['declined', 'no', true]);
  });
}

const saidOf = ({ outcome, moneyMoved, final }: ResultPayload) => [outcome, moneyMoved, final];

for (const operation of ['moto/sale', 'moto/refund'] as const) {
  test(`${operation} by token that gets the decline of another is told as it was done`, async () => {
    const { world, answer } = mixedUp();
    const { card } = await world.after(
      world.sale({ operation: 'tokenizeCard', amount: undefined, currency: undefined }),
    );
    const body = { currency: 'EUR', cardToken: card.token ?? '' };
    const another = { ...DECLINE, guid: 'another', amount: '37.84' };
    answer(`/${operation}`, another, { isLost: true });
    const declined = await world.after(world.backOffice({ operation, body: { ...body, amount: '37.84' } }));
    answer(`/${operation}`, another);
    const { outcome, moneyMoved } = await world.after(
      world.backOffice({ operation, body: { ...body, amount: '10.00' } }),
    );
    assert.equal(declined.outcome, 'declined');
    assert.equal(Math.abs(world.bank.netMoved()), 1000);
    assert.deepEqual([outcome !== 'declined', moneyMoved], [true, 'yes']);
  });
}

test('a tip that was not set, and is answered with the result of another sale, is not told as done', async () => {
  for (const names of ['transactionID', 'transactionReference'] as const) {
    const { world, answer } = mixedUp();
    const other = await world.after(world.sale());
    const { transactionId: originalGuid = '' } = await world.after(world.sale(ORIGINAL));
    await world.clock.advance(20_000);
    const result = {
      httpStatus: 200,
      issuerResponseCode: '00',
      approvalCode: '1',
      type: 'SALE',
      statusMessage: 'Approved',
    };
    const named = { transactionID: other.transactionId, transactionReference: other.reference }[names];
    answer('/tip-adjustment', { ...result, [names]: named }, { isLost: true });
    const body = { transactionID: originalGuid, amount: '2.00', currency: 'EUR' };
    const { outcome } = await world.after(world.backOffice({ operation: 'tip-adjustment', body }));
    assert.notEqual(outcome, 'approved', names);
  }
});
