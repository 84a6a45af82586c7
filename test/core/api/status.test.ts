import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PaymentError, UnreadableAnswerError } from '../../../src/core/base/errors.js';
import { scriptedService } from './scripted-service.js';

/** What the status service lists, and what is no word of it. */

const REFERENCE = '6f1c9d0e-2f5b-4c57-9d36-0f6f5a4c1b22';
const OTHER = 'b0c4c1d2-93a5-4f0e-8a61-7d2e5f3c9a10';

test('a 404 about the address, or of something in between, is no word about a payment', async (t) => {
  const { client, answers } = await scriptedService(t);
  const none = { error: { statusCode: 404, name: 'NotFoundError', message: 'Not found' } };
  const about = { error: { statusCode: 404, name: 'NotFoundError', message: 'Endpoint "GET /status" not found.' } };
  const between = { status: 404, error: 'Not Found', path: '/status' };
  answers([404, none], [404, about], [404, between]);
  const all = () => client.status.all(REFERENCE);
  assert.deepEqual(await all(), []);
  await assert.rejects(all(), PaymentError);
  await assert.rejects(all(), PaymentError);
});

test('a record that is missing of another payment is no word about this one', async (t) => {
  const { client, answers } = await scriptedService(t);
  const missing = (transactionReference?: string | null) => ({ finStatus: 'UNDEFINED', transactionReference });
  const all = () => client.status.all(REFERENCE);
  const others = [missing(OTHER), missing(OTHER.toUpperCase()), [missing(OTHER)], [missing(REFERENCE), missing(OTHER)]];
  for (const other of others) {
    answers([200, other], [200, other]);
    await assert.rejects(all(), UnreadableAnswerError);
    await assert.rejects(client.status.get(REFERENCE), UnreadableAnswerError);
  }
  for (const own of [REFERENCE, REFERENCE.toUpperCase(), '', 'n/a', null, undefined]) {
    answers([200, missing(own)]);
    assert.deepEqual(await all(), []);
  }
});

test('an entry that a chain lists twice counts once, whatever its words are', async (t) => {
  const { client, answers } = await scriptedService(t);
  const sale = { transactionID: 'a', finStatus: 'AUTHORISED', totalAmount: 1000 };
  const worded = { ...sale, statusMessage: 'Approved', merchantReceipt: '<p>', currency: '' };
  answers([
    200,
    [
      sale,
      sale,
      { ...sale, transactionID: 'A' },
      worded,
      { ...sale, transactionID: 'b' },
      { ...sale, finStatus: 'DECLINED' },
    ],
  ]);
  const chain = await client.status.all(REFERENCE);
  assert.deepEqual(
    chain.map(({ transactionID, finStatus }) => [transactionID, finStatus]),
    [
      ['a', 'AUTHORISED'],
      ['b', 'AUTHORISED'],
      ['a', 'DECLINED'],
    ],
  );
});
