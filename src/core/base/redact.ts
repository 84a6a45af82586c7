/**
 * Keeps secrets and card data out of errors, logs, the journal and the request log. A run of digits counts as a card
 * number if its length, first digits and check digit fit. Runs inside a longer word (a UUID, a result id) are left
 * alone: changing an identifier would lose a payment.
 */

const CARD_NUMBER =
  /(?<![\w*-])(?:3\d|4\d|5\d|6\d|2[2-7]|81)(?:\d{11,17}|\d{2}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{2}([ -])\d{6}\2\d{4,5})(?![\w*-])/g;
/** 17 to 19 digits in groups of four. Replaced first, so that a number after the card does not hide it. */
const LONG_CARD_NUMBER = /(?<![\w*-])[3-6]\d{3}([ -])\d{4}\1\d{4}\1\d{4}\1\d{1,3}(?![\w*-])/g;
const SHORTEST_CARD_NUMBER = 13;
/** Replaces a secret. */
export const REDACTED = '[redacted]';

/** Fields whose values are never stored or logged, in any letter case. */
const SECRET_FIELDS = new Set([
  'apikey',
  'apikeycloud',
  'auth-token',
  'authorization',
  'cardtoken',
  'cookie',
  'ssk',
  'token',
  'unmaskedpan',
]);

/** Fields with long or personal values: kept in messages, redacted in the journal and logs. */
const BULKY_FIELDS = new Set(['customerreceipt', 'merchantreceipt', 'receipt', 'signatureurl']);

/** Replaces every card number in a text by its last four digits. */
export function redactText(text: string): string {
  if (text.length < SHORTEST_CARD_NUMBER) return text;
  return text.replace(LONG_CARD_NUMBER, redactRun).replace(CARD_NUMBER, redactRun);
}

function redactRun(run: string): string {
  const digits = run.replace(/\D/g, '');
  return passesLuhn(digits) ? `[card ending ${digits.slice(-4)}]` : run;
}

/**
 * A deep copy for the journal and logs, without secrets, card numbers, receipt bodies and signatures. Receipt URLs
 * are kept.
 */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number') return redactNumber(value);
  if (Array.isArray(value)) return value.map(redact);
  if (value === null || typeof value !== 'object') return value;
  const copy: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) copy[name] = redactField(name.toLowerCase(), field);
  return copy;
}

function redactNumber(value: number): number | string {
  if (Number.isInteger(value) && Math.abs(value) < 10 ** (SHORTEST_CARD_NUMBER - 1)) return value;
  const text = redactText(String(value));
  return text === String(value) ? value : text;
}

function redactField(name: string, field: unknown): unknown {
  if (field === '' || field === null || field === undefined) return field;
  if (SECRET_FIELDS.has(name)) return REDACTED;
  if (BULKY_FIELDS.has(name)) return typeof field === 'string' && /^https?:/.test(field) ? field : REDACTED;
  return redact(field);
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The result as received, but with the whole card number redacted. */
export function withoutCardNumber(body: Record<string, unknown>): Record<string, unknown> {
  return body.unMaskedPan ? { ...body, unMaskedPan: REDACTED } : body;
}
