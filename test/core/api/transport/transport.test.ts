import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Client } from '../../../../src/core/api/client.js';
import type { TransactionRequest } from '../../../../src/core/api/schema/transaction-request.js';
import { RateLimiterRegistry } from '../../../../src/core/api/transport/rate-limiter.js';
import {
  AnswerLostError,
  ConfigurationError,
  InputError,
  RefusedError,
  UnreadableAnswerError,
  WithdrawnError,
} from '../../../../src/core/base/errors.js';
import type { Send } from '../../../../src/core/base/seams.js';
import { VirtualClock } from '../../../harness/virtual-clock.js';
import { scriptedService } from '../scripted-service.js';

const reference = '3f2b8c1e-7a4d-4e6f-9b0a-1c2d3e4f5a6b';
const sale: TransactionRequest = {
  operation: 'sale',
  serial_number: '10000001',
  terminal_type: 'MODELT1',
  amount: '1000',
  currency: 'EUR',
  transactionReference: reference,
};
const result = { finStatus: 'AUTHORISED', transactionID: 'a', type: 'SALE' };
const tooMany = { error: { statusCode: 429, name: 'TooManyRequestsError', message: 'slow down' } };
const notFound = { error: { statusCode: 404, name: 'NotFoundError', message: 'Not found' } };

test('sends the key, JSON, and the body as it was checked', async (t) => {
  const { client, answers, received } = await scriptedService(t);
  answers([
    202,
    { statusMessage: 'Operation accepted', transactionResultId: '10000001-1', transactionReference: reference },
  ]);
  const accepted = await client.transactions.start(sale);
  assert.deepEqual(accepted, {
    statusMessage: 'Operation accepted',
    transactionResultId: '10000001-1',
    transactionReference: reference,
  });
  assert.equal(received[0]?.method, 'POST');
  assert.equal(received[0]?.path, '/api/transactions');
  assert.equal(received[0]?.headers.apikeycloud, 'planted-key-4711');
  assert.equal(received[0]?.headers['content-type'], 'application/json');
  assert.deepEqual(JSON.parse(received[0]?.body ?? ''), sale);
});

test('takes an acceptance without a result id, and a ping that is answered at once', async (t) => {
  const { client, answers } = await scriptedService(t);
  answers([202, { statusMessage: 'ok', transactionResultId: '' }], [200, { result: 'PING_PONG' }]);
  assert.deepEqual(await client.transactions.start(sale), { statusMessage: 'ok' });
  const ping: TransactionRequest = { operation: 'pingDevice', serial_number: '1', terminal_type: 'M' };
  assert.deepEqual(await client.transactions.start(ping), { result: 'PING_PONG' });
});

test('sends nothing that breaks a rule', async (t) => {
  const { client, received } = await scriptedService(t);
  await assert.rejects(client.transactions.start({ ...sale, amount: '12,50' }), InputError);
  await assert.rejects(client.reversal.reverse({ originalGuid: '' }), InputError);
  await assert.rejects(client.status.get('order 7'), InputError);
  assert.equal(received.length, 0);
});

test('leaves the outcome open when a terminal may have started', async (t) => {
  const { client, answers } = await scriptedService(t);
  answers([500, tooMany], [202, '{"statusMe'], [202, 'null'], [400, { message: 'new' }], [302]);
  for (let answer = 0; answer < 5; answer++) {
    await assert.rejects(client.transactions.start(sale), UnreadableAnswerError);
  }
});

test('takes an answer nested thousands of levels deep for one that cannot be read', async (t) => {
  const { client, answers } = await scriptedService(t);
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
  answers([202, deep], [400, `{"error":{"message":${deep}}}`], [200, `{"finStatus":"AUTHORISED","x":${deep}}`]);
  await assert.rejects(client.transactions.start(sale), UnreadableAnswerError);
  await assert.rejects(client.transactions.start(sale), UnreadableAnswerError);
  await assert.rejects(client.status.get(reference), UnreadableAnswerError);
});

test('carries neither its key nor its callback token out of an answer that repeats them', async (t) => {
  const { client, answers } = await scriptedService(t, { apiKey: 'planted-key-0123456789' });
  const message = 'no key planted-key-0123456789, no token planted-token-0123456789';
  answers([400, { error: { name: 'BadRequestError', message } }]);
  await assert.rejects(client.transactions.start({ ...sale, token: 'planted-token-0123456789' }), (error) => {
    assert.ok(error instanceof RefusedError);
    assert.equal(error.message, 'no key [redacted], no token [redacted]');
    return true;
  });
});

test('hands a 429 of a terminal operation to its caller, who needs a new reference', async (t) => {
  const { client, answers, received } = await scriptedService(t);
  answers([429, tooMany]);
  await assert.rejects(
    client.transactions.start(sale),
    (error) => error instanceof RefusedError && error.status === 429,
  );
  assert.equal(received.length, 1);
});

test('hands a 429 of the back office to its caller, as it may be the answer to a copy of what was done', async (t) => {
  const { client, answers, received } = await scriptedService(t);
  answers([429, tooMany]);
  await assert.rejects(
    client.reversal.reverse({ originalGuid: 'a' }),
    (error) => error instanceof RefusedError && error.status === 429,
  );
  assert.equal(received.length, 1);
});

test('a request that was long on its way is not followed by more than its key may make within that second', async (t) => {
  const clock = new VirtualClock(0);
  const arrivals: number[] = [];
  const onItsWay = [600, 0, 0, 0, 0];
  const send: Send = () =>
    new Promise((resolve) => {
      clock.after(onItsWay.shift() ?? 0, () => {
        arrivals.push(clock.now());
        resolve({ status: 202, body: '{}' });
      });
    });
  const rateLimiters = new RateLimiterRegistry(clock);
  const { client } = await scriptedService(t, { send, clock, rateLimiters, requestsPerSecond: 2 });
  const all = Array.from({ length: 5 }, () => client.transactions.start(sale));
  await clock.runUntilIdle();
  await Promise.all(all);
  assert.equal(arrivals.length, 5);
  for (const at of arrivals) {
    const within = arrivals.filter((other) => other >= at && other < at + 1000);
    assert.ok(within.length <= 2, `${arrivals}`);
  }
});

test('waits a second after a 429 and goes again with what changes nothing', async (t) => {
  const { client, clock, answers, received } = await scriptedService(t);
  answers([429, tooMany], [429, ''], [200, { batchNumber: '1', batchStatus: 'OPEN' }]);
  const started = clock.now();
  const waiting: number[] = [];
  const summary = client.batch.summary(
    { serialNumber: '1', deviceType: 'A', batchNumber: '1' },
    {
      onQueued: () => {
        waiting.push(clock.now() - started);
        void clock.runUntilIdle();
      },
    },
  );
  assert.equal((await summary).batchNumber, '1');
  assert.deepEqual(waiting, [0, 1000]);
  assert.equal(clock.now() - started, 2000);
  assert.equal(received.length, 3);
});

test('gives up after a minute of nothing but 429, certain that nothing was done', async (t) => {
  const { client, clock, answers, received } = await scriptedService(t);
  answers(...Array.from({ length: 70 }, (): [number, object] => [429, tooMany]));
  const onQueued = (): void => void clock.runUntilIdle();
  await assert.rejects(client.status.get(reference, 'first', { onQueued }), (error) => {
    return error instanceof RefusedError && error.status === 429;
  });
  // After 1, 2, 4 … 32 s: what only asks must not stand in the way of payments.
  assert.equal(received.length, 7);
});

test('withdraws a request that still waits, without sending it', async (t) => {
  const { client, clock, answers, received } = await scriptedService(t, { requestsPerSecond: 1 });
  const withdrawal = new AbortController();
  answers([200, { issuerResponseCode: '00', reversalGuid: 'g' }]);
  await client.reversal.reverse({ originalGuid: 'a' });
  const second = client.transactions.start(sale, { signal: withdrawal.signal, onQueued: () => withdrawal.abort() });
  await assert.rejects(second, WithdrawnError);
  assert.equal(received.length, 1);
  assert.equal(clock.pending, 0);
});

test('withdraws a request while it is noted that it leaves, without sending it', async (t) => {
  const { client, received } = await scriptedService(t);
  const withdrawal = new AbortController();
  const onLeaving = async (): Promise<void> => withdrawal.abort();
  const reversal = client.reversal.reverse({ originalGuid: 'a' }, { withdraw: withdrawal.signal, onLeaving });
  await assert.rejects(reversal, WithdrawnError);
  assert.equal(received.length, 0);
});

test('withdraws a read that waits out a 429', async (t) => {
  const { client, clock, answers, received } = await scriptedService(t);
  answers([429, tooMany]);
  const withdrawal = new AbortController();
  const poll = client.transactions.result('1', {
    signal: withdrawal.signal,
    onQueued: () => queueMicrotask(() => withdrawal.abort()),
  });
  await assert.rejects(poll, WithdrawnError);
  assert.equal(received.length, 1);
  assert.equal(clock.pending, 0);
});

test('shares one queue among all clients with the same key, and lets reads pass', async (t) => {
  const { client, connection, clock, answers } = await scriptedService(t, { requestsPerSecond: 1 });
  const approved = { issuerResponseCode: '00', reversalGuid: 'g' };
  answers([200, approved], [204], [200, approved]);
  const started = clock.now();
  await client.reversal.reverse({ originalGuid: 'a' });
  assert.deepEqual(await client.transactions.result('1'), { state: 'pending' });
  assert.equal(clock.now(), started);
  const queued = (): void => void clock.runUntilIdle();
  await new Client(connection).reversal.reverse({ originalGuid: 'b' }, { onQueued: queued });
  assert.ok(clock.now() - started >= 1000);
});

test('counts reads too when told so', async (t) => {
  const { client, clock, answers } = await scriptedService(t, { requestsPerSecond: 1, countReads: true });
  answers([204], [204]);
  const started = clock.now();
  await client.transactions.result('1');
  await client.transactions.result('1', { onQueued: () => void clock.runUntilIdle() });
  assert.ok(clock.now() - started >= 1000);
});

test('sends a stop and a reversal by policy before the payments that wait, and questions after them', async (t) => {
  const sent: string[] = [];
  const send: Send = async ({ url, body = '{}' }) => {
    const { operation, originalGuid } = JSON.parse(body) as Record<string, string>;
    sent.push(operation ?? originalGuid ?? url.split('/').at(-1) ?? '');
    return { status: 200, body: JSON.stringify({ ...result, issuerResponseCode: '00', reversalGuid: 'g' }) };
  };
  const { client, clock } = await scriptedService(t, { requestsPerSecond: 1, countReads: true, send });
  const stop = { operation: 'stopCurrentTransaction', serial_number: '10000001', terminal_type: 'MODELT1' } as const;
  const all = [
    client.transactions.result('first'),
    client.transactions.result('poll'),
    client.reversal.reverse({ originalGuid: 'asked for' }),
    client.transactions.start(sale),
    client.transactions.start(stop),
    client.reversal.reverse({ originalGuid: 'by policy' }, { isUrgent: true }),
  ];
  await clock.runUntilIdle();
  await Promise.all(all);
  assert.deepEqual(sent, ['first', 'stopCurrentTransaction', 'by policy', 'sale', 'asked for', 'poll']);
});

test('reads a poll: pending, gone, a result, or nothing that can be relied on', async (t) => {
  const { client, answers, received } = await scriptedService(t);
  answers([204], [404, notFound], [200, result], [200, { unexpected: true }], [200, '<html>'], [404, '<html>'], [502]);
  assert.deepEqual(await client.transactions.result('10000001-1'), { state: 'pending' });
  assert.deepEqual(await client.transactions.result('10000001-1'), { state: 'gone' });
  const polled = await client.transactions.result('a/../b?c');
  assert.equal(polled.state === 'result' && polled.result.transactionID, 'a');
  assert.equal(received[2]?.path, '/api/transaction-result/a%2F..%2Fb%3Fc');
  for (let answer = 0; answer < 4; answer++) {
    await assert.rejects(client.transactions.result('1'), UnreadableAnswerError);
  }
});

test('reads all that the status service says before it has a record as one: no record', async (t) => {
  const { client, answers } = await scriptedService(t);
  answers([404, notFound], [200, { finStatus: 'UNDEFINED' }], [200, []], [404, notFound], [200, []]);
  for (let answer = 0; answer < 3; answer++) assert.equal(await client.status.get(reference), 'no-record');
  for (let answer = 0; answer < 2; answer++) assert.deepEqual(await client.status.all(reference), []);
});

test('does not take an answer it cannot read for "no record"', async (t) => {
  const { client, answers } = await scriptedService(t);
  answers([404, 'Not Found'], [404], [200, ''], [200, {}], [500, notFound], [204]);
  for (let answer = 0; answer < 6; answer++) await assert.rejects(client.status.get(reference), AnswerLostError);
});

test('asks the status service for one operation of a chain, or for all of it', async (t) => {
  const { client, answers, received } = await scriptedService(t);
  const refund = { ...result, type: 'REFUND' };
  answers([200, result], [200, refund], [200, refund], [200, [result, refund]]);
  await client.status.get(reference);
  await client.status.get(reference, 'last');
  await client.status.get(reference, 2);
  const chain = await client.status.all(reference);
  assert.deepEqual(
    chain.map(({ type }) => type),
    ['SALE', 'REFUND'],
  );
  const paths = ['first', 'last', '2', 'all'].map((selector) => `/status/transactions/${reference}/status/${selector}`);
  assert.deepEqual(
    received.map(({ path }) => path),
    paths,
  );
  await assert.rejects(client.status.get(reference, 0), { name: 'InputError', field: 'selector' });
});

test('says when a reference is another merchant’s', async (t) => {
  const { client, answers } = await scriptedService(t);
  answers([401, { error: { statusCode: 401, name: 'UnauthorizedError', message: 'not yours' } }]);
  await assert.rejects(client.status.get(reference), (error) => error instanceof RefusedError && error.status === 401);
});

test('lists terminals without their secrets, and marks the virtual one', async (t) => {
  const { client, answers } = await scriptedService(t);
  const one = { merchant_id_alpha: 'M', serial_number: '1', ssk: 'planted-ssk', terminal_type: 'MODELT1' };
  answers([200, [one, { ...one, serial_number: 'VT-M', terminal_type: 'VT' }, { broken: true }]]);
  const devices = await client.devices.list();
  assert.deepEqual(devices, [
    { merchant_id_alpha: 'M', serial_number: '1', terminal_type: 'MODELT1', virtual: false },
    { merchant_id_alpha: 'M', serial_number: 'VT-M', terminal_type: 'VT', virtual: true },
  ]);
});

test('refuses a connection that could not work', async (t) => {
  const { connection } = await scriptedService(t);
  for (const wrong of [
    { apiKey: '' },
    { apiKey: 'two\nlines' },
    { baseUrl: 'service.example' },
    { statusUrl: 'ftp://x' },
  ]) {
    assert.throws(() => new Client({ ...connection, ...wrong }), ConfigurationError, JSON.stringify(wrong));
  }
});

test('shows its key to nobody who prints it', async (t) => {
  const { client, answers } = await scriptedService(t);
  answers([403, { error: { statusCode: 403, name: 'ForbiddenError', message: 'No valid API key in header' } }]);
  const error = await client.devices.list().catch((reason: unknown) => reason);
  for (const shown of [inspect(client.devices, { depth: 2 }), inspect(error), JSON.stringify(client.devices)]) {
    assert.doesNotMatch(shown, /planted-key/);
  }
});
