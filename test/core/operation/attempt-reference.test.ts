import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UUID_V4 } from '../../../src/core/base/uuid.js';
import { attemptReference } from '../../../src/core/operation/attempt-reference.js';

const OPERATION = '11111111-2222-4333-8444-555555555555';

test('the first attempt goes by the id of its operation, and every later one by a UUID v4 of its own', () => {
  const references = Array.from({ length: 200 }, (_, index) => attemptReference(OPERATION, index + 1));
  assert.equal(references[0], OPERATION);
  assert.equal(new Set(references).size, 200);
  for (const reference of references) assert.match(reference, UUID_V4);
});

test('another process finds the same references', () => {
  assert.equal(attemptReference(OPERATION, 2), 'e42de723-b62f-49e6-87d8-2ba84132733d');
});
