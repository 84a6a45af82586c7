import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '../../src/core/base/errors.js';
import { namedBySource } from '../../src/nodes/input/field-source.js';

const values = { amount: { source: 'msg.payload.amount', value: '12,50' } };

test('an error is named after the value that filled the field, and shows that value', () => {
  const error = namedBySource(new InputError('capturedAmount', 'a decimal', 1250n), values) as InputError;
  assert.equal(error.message, 'msg.payload.amount: expected a decimal, got "12,50"');
});

for (const field of ['msg.__proto__', 'constructor', 'merchantAuth[0].toString'])
  test(`${field}, a name that every object has, is the name of no field of the form`, () => {
    const error = new InputError(field, 'a decimal', 1);
    assert.equal(namedBySource(error, values), error);
    assert.match(error.message, /^[^:]+: expected a decimal, got 1$/);
  });
