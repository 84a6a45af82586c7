import { exponentOf } from './currencies.js';
import { InputError } from './errors.js';

/**
 * Exact amounts: a bigint of minor units in the client, and one of three forms in requests: minor-unit digits (`POST
 * /transactions`), a major-unit decimal string (back office), or a major-unit JSON number (tip adjustment).
 */

/** The service accepts amounts below this, in minor units. */
export const AMOUNT_LIMIT = 999_999_999_999n;

/**
 * Parses an amount from a person or a flow: a decimal string, or a number that prints as one.
 * @param unit unit of the value: `12.50` in major, `1250` in minor units of EUR
 * @param field source of the value, for the error
 * @returns minor units, 0 to 999999999998
 * @throws InputError for anything else; excess decimals are never rounded
 */
export function parseAmount(value: unknown, currency: string, unit: 'major' | 'minor', field: string): bigint {
  const exponent = decimalsOf(currency);
  const decimals = unit === 'major' ? exponent : 0;
  const text = textOf(value);
  const minor = parseDecimal(text, decimals);
  if (isTooLarge(text) || (minor !== undefined && minor >= AMOUNT_LIMIT)) {
    const limit =
      unit === 'major' ? `${toMajorString(AMOUNT_LIMIT, currency)} ${currency}` : `${AMOUNT_LIMIT} minor units`;
    throw new InputError(field, `an amount below ${limit}`, value);
  }
  if (minor === undefined) {
    throw new InputError(field, shapeOf(currency, unit, decimals) + ruleBrokenBy(text, currency, unit), value);
  }
  return minor;
}

/** Formats an amount for `POST /transactions`: `1250`. */
export function toMinorDigits(minor: bigint): string {
  return minor.toString();
}

/** Formats an amount for the back office: `1250` minor units are `12.50` EUR, `1250` JPY or `1.250` KWD. */
export function toMajorString(minor: bigint | number, currency: string): string {
  const decimals = decimalsOf(currency);
  const value = BigInt(minor);
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const sign = value < 0n ? '-' : '';
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/**
 * Formats an amount for tip adjustment: a number whose JSON text is exactly the amount.
 * @throws InputError if no number prints as the amount
 */
export function toMajorNumber(minor: bigint, currency: string): number {
  const text = toMajorString(minor, currency);
  const number = Number(text);
  if (parseDecimal(textOf(number), decimalsOf(currency)) !== minor) {
    throw new InputError('amount', 'an amount that a JSON number can hold exactly', text);
  }
  return number;
}

/**
 * Parses a major-unit decimal of a response: `12.5`, `12.50` and `12.500` EUR are all `1250n`.
 * @throws InputError if it is not a decimal or has too many decimals for the currency
 */
export function fromMajorString(text: string, currency: string): bigint {
  const decimals = decimalsOf(currency);
  const minor = saidAmount(text, currency);
  if (minor === undefined) throw new InputError('amount', shapeOf(currency, 'major', decimals), text);
  return minor;
}

/** Like {@link fromMajorString}, for untrusted text: undefined if it is not an amount of that currency. */
export function saidAmount(text: string | undefined, currency: string | undefined): bigint | undefined {
  const decimals = exponentOf(currency ?? '');
  if (text === undefined || decimals === undefined) return undefined;
  const sign = text.startsWith('-') ? -1n : 1n;
  const unsigned = text.replace(/^-/, '');
  const minor = parseDecimal(unsigned.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''), decimals);
  return minor === undefined ? undefined : sign * minor;
}

function decimalsOf(currency: string): number {
  const exponent = exponentOf(currency);
  if (exponent === undefined) throw new InputError('currency', 'an ISO 4217 currency code such as EUR', currency);
  return exponent;
}

/** A number is read as the text it prints; one that prints inexactly or with an exponent is not an amount. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : '';
}

/** An amount of more digits than any that the service accepts. */
function isTooLarge(text: string): boolean {
  return /^\d{13,}(\.\d+)?$/.test(text);
}

function parseDecimal(text: string, decimals: number): bigint | undefined {
  const match = /^(\d{1,12})(?:\.(\d+))?$/.exec(text);
  if (match === null) return undefined;
  const [, whole = '', fraction = ''] = match;
  return fraction.length > decimals ? undefined : BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** Names the broken rule for values that look like an amount. */
function ruleBrokenBy(text: string, currency: string, unit: 'major' | 'minor'): string {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return '';
  if (text.startsWith('-')) return ', not negative';
  const decimals = decimalsOf(currency);
  const isTooFine = unit === 'major' && decimals > 0 && text.includes('.');
  return isTooFine ? `, with at most ${decimals} decimals for ${currency}` : '';
}

function shapeOf(currency: string, unit: 'major' | 'minor', decimals: number): string {
  if (unit === 'minor') return 'a whole number of minor units such as 1250';
  if (decimals === 0) return `a whole amount of ${currency} such as 1250`;
  return `a decimal such as 12.${'5'.padEnd(decimals, '0')}`;
}
