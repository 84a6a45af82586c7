import { InputError } from '../../core/errors.js';
import { parseAmount, toMajorString } from '../../core/money.js';
import type { Readings } from './read.js';
import { reading, textOf } from './values.js';

/** What operations about an earlier payment share. */

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export interface Money {
  minor: bigint;
  currency: string;
  /** Where the amount came from. */
  source: string;
}

/**
 * The amount of a message: a value with its unit and currency, or the `amount` of an earlier result, whose total it is.
 * Undefined where there is none.
 * @throws InputError
 */
export function moneyIn(values: Readings, standard: string, field = 'amount'): Money | undefined {
  const { value, source } = reading(values, field);
  if (value === undefined) return undefined;
  if (isReport(value)) return { ...worth(value.total, value.currency, 'major', `${source}.total`), source };
  const currency = textOf(reading(values, 'currency')) ?? standard;
  if (currency === '') {
    throw new InputError(reading(values, 'currency').source, 'an ISO 4217 currency code such as EUR', undefined);
  }
  return worth(value, currency, reading(values, 'unit').value === 'minor' ? 'minor' : 'major', source);
}

/** As {@link moneyIn}, where there has to be one. */
export function requiredMoney(values: Readings, standard: string, field = 'amount'): Money {
  const money = moneyIn(values, standard, field);
  if (money === undefined) throw new InputError(reading(values, field).source, 'a decimal such as 12.50', undefined);
  return money;
}

/** The decimal string that the back office wants. */
export function major({ minor, currency }: Money): string {
  return toMajorString(minor, currency);
}

/** The id of the original. @throws InputError */
export function requiredOriginal(values: Readings): string {
  const asked = reading(values, 'original');
  const id = textOf(asked);
  if (id === undefined) throw new InputError(asked.source, 'the transactionId of an earlier payment', undefined);
  return id;
}

/** The reference of the original's chain, for the status service; what is none is left to the journal to find. */
export function referenceOf(values: Readings): { originalReference?: string } {
  const reference = textOf(reading(values, 'originalReference'));
  return reference !== undefined && UUID_V4.test(reference) ? { originalReference: reference } : {};
}

function worth(value: unknown, currency: string, unit: 'major' | 'minor', source: string): Money {
  return { minor: parseAmount(value, currency, unit, source), currency, source };
}

function isReport(value: unknown): value is { total: string; currency: string } {
  return typeof value === 'object' && value !== null && 'total' in value && 'currency' in value;
}

/** One of a form's words. */
export function wordOf(values: Readings, name: string): string {
  return String(reading(values, name).value);
}
