import { exponentOf } from './currencies.js';
import { InputError } from './errors.js';

/**
 * Exact amounts. Inside, an amount is a bigint of minor units; on the wire it has one of three forms: minor-unit digits
 * (`POST /transactions`), a major-unit decimal string (back office), a major-unit JSON number (tip adjustment).
 */

/** The service takes amounts below this, in minor units. */
export const AMOUNT_LIMIT = 999_999_999_999n;

/**
 * Reads an amount that a person or a flow gave: a decimal string, or a number that prints as one.
 * @param unit what the value counts: `12.50` in major, `1250` in minor units of EUR
 * @param field where the value came from, for the error
 * @returns minor units, 0 to 999999999998
 * @throws InputError for anything else; more decimals than the currency has are never rounded away
 */
export function parseAmount(value: unknown, currency: string, unit: 'major' | 'minor', field: string): bigint {
  const exponent = decimalsOf(currency);
  const decimals = unit === 'major' ? exponent : 0;
  const text = textOf(value);
  const minor = parseDecimal(text, decimals);
  if (minor === undefined) {
    throw new InputError(field, shapeOf(currency, unit, decimals) + ruleBrokenBy(text, currency, unit), value);
  }
  if (minor >= AMOUNT_LIMIT) {
    throw new InputError(field, `an amount below ${AMOUNT_LIMIT} minor units`, value);
  }
  return minor;
}

/** The form of `POST /transactions`: `1250`. */
export function toMinorDigits(minor: bigint): string {
  return minor.toString();
}

/** The form of the back office: `1250` minor units of EUR are `12.50`, of JPY `1250`, of KWD `1.250`. */
export function toMajorString(minor: bigint | number, currency: string): string {
  const decimals = decimalsOf(currency);
  const value = BigInt(minor);
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const sign = value < 0n ? '-' : '';
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/**
 * The form of tip adjustment: a number whose JSON text is exactly the amount.
 * @throws InputError where no number prints as the amount does
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
 * Reads a major-unit decimal of an answer: `12.5`, `12.50` and `12.500` EUR are all `1250n`.
 * @throws InputError for what is no decimal, or is finer than the currency
 */
export function fromMajorString(text: string, currency: string): bigint {
  const decimals = decimalsOf(currency);
  const minor = saidAmount(text, currency);
  if (minor === undefined) throw new InputError('amount', shapeOf(currency, 'major', decimals), text);
  return minor;
}

/** As {@link fromMajorString}, of an answer that may say anything: undefined for what is no amount of that currency. */
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

/** A number counts as the text it prints; what prints with an exponent, or not exactly, is no amount. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : '';
}

function parseDecimal(text: string, decimals: number): bigint | undefined {
  const match = /^(\d{1,12})(?:\.(\d+))?$/.exec(text);
  if (match === null) return undefined;
  const [, whole = '', fraction = ''] = match;
  return fraction.length > decimals ? undefined : BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** What the shape alone does not say to the author of what looks like it. */
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
