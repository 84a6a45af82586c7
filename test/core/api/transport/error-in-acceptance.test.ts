import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransactionRequest } from '../../../../src/core/api/schema/transaction-request.js';
import { RefusedError, UnreadableAnswerError } from '../../../../src/core/base/errors.js';
import { scriptedService } from '../scripted-service.js';

/** A request to a terminal that is answered with a 2xx, and with an error in it. */

const sale: TransactionRequest = {
  operation: 'sale',
  serial_number: '10000001',
  terminal_type: 'MODELT1',
  amount: '1000',
  currency: 'EUR',
};

test('takes a terminal number for a refusal under a 2xx as well', async (t) => {
  const { client, answers } = await scriptedService(t);
  const inner = { error: 1001, message: 'Device busy' };
  const flat = (message: unknown) => ({ error: { statusCode: 409, name: 'ConflictError', message } });
  answers([200, inner], [202, { error: '1001' }], [200, flat(inner)], [202, flat(JSON.stringify(inner))]);
  for (let answer = 0; answer < 4; answer++) {
    await assert.rejects(
      client.transactions.start(sale),
      (error) => error instanceof RefusedError && error.serviceCode === '1001',
    );
  }
});

test('leaves the outcome open when an acceptance says an error, and believes none that says no error', async (t) => {
  const { client, answers } = await scriptedService(t);
  const accepted = { transactionResultId: '10000001-1' };
  const open = [
    { error: 'Bad Request' },
    { error: 1999 },
    { error: true, statusMessage: 'Operation accepted' },
    { error: { name: 'BadRequestError', message: 'no' }, transactionResultId: '' },
    { ...accepted, error: 1002 },
    { ...accepted, error: { message: { error: 1001 } } },
    { error: 1002, finStatus: 'AUTHORISED' },
    { error: 1002, result: 'PING_PONG' },
  ];
  answers(...open.map((body): [number, unknown] => [200, body]));
  for (const body of open) {
    await assert.rejects(client.transactions.start(sale), UnreadableAnswerError, JSON.stringify(body));
  }
  const none = [null, '', 0, '0', false, {}].map((error) => ({ statusMessage: 'Operation accepted', error }));
  answers(...none.map((body): [number, unknown] => [202, body]), [202, { ...accepted, error: 'not printed' }]);
  for (const _body of none) {
    assert.deepEqual(await client.transactions.start(sale), { statusMessage: 'Operation accepted' });
  }
  assert.deepEqual(await client.transactions.start(sale), accepted);
});
