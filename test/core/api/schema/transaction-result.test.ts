import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readTransactionResult } from '../../../../src/core/api/schema/transaction-result.js';
import { UnreadableAnswerError } from '../../../../src/core/base/errors.js';

const body = {
  transactionID: 'a1b2',
  finStatus: 'AUTHORISED',
  type: 'SALE',
  requestedAmount: 1000,
  totalAmount: 1000,
  currency: 'EUR',
};

/** The parsed value of a field that was sent as `value`. */
function readingOf(field: string, value: unknown): unknown {
  return (readTransactionResult({ ...body, [field]: value }) as unknown as Record<string, unknown>)[field];
}

test('keeps the body as it came beside the reading', () => {
  const sent = { ...body, somethingNew: { deep: [1] }, finStatus: 'PARTIALLY_APPROVED' };
  const result = readTransactionResult(sent);
  assert.deepEqual(result.raw, sent);
  assert.equal(result.finStatus, 'PARTIAL_APPROVAL');
  assert.equal('somethingNew' in result, false);
});

test('reads every variant that deployments answer with', () => {
  const rows: [field: string, sent: unknown, read: unknown][] = [
    ['finStatus', 'PARTIALLY_APPROVED', 'PARTIAL_APPROVAL'],
    ['finStatus', 'SOMETHING_NEW', 'SOMETHING_NEW'],
    ['cardEntryType', 'MSR', 'MAG_STRIPE'],
    ['cardEntryType', 'ICC', 'ICC'],
    ['efttimestamp', 1700000000123, 1700000000123],
    ['efttimestamp', '20231114221320123', 1700000000123],
    ['efttimestamp', '20240229000000000', Date.UTC(2024, 1, 29)],
    ['efttimestamp', '20001231235959999', Date.UTC(2000, 11, 31, 23, 59, 59, 999)],
    ['efttimestamp', '1700000000123', 1700000000123],
    ['customFields', [{ key: 'a', value: 'b' }], [{ key: 'a', value: 'b' }]],
    ['customFields', { entry: [{ key: 'a', value: 1 }] }, [{ key: 'a', value: '1' }]],
    ['customFields', { entry: { key: 'a', value: 'b' } }, [{ key: 'a', value: 'b' }]],
    [
      'customFields',
      { a: 'b', c: 'd' },
      [
        { key: 'a', value: 'b' },
        { key: 'c', value: 'd' },
      ],
    ],
    ['customFields', {}, []],
    ['tipAmount', '150', 150],
    ['tipAmount', 150, 150],
    ['totalAmount', '1000', 1000],
    ['authorisationCode', '', ''],
    ['issuerResponseCode', '00', '00'],
    ['issuerResponseCode', 0, '00'],
    ['issuerResponseCode', '000', '00'],
    ['issuerResponseCode', 5, '05'],
    ['issuerResponseCode', 51, '51'],
    ['issuerResponseCode', '1A', '1A'],
    ['issuerResponseCode', '', ''],
    ['merchantReceipt', '<p>', '<p>'],
    ['surcharge', { amount: 5, applied: true, reason: 'r' }, { amount: 5, applied: true, reason: 'r' }],
    ['surcharge', { amount: '5', applied: true, reason: 'r' }, { amount: 5, applied: true, reason: 'r' }],
    ['surcharge', { amount: 5, applied: 'yes', more: 1 }, { amount: 5, applied: undefined, more: 1 }],
    ['holdAmount', 5, 5],
    ['capturedAmount', 6, 6],
    ['increaseAmount', 7, 7],
  ];
  for (const [field, sent, read] of rows) assert.deepEqual(readingOf(field, sent), read, `${field} ${String(sent)}`);
});

test('reads both spellings of the ids, and takes the one that is filled', () => {
  assert.equal(readTransactionResult({ finStatus: 'X', efttransactionID: 'e' }).transactionID, 'e');
  assert.equal(readTransactionResult({ finStatus: 'X', transactionID: '', efttransactionID: 'e' }).transactionID, 'e');
  assert.equal(readTransactionResult({ finStatus: 'X', transactionID: '' }).transactionID, '');
  for (const name of ['originalEFTTransactionID', 'originalTransactionId', 'originalTransactionID']) {
    assert.equal(readTransactionResult({ ...body, [name]: 'o' }).originalEFTTransactionID, 'o', name);
  }
});

test('finds no id in a GUID of zeros', () => {
  const none = '00000000-0000-0000-0000-000000000000';
  const { transactionID, originalEFTTransactionID, ...more } = readTransactionResult({
    ...body,
    transactionID: none,
    originalEFTTransactionID: none,
  });
  assert.deepEqual([transactionID, originalEFTTransactionID, more.raw.transactionID], [undefined, undefined, none]);
  assert.equal(readTransactionResult({ ...body, transactionID: none, efttransactionID: 'e' }).transactionID, 'e');
  assert.equal(readTransactionResult({ ...body, transactionID: '0a-0' }).transactionID, '0a-0');
});

test('reads a ping that answers by its result alone', () => {
  assert.equal(readTransactionResult({ result: 'PING_PONG' }).finStatus, 'PROCESSED');
});

test('leaves out what is null or has a wrong type, where nobody decides on it', () => {
  const rows: [field: string, sent: unknown][] = [
    ['taxAmount', null],
    ['balance', null],
    ['metadata', null],
    ['customFields', null],
    ['customFields', 'text'],
    ['tipAmount', '1.50'],
    ['tipAmount', 1.5],
    ['efttimestamp', 'yesterday'],
    ['efttimestamp', '20231399000000000'],
    ['statusMessage', { text: 'x' }],
    ['deviceStatus', 'ok'],
    ['multiLanguageErrorMessages', []],
    ['recoveredTransaction', 'yes'],
    ['type', 7],
  ];
  for (const [field, sent] of rows) {
    const result = readTransactionResult({ ...body, [field]: sent });
    assert.equal(Reflect.get(result, field), undefined, `${field} ${String(sent)}`);
    assert.equal(result.finStatus, 'AUTHORISED');
  }
});

test('finds no result where there is no status, or where an amount that decides cannot be read', () => {
  const rows: unknown[] = [
    undefined,
    null,
    [],
    [body],
    'AUTHORISED',
    {},
    { unexpected: true },
    { ...body, finStatus: '' },
    { ...body, finStatus: 7 },
    { ...body, finStatus: null },
    { ...body, dueAmount: '10.00' },
    { ...body, totalAmount: 10.5 },
    { ...body, totalAmount: {} },
    // As long as a card number, which is redacted in the journal and could not be read again.
    { ...body, totalAmount: '4111111111111111' },
    { ...body, totalAmount: 1e12 },
  ];
  for (const row of rows) {
    assert.throws(() => readTransactionResult(row), UnreadableAnswerError, JSON.stringify(row));
  }
});

test('needs no readable amount of what says that nothing, or perhaps nothing, was charged', () => {
  for (const finStatus of ['DECLINED', 'CANCELLED', 'FAILED']) {
    const result = readTransactionResult({ ...body, finStatus, totalAmount: '12,3x' });
    assert.deepEqual([result.finStatus, result.totalAmount], [finStatus, undefined]);
  }
});

test('takes an absent, null or empty amount for not said', () => {
  for (const nothing of [undefined, null, '']) assert.equal(readingOf('dueAmount', nothing), undefined);
});

test('never fails otherwise than by saying that it cannot read', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom(...Object.keys(body), 'customFields'), fc.jsonValue()),
      (any, some) => {
        for (const value of [any, { ...body, ...some }]) {
          try {
            assert.equal(typeof readTransactionResult(value).finStatus, 'string');
          } catch (error) {
            assert.ok(error instanceof UnreadableAnswerError, String(error));
          }
        }
      },
    ),
  );
});

test('says what it missed without repeating what came', () => {
  assert.throws(() => readTransactionResult({ ...body, dueAmount: 'card 4111111111111111' }), {
    message: 'the result cannot be read: dueAmount missing or not as described',
  });
});
