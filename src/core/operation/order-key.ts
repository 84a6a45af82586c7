import { createHash } from 'node:crypto';
import { IdempotencyKeyError } from '../base/errors.js';
import { redactText } from '../base/privacy/redact.js';

/**
 * The flow's own name for an order (idempotency key): whoever asks for the order again under it gets what became of the
 * first, and charges nothing.
 */
export interface OrderKey {
  /** SHA-256 of the key's UTF-8 bytes, hexadecimal. Keys are compared by it. */
  hash: string;
  /** For people and screens: a card number in it is redacted. */
  text: string;
  /** A result that is certainly "not done" is repeated too, instead of another attempt. */
  repeatUnsuccessful?: true;
}

const LONGEST = 255;
const DECIMAL = /^-?\d+(\.\d+)?$/;

/**
 * The key of an order; undefined for undefined, null and the empty string.
 * @param value text of 1 to 255 characters, or a number, which stands for its decimal text
 * @param source named in the error
 * @throws IdempotencyKeyError
 */
export function orderKey(value: unknown, source: string, repeatUnsuccessful = false): OrderKey | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const text = keyText(value);
  if (text === undefined) throw new IdempotencyKeyError(source, value);
  return {
    hash: createHash('sha256').update(text, 'utf8').digest('hex'),
    text: redactText(text),
    ...(repeatUnsuccessful ? { repeatUnsuccessful } : {}),
  };
}

/** A number that a float cannot hold exactly, or half of a surrogate pair, would make one key of two. */
function keyText(value: unknown): string | undefined {
  if (typeof value === 'number') {
    const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
    return isExact && DECIMAL.test(String(value)) ? String(value) : undefined;
  }
  if (typeof value !== 'string' || value.length === 0 || /\p{Surrogate}/u.test(value)) return undefined;
  return [...value].length > LONGEST ? undefined : value;
}
