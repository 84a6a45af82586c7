import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Endpoint, isBadKey, refusalFrom } from '../../../../src/core/api/transport/error-answer.js';
import type { RefusedError } from '../../../../src/core/base/errors.js';

function refusal(status: number, body: unknown, endpoint: Endpoint): RefusedError | undefined {
  return refusalFrom(status, typeof body === 'string' ? body : JSON.stringify(body), endpoint);
}

const flat = (statusCode: number, more: object): object => ({ error: { statusCode, name: 'SomeError', ...more } });

test('reads a terminal error in each of its shapes', () => {
  const inner = { error: 1001, message: 'Device busy' };
  const shapes: [shape: string, status: number, body: unknown, code: string][] = [
    ['flat', 400, inner, '1001'],
    ['flat, the number as text', 400, { error: '1002', message: 'offline' }, '1002'],
    ['nested', 400, flat(400, { message: inner }), '1001'],
    ['JSON inside the message', 400, flat(400, { message: JSON.stringify(inner) }), '1001'],
    ['a number with a 500', 500, inner, '1001'],
    ['a number with a 409', 409, flat(409, { message: inner }), '1001'],
    ['a number of its own with a 404', 404, { error: 1004, message: 'not assigned' }, '1004'],
  ];
  for (const [shape, status, body, code] of shapes) {
    assert.equal(refusal(status, body, 'terminal')?.serviceCode, code, shape);
  }
  assert.equal(refusal(400, flat(400, { message: JSON.stringify(inner) }), 'terminal')?.message, 'Device busy');
});

test('believes a terminal operation refused only as the service describes it', () => {
  const open: [why: string, status: number, body: unknown][] = [
    ['a 400 that is no JSON', 400, '<html>Bad Request</html>'],
    ['a 400 that names no error', 400, { message: 'something went wrong' }],
    ['a 403 of a proxy', 403, '<html>Forbidden</html>'],
    ['a 422 that is no JSON', 422, ''],
    ['busy by status alone', 409, flat(409, { message: 'Terminal is busy' })],
    ['not connected by status alone', 404, flat(404, { message: 'Terminal is not connected' })],
    ['a 404 of something in between', 404, '<html>Not Found</html>'],
    ['a 401', 401, flat(401, { message: 'who are you' })],
    ['a 408', 408, ''],
    ['a 500', 500, { error: 'Internal' }],
    ['a 502', 502, ''],
    ['a 503 with a code', 503, flat(503, { code: '3051', message: 'x' })],
    ['a redirect', 302, ''],
  ];
  for (const [why, status, body] of open) assert.equal(refusal(status, body, 'terminal'), undefined, why);
});

test('takes a 429 for a refusal whatever the body, and a 403 or 422 where nothing can have begun', () => {
  for (const endpoint of ['terminal', 'back-office', 'read'] as const) {
    assert.equal(refusal(429, 'not JSON', endpoint)?.status, 429, endpoint);
  }
  for (const status of [403, 422]) assert.equal(refusal(status, 'not JSON', 'read')?.status, status);
});

test('takes 400, 403 and 422 for refusals where their body names an error', () => {
  for (const endpoint of ['terminal', 'back-office'] as const) {
    for (const status of [400, 403, 422]) {
      for (const body of [{ error: 1999 }, flat(status, { code: '5252', message: 'token' })]) {
        assert.equal(refusal(status, body, endpoint)?.status, status, `${status} ${JSON.stringify(body)}`);
      }
    }
  }
});

test('takes no refusal for the service’s whose error is a word: it may be of something in between, after the request went on', () => {
  for (const endpoint of ['terminal', 'back-office'] as const) {
    for (const status of [400, 403, 422]) assert.equal(refusal(status, { error: 'Forbidden' }, endpoint), undefined);
  }
});

test('says once what the message and its details both say', () => {
  const message = 'No message found to reverse';
  const details = { errorCode: '3153', description: message };
  assert.equal(refusal(400, flat(400, { code: '3153', message, details }), 'back-office')?.message, message);
});

test('names the fields that a validation error names', () => {
  const error = refusal(
    422,
    flat(422, {
      code: 'VALIDATION_FAILED',
      message: 'The request body is invalid.',
      details: [
        { path: '/amount', code: 'pattern', message: 'should match pattern', info: {} },
        { path: '', code: 'required', message: "should have required property 'currency'", info: {} },
      ],
    }),
    'terminal',
  );
  assert.equal(error?.serviceCode, 'VALIDATION_FAILED');
  assert.match(error?.message ?? '', /\/amount should match pattern; should have required property 'currency'/);
});

test('reads a back-office refusal, flat and nested', () => {
  const already = refusal(400, flat(400, { code: '3051', message: 'already reversed' }), 'back-office');
  assert.equal(already?.serviceCode, '3051');
  assert.equal(already?.serviceName, 'SomeError');
  assert.equal(already?.message, 'already reversed');

  const inDetails = flat(400, {
    message: 'm',
    details: { errorCode: '3215', httpStatus: 403, reason: 'above the hold' },
  });
  assert.equal(refusal(400, inDetails, 'back-office')?.serviceCode, '3215');
  assert.equal(refusal(400, inDetails, 'back-office')?.message, 'm: above the hold');

  const inner = { errorCode: '3112', reason: 'not eligible', httpStatus: '400', errorGuid: 'g' };
  const nested = refusal(400, flat(400, { message: 'generic', details: { body: { error: inner } } }), 'back-office');
  assert.equal(nested?.serviceCode, '3112');
  assert.equal(nested?.message, 'not eligible');

  assert.equal(refusal(404, flat(404, { code: 3156, message: 'none' }), 'back-office')?.serviceCode, '3156');
  assert.equal(refusal(400, flat(400, { code: '5001', message: 'null' }), 'back-office')?.serviceCode, '5001');
});

test('leaves a back-office outcome open after a 5xx or a body that is no error', () => {
  assert.equal(refusal(500, flat(500, { code: '3051', message: 'x' }), 'back-office'), undefined);
  assert.equal(refusal(400, '', 'back-office'), undefined);
  assert.equal(refusal(404, '<html>', 'back-office'), undefined);
  assert.equal(refusal(404, '[]', 'back-office'), undefined);
});

test('does not take a 404 from something in between for "no record"', () => {
  assert.equal(refusal(404, 'no such page', 'read'), undefined);
  assert.equal(refusal(404, flat(404, { message: 'Not found' }), 'read')?.status, 404);
});

test('tells a bad key from a refusal that happens to be a 403', () => {
  const badKey = refusal(403, flat(403, { message: 'No valid API key in header' }), 'back-office');
  const business = refusal(403, flat(403, { code: '3212', message: 'zero or below' }), 'back-office');
  assert.ok(badKey !== undefined && business !== undefined);
  assert.equal(isBadKey(badKey), true);
  assert.equal(isBadKey(business), false);
});

test('keeps a card number that the service repeats out of the message', () => {
  const error = refusal(400, { error: 1003, message: 'card 4111111111111111 refused' }, 'terminal');
  assert.doesNotMatch(error?.message ?? '', /4111111111111111/);
});
