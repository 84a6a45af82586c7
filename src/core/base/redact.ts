/**
 * Keeps secrets and card data out of everything that is written down: errors, logs, the journal, the request log.
 * A digit run is taken for a card number when it has a card number's length, first digits and check digit. One inside
 * a longer word (a UUID, a result id) is left alone: breaking an identifier would lose a payment.
 */

const CARD_NUMBER =
  /(?<![\w*-])(?:3\d|4\d|5\d|6\d|2[2-7]|81)(?:\d{11,17}|\d{2}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{2}([ -])\d{6}\2\d{4,5})(?![\w*-])/g;
/** 17 to 19 digits in groups of four. First and apart, so that a number that follows a card does not hide the card. */
const LONG_CARD_NUMBER = /(?<![\w*-])[3-6]\d{3}([ -])\d{4}\1\d{4}\1\d{4}\1\d{1,3}(?![\w*-])/g;
const SHORTEST_CARD_NUMBER = 13;
/** What stands where a secret stood. */
export const REDACTED = '[redacted]';

/** Field names whose values are never written down, in any letter case. */
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

/** Field names whose values are long or personal: kept in a message, left out of what is written down. */
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

/** A deep copy without secrets, card numbers, receipt bodies and signatures; a receipt's URL stays. For the journal and logs. */
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

/** A result as it came, for those who did not ask for the card's number. */
export function withoutCardNumber(body: Record<string, unknown>): Record<string, unknown> {
  return body.unMaskedPan ? { ...body, unMaskedPan: REDACTED } : body;
}
