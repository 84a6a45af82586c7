import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** A result that comes where none belongs is a witness all the same: "no record" does not prove that nothing was charged. */

const NO_RECORD: HttpAnswer = {
  status: 404,
  body: JSON.stringify({ error: { statusCode: 404, name: 'NotFoundError', message: 'no record' } }),
};
const ACCEPTED = { transactionResultId: 'result' };

const approved = (transactionReference: string) => ({
  transactionReference,
  transactionID: 'one',
  finStatus: 'AUTHORISED',
  type: 'SALE',
  totalAmount: 1000,
  currency: 'EUR',
});

type Approved = ReturnType<typeof approved>;

/** @param start what answers the order @param poll what answers a poll */
async function told(start: (result: Approved) => HttpAnswer, poll: (result: Approved) => HttpAnswer) {
  let reference = '';
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async ({ url, body = '{}' }) => {
        const { operation, transactionReference } = JSON.parse(body);
        if (operation !== 'sale') return url.includes('/transaction-result/') ? poll(approved(reference)) : NO_RECORD;
        reference = transactionReference;
        return start(approved(reference));
      },
    },
  });
  const { moneyMoved, retry } = await world.after(world.sale());
  return [moneyMoved, retry];
}

const json = (status: number, body: unknown): HttpAnswer => ({ status, body: JSON.stringify(body) });
const accepts = () => json(202, ACCEPTED);
const gone = () => NO_RECORD;
const QUESTION = ['unknown', 'after-recovery'];

test('an approval in the answer to the order', async () => {
  assert.deepEqual(await told((result) => json(200, result), gone), QUESTION);
  assert.deepEqual(await told((result) => json(200, { data: result }), gone), QUESTION);
  assert.deepEqual(await told(() => json(202, {}), gone), ['no', 'safe'], 'where none is, there is no question');
});

test('an approval in the answer to the order, whose own result comes after it', async () => {
  const start = (result: Approved) => json(200, { ...ACCEPTED, ...result });
  assert.deepEqual(await told(start, (result) => json(200, result)), ['yes', 'never']);
});

test('an approval inside another object, in the answer to a poll', async () => {
  for (const wrap of [(result: Approved) => ({ result }), (result: Approved) => [result]])
    assert.deepEqual(await told(accepts, (result) => json(200, wrap(result))), QUESTION);
});

test('a refusal that names a result id, or a result', async () => {
  const error = { error: { statusCode: 400, name: 'BadRequestError', message: 'no' } };
  assert.deepEqual(await told(() => json(400, error), gone), ['no', 'after-change']);
  for (const more of [ACCEPTED, { finStatus: 'AUTHORISED' }]) {
    const [moved, retry] = await told(() => json(400, { ...error, ...more }), gone);
    assert.notEqual(retry, 'after-change', `${moved} ${JSON.stringify(more)}`);
  }
});
