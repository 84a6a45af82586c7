import { createHmac, timingSafeEqual } from 'node:crypto';
import { UUID_V4 } from './uuid.js';

/**
 * The address and token of a callback (spec: Events; Authentication, 5). Each attempt has its own address and token.
 * The token is derived from the attempt's id, so a forged callback is recognised without a lookup and no token is
 * stored.
 */

/** Separates the derived secret from any other value derived from the same key. */
const SECRET_LABEL = 'cloud-terminal callback secret 1';

/** The address for the result of one attempt: `<base>/<attemptId>`. */
export function callbackAddress(baseUrl: string, attemptId: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/${attemptId}`;
}

/**
 * The request's `token`, which the callback repeats in its `auth-token` header: HMAC-SHA-256 of the attempt's id,
 * base64url.
 */
export function callbackToken(secret: string, attemptId: string): string {
  const token = hmac(secret, attemptId);
  if (latest.size >= MOST_LATEST) latest.clear();
  latest.set(attemptId, { secret, token });
  return token;
}

/** The latest tokens that were sent, by attempt. What is forged adds none. */
const latest = new Map<string, { secret: string; token: string }>();
const MOST_LATEST = 1_000;

/** The same token, and mostly without making it anew. */
function expectedToken(secret: string, attemptId: string): string {
  const known = latest.get(attemptId);
  return known?.secret === secret ? known.token : hmac(secret, attemptId);
}

/**
 * True only for the token of exactly this attempt. Its input is untrusted, so it never throws and compares in
 * constant time. False for an attempt id that is not a v4 UUID, and for an empty secret.
 */
export function verifyCallbackToken(secret: string, attemptId: string, token: string | undefined): boolean {
  if (secret === '' || token === undefined || !UUID_V4.test(attemptId)) return false;
  const expected = Buffer.from(expectedToken(secret, attemptId));
  const given = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The same for any secret that an attempt on its way may have its token from. */
export function isCallbackToken(
  { secret, earlierSecrets = [] }: Pick<CallbackSettings, 'secret' | 'earlierSecrets'>,
  attemptId: string,
  token: string | undefined,
): boolean {
  return [secret, ...earlierSecrets].some((one) => verifyCallbackToken(one, attemptId, token));
}

/**
 * The secret of an environment without one of its own. Replicas with the same API key derive the same one, and
 * nothing is stored.
 */
export function callbackSecret(apiKey: string): string {
  return hmac(apiKey, SECRET_LABEL);
}

function hmac(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** The public base address of callbacks; each attempt has its own path below it. */
export interface CallbackSettings {
  /** https, or http on loopback. */
  address: string;
  /** The tokens of new attempts are derived from it. */
  secret: string;
  /** Secrets that attempts on their way may have their tokens from. */
  earlierSecrets?: readonly string[];
}

/**
 * The secret of an environment: its own, else that of its first key. Tokens from either key's stay valid, so that neither a
 * new key nor a new secret costs a callback.
 */
export function callbackSecrets(
  own: string,
  apiKeys: readonly string[],
): Pick<CallbackSettings, 'secret' | 'earlierSecrets'> {
  const [secret = '', ...earlierSecrets] = [...(own === '' ? [] : [own]), ...apiKeys.map(callbackSecret)];
  return { secret, earlierSecrets };
}
