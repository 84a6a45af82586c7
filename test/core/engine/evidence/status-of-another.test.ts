import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** A payment that the service keeps under a reference of its own gets a status answer that is about another one. */

const REFERENCE = '6f1c9d0e-2f5b-4c57-9d36-0f6f5a4c1b22';
const ANOTHER = '7a1c9d0e-2f5b-4c57-9d36-0f6f5a4c1b33';
const DAYS = 3 * 24 * 3_600_000;

/** Its results are `result` from when there is one, and what the status service has is `status`. */
function answeredBy() {
  const answers: { result?: object; status?: object } = {};
  const asked: string[] = [];
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async (request): Promise<HttpAnswer> => {
        asked.push(`${request.url} ${request.body ?? ''}`);
        const own = await world.simulator.send(request);
        const { result, status } = answers;
        if (result !== undefined && request.url.includes('/transaction-result/')) return ok(result);
        return status !== undefined && request.url.includes('/status/') ? ok([status]) : own;
      },
    },
  });
  return { world, asked, answers };
}

function ok(body: object): HttpAnswer {
  return { status: 200, body: JSON.stringify(body) };
}

const QUESTION = { finStatus: 'UNDEFINED', type: 'MOTO_SALE', transactionID: 'own', transactionReference: REFERENCE };

for (const finStatus of ['CANCELLED', 'DECLINED']) {
  test(`a keyed sale is not told as not charged where the status answer is about another reference: ${finStatus}`, async () => {
    const { world, answers } = answeredBy();
    answers.result = QUESTION;
    answers.status = {
      finStatus,
      type: 'SALE',
      transactionID: 'theirs',
      transactionReference: ANOTHER,
      totalAmount: 1000,
    };
    await world.sale({ operation: 'moToSale' });
    await world.clock.advance(DAYS);
    assert.equal(world.bank.netMoved(), 1000);
    assert.ok(world.told.length > 0 && world.told.every(({ payload }) => payload.moneyMoved === 'unknown'));
  });

  test(`a keyed sale takes no reference from a question about another amount, which ended ${finStatus}`, async () => {
    const { world, answers } = answeredBy();
    const theirs = { ...QUESTION, totalAmount: 3784, requestedAmount: 3784, currency: 'EUR' };
    answers.result = theirs;
    answers.status = { ...theirs, finStatus };
    await world.sale({ operation: 'moToSale' });
    await world.clock.advance(DAYS);
    assert.equal(world.bank.netMoved(), 1000);
    assert.ok(world.told.length > 0 && world.told.every(({ payload }) => payload.moneyMoved === 'unknown'));
  });
}

test('by policy a keyed sale does not reverse the sale that a status answer about another reference names', async () => {
  const { world, asked, answers } = answeredBy();
  const { transactionId: theirs = '' } = await world.after(world.sale());
  answers.result = { ...QUESTION, transactionID: undefined };
  answers.status = {
    ...{ finStatus: 'AUTHORISED', type: 'SALE', transactionID: theirs, transactionReference: ANOTHER },
    ...{ totalAmount: 1000, currency: 'EUR' },
  };
  await world.sale({ operation: 'moToSale' }, { lateApproval: 'reverse' });
  await world.clock.advance(DAYS);
  assert.ok(!asked.some((one) => one.includes('/reversal') && one.includes(theirs)));
});
