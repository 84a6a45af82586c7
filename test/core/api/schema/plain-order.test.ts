import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TRANSACTION_OPERATIONS } from '../../../../src/core/api/schema/operation-rules.js';
import { checkTransactionOrder, checkTransactionRequest } from '../../../../src/core/api/schema/transaction-request.js';
import { InputError } from '../../../../src/core/base/errors.js';

const sale = {
  operation: 'sale',
  serial_number: '10000001',
  terminal_type: 'MODELT1',
  amount: '1000',
  currency: 'EUR',
};
const reference = '3f2b8c1e-7a4d-4e6f-9b0a-1c2d3e4f5a6b';

/** What a check says: the fields in their order, or which one is wrong. */
function saidBy(check: (body: unknown) => object, body: unknown): string {
  try {
    return JSON.stringify(check(body));
  } catch (error) {
    assert.ok(error instanceof InputError, String(error));
    return error.message;
  }
}

test('says the same of a plain order, which needs no schema, as of a request', () => {
  const oneOf = (...values: unknown[]): fc.Arbitrary<unknown> => fc.constantFrom(...values);
  const fields = {
    duplicate_check: oneOf(true, false, 'false', null, undefined),
    currency: oneOf('EUR', 'JPY', 'eur', 'XXX', '', 978, undefined),
    customerReference: oneOf('order 7', '', 7, null, undefined),
    terminal_type: oneOf('MODELT1', 'VT', '', 1, undefined),
    amount: oneOf(
      '1',
      '1000',
      '999999999998',
      '999999999999',
      '0',
      '000',
      '-5',
      '1.5',
      '',
      '1234567890123',
      1000,
      undefined,
    ),
    serial_number: oneOf('10000001', '', 1, undefined),
    operation: oneOf(...TRANSACTION_OPERATIONS, 'toString', '', undefined),
    receipt: oneOf('<p>', undefined),
    unheardOf: oneOf(1, undefined),
    originalTransactionId: oneOf(reference, '', undefined),
  };
  const body = fc.oneof(
    fc.record(fields, { requiredKeys: [] }),
    // Nothing is wrong but perhaps one of the others.
    fc
      .record(fields, { requiredKeys: [] })
      .chain((wrong) =>
        fc
          .subarray(Object.keys(wrong), { maxLength: 1 })
          .map((names) =>
            Object.assign(
              { customerReference: 'a', duplicate_check: false },
              sale,
              ...names.map((name) => ({ [name]: Reflect.get(wrong, name) })),
            ),
          ),
      ),
  );
  fc.assert(
    fc.property(body, (given) =>
      assert.equal(saidBy(checkTransactionOrder, given), saidBy(checkTransactionRequest, given)),
    ),
    { numRuns: 3_000 },
  );
});
