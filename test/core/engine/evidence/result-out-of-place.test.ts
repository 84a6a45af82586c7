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

test('a status that only says that it has begun, or nothing, is no approval', async () => {
  for (const finStatus of ['IN_PROGRESS', '', null]) {
    assert.deepEqual(await told(() => json(202, { finStatus }), gone), ['no', 'safe'], `${finStatus}`);
    assert.deepEqual(await told(accepts, () => json(200, { data: { finStatus } })), ['no', 'safe'], `${finStatus}`);
  }
});

test('how it ended in the answer to the order, which is no place for that, keeps no stop from the terminal', async () => {
  let stops = 0;
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async ({ url, body = '{}' }) => {
        const { operation } = JSON.parse(body);
        if (operation === 'stopCurrentTransaction') stops++;
        if (operation === 'sale') return json(202, { ...ACCEPTED, finStatus: 'AUTHORISED' });
        return url.includes('/transaction-result/') ? { status: 204, body: '' } : NO_RECORD;
      },
    },
  });
  const id = await world.sale();
  await world.clock.advance(5000);
  await world.engine.cancelTarget({ operationId: id });
  await world.clock.advance(60_000);
  assert.ok(stops > 0);
});
