import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IdempotencyKeyError } from '../../../src/core/base/errors.js';
import { orderKey } from '../../../src/core/operation/order-key.js';

test('nothing, null and an empty text are no key', () => {
  for (const value of [undefined, null, '']) assert.equal(orderKey(value, 'key'), undefined);
});

test('a number is its decimal text', () => {
  for (const [number, text] of [
    [4711, '4711'],
    [0, '0'],
    [-1.5, '-1.5'],
  ] as const) {
    assert.deepEqual(orderKey(number, 'key'), orderKey(text, 'key'));
  }
});

test('keys are compared by every character: case, blanks and accents count', () => {
  const hashes = ['order', 'Order', 'order ', 'órder', 'o\u0301rder'].map((text) => orderKey(text, 'key')?.hash);
  assert.equal(new Set(hashes).size, hashes.length);
  assert.equal(orderKey('ü', 'key')?.hash, '607474ca475a9724d7360aba71a56d5df77e61350e3f724cfa1f46e857e2d85f');
});

test('what would make one key of two orders is refused, and so is what is no text', () => {
  const values = ['x'.repeat(256), '\ud83d', 2 ** 53, 1e-7, Number.NaN, Number.POSITIVE_INFINITY, true, {}, []];
  for (const value of values) {
    assert.throws(
      () => orderKey(value, 'msg.payload.idempotencyKey'),
      (error) => error instanceof IdempotencyKeyError && error.code === 'INVALID_IDEMPOTENCY_KEY',
      String(value),
    );
  }
  assert.notEqual(orderKey('\u{1f4b3}'.repeat(255), 'key'), undefined, '255 characters, whatever their bytes');
});

test('a card number in a key is kept as its hash alone', () => {
  const key = orderKey('order 4111111111111111', 'key');
  assert.equal(key?.text, 'order [card ending 1111]');
  assert.notEqual(key?.hash, orderKey('order 4012888888881881', 'key')?.hash);
});
