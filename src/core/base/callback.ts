import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * A callback's address and token (spec: Events; Authentication, 5). Every attempt has its own address and its own
 * token, and the token is derived from the attempt's id: a forged call is recognised without a look-up, and nothing
 * about tokens is ever stored. The simulator, the engine and callback-in all use this module.
 */

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Keeps the derived secret apart from anything else that may ever be derived from the same key. */
const SECRET_LABEL = 'cloud-terminal callback secret 1';

/** Where the result of one attempt is posted: `<base>/<attemptId>`. */
export function callbackAddress(baseUrl: string, attemptId: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/${attemptId}`;
}

/** The request's `token`, which comes back as the header `auth-token`: HMAC-SHA-256 of the attempt's id, base64url. */
export function callbackToken(secret: string, attemptId: string): string {
  return hmac(secret, attemptId).toString('base64url');
}

/**
 * True only for the token of exactly this attempt. Takes what a stranger sent: never throws, and compares in constant
 * time. An attempt id that is no UUID v4, and an empty secret, verify nothing.
 */
export function verifyCallbackToken(secret: string, attemptId: string, token: string | undefined): boolean {
  if (secret === '' || token === undefined || !UUID_V4.test(attemptId)) return false;
  const expected = Buffer.from(callbackToken(secret, attemptId));
  const given = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The secret of an environment that has none of its own. Replicas with the same API key agree, and nothing is stored. */
export function callbackSecret(apiKey: string): string {
  return hmac(apiKey, SECRET_LABEL).toString('base64url');
}

function hmac(key: string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Where results are to be called back to: the public address below which each attempt has its own path. */
export interface CallbackSettings {
  /** https, or http on loopback. */
  address: string;
  secret: string;
}
