import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  callbackAddress,
  callbackSecret,
  callbackToken,
  verifyCallbackToken,
} from '../../../src/core/base/callback.js';

const ATTEMPT = '3f2b6c1e-7a4d-4e5f-9b8a-0c1d2e3f4a5b';
const OTHER = '3f2b6c1e-7a4d-4e5f-9b8a-0c1d2e3f4a5c';
const SECRET = callbackSecret('a-key');

describe('a callback address', () => {
  it('is the attempt below the base, with one slash however the base ends', () => {
    for (const base of ['https://shop.example/pay', 'https://shop.example/pay/', 'https://shop.example/pay//']) {
      assert.equal(callbackAddress(base, ATTEMPT), `https://shop.example/pay/${ATTEMPT}`);
    }
  });
});

describe('a callback token', () => {
  it('is HMAC-SHA-256 of the attempt, base64url', () => {
    const known = '3mziDs62waLvKMZilVkq_zu_4Y_YV-EObdHdckOpXIU';
    assert.equal(callbackToken('secret', ATTEMPT), known);
  });

  it('verifies for its attempt and its secret alone', () => {
    const token = callbackToken(SECRET, ATTEMPT);
    assert.equal(verifyCallbackToken(SECRET, ATTEMPT, token), true);
    assert.equal(verifyCallbackToken(SECRET, OTHER, token), false);
    assert.equal(verifyCallbackToken(callbackSecret('another-key'), ATTEMPT, token), false);
  });

  it('is the same whether or not it was made before, and each time it comes', () => {
    const token = callbackToken(SECRET, ATTEMPT);
    callbackToken('another secret', ATTEMPT);
    for (let time = 0; time < 3; time++) assert.equal(verifyCallbackToken(SECRET, ATTEMPT, token), true);
    for (let attempt = 0; attempt < 2_000; attempt++) callbackToken(SECRET, randomUUID());
    assert.equal(verifyCallbackToken(SECRET, ATTEMPT, token), true);
    assert.equal(verifyCallbackToken(SECRET, ATTEMPT, callbackToken('another secret', ATTEMPT)), false);
  });

  it('refuses, and never throws at, what a stranger sends', () => {
    const token = callbackToken(SECRET, ATTEMPT);
    const forged = [
      undefined,
      '',
      'x',
      token.slice(1),
      `${token}=`,
      `${token} `,
      token.toUpperCase(),
      'é'.repeat(43),
      '\0',
    ];
    for (const given of forged) assert.equal(verifyCallbackToken(SECRET, ATTEMPT, given), false, String(given));
  });

  it('refuses an attempt id that is no UUID v4, even with its true token', () => {
    const ids = [
      '',
      '__proto__',
      '../x',
      ATTEMPT.slice(1),
      `${ATTEMPT}\n`,
      ATTEMPT.replace('-4e', '-1e'),
      ATTEMPT.replace('-9b', '-cb'),
    ];
    for (const id of ids) assert.equal(verifyCallbackToken(SECRET, id, callbackToken(SECRET, id)), false, id);
  });

  it('verifies nothing with an empty secret, which anybody could guess', () => {
    assert.equal(verifyCallbackToken('', ATTEMPT, callbackToken('', ATTEMPT)), false);
  });
});

describe('the default secret', () => {
  it('is the same for the same key, another for another, and does not show the key', () => {
    assert.equal(callbackSecret('a-key'), SECRET);
    assert.notEqual(callbackSecret('b-key'), SECRET);
    assert.match(SECRET, /^[\w-]{43}$/);
    assert.ok(!SECRET.includes('a-key'));
  });
});
