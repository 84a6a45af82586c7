import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  decisiveInteger,
  flag,
  id,
  integer,
  issuerCode,
  number,
  plainReader,
  record,
  secretText,
  text,
  textOrNumber,
  texts,
} from '../../../../src/core/api/schema/answer-fields.js';

const SCHEMAS = {
  text,
  id,
  textOrNumber,
  issuerCode,
  secretText,
  flag,
  number,
  integer,
  decisiveInteger,
  record,
  texts,
};

/** What a response may hold anywhere, as `JSON.parse` makes it: an own property may be named `__proto__`. */
const values = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.dictionary(fc.string(), fc.string()),
  fc.constantFrom(
    '000',
    '0-0',
    '5',
    '4111 1111 1111 1111',
    4111111111111111,
    1e15,
    1.5,
    -0,
    '12',
    '',
    '{"__proto__":"x"}',
  ),
  fc.constantFrom('{"__proto__":"x","a":"b"}', '{"__proto__":{"a":1}}').map((json) => JSON.parse(json)),
);

for (const [name, schema] of Object.entries(SCHEMAS)) {
  test(`${name}: a plain value is read as its schema reads it`, () => {
    const plain = plainReader(schema);
    fc.assert(
      fc.property(values, (value) => {
        const read = plain(value);
        if (read !== undefined) assert.deepEqual(read, schema.safeParse(value).data);
      }),
      { numRuns: 500 },
    );
  });
}

test('a plain record is a copy: what reads the response may change it', () => {
  const value = { a: 1 };
  assert.notEqual(plainReader(record)(value), value);
});
