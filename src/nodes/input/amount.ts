import { exponentOf } from '../../core/base/currencies.js';
import { InputError } from '../../core/base/errors.js';
import { parseAmount, toMajorString } from '../../core/base/money.js';
import { isObject } from '../../core/base/objects.js';
import { amountExpected } from './amount-expected.js';
import { reading, textOf } from './field-values.js';
import type { Readings } from './reading.js';

export interface Money {
  minor: bigint;
  currency: string;
  /** Where the amount came from. */
  source: string;
}

/** The `amount` of an earlier result. */
export interface Report {
  total: string;
  currency: string;
  minor: { total?: unknown };
}

interface Options {
  /** The field that holds the amount. */
  field?: string;
  /** The only currency that is allowed. */
  only?: string;
}

/**
 * The amount of a message: a value with its unit and currency, or the total of an earlier result's `amount`. Undefined
 * where there is none.
 * @param standard the currency where neither the message nor the node names one
 * @throws InputError
 */
export function moneyIn(
  values: Readings,
  standard: string,
  { field = 'amount', only }: Options = {},
): Money | undefined {
  const { value, source } = reading(values, field);
  if (value === undefined) return undefined;
  if (isReport(value)) return reportedMoney(values, value, source, only);
  const named = namedCurrency(values, only);
  const currency = named.currency ?? only ?? standard;
  if (currency === '') {
    const expected = 'an ISO 4217 currency code such as EUR, or a default currency in the environment';
    throw new InputError(named.source, expected, undefined);
  }
  return parsed(value, currency, reading(values, 'unit').value === 'minor' ? 'minor' : 'major', source);
}

/**
 * The currency that the message or the node names, if any.
 * @throws InputError where it is another than that of the original
 */
export function namedCurrency(values: Readings, only?: string): { currency?: string; source: string } {
  const named = reading(values, 'currency');
  const text = textOf(named);
  const currency = text === undefined ? undefined : codeOf(text);
  checkCurrency(currency, only, named.source);
  return { currency, source: named.source };
}

function reportedMoney(values: Readings, { total, ...report }: Report, source: string, only?: string): Money {
  const currency = codeOf(report.currency);
  checkCurrency(currency, only, `${source}.currency`);
  const money = parsed(total, currency, 'major', `${source}.total`, source);
  checkMinor(report.minor.total, money, total);
  const named = namedCurrency(values, only);
  checkCurrency(named.currency, currency, named.source, source);
  return money;
}

/** A result says its total twice. Where they differ somebody changed one of them, and nobody can say which is meant. */
function checkMinor(said: unknown, { minor, currency, source }: Money, total: string): void {
  if (said === undefined) return;
  const isInteger = typeof said === 'number' || typeof said === 'bigint' || typeof said === 'string';
  if (isInteger && String(said) === String(minor)) return;
  throw new InputError(`${source}.minor.total`, `${minor}, which is the ${currency} ${total} of ${source}.total`, said);
}

/** People write `eur` too. What is no code stays as it is, for the error that follows. */
function codeOf(currency: string): string {
  const code = String(currency).toUpperCase();
  return exponentOf(code) === undefined ? currency : code;
}

/** Reads an amount as {@link moneyIn} does, and requires one. */
export function requiredMoney(values: Readings, standard: string): Money {
  return moneyIn(values, standard) ?? missing(values);
}

/** @throws InputError saying that there is no amount */
export function missing(values: Readings, field = 'amount'): never {
  throw new InputError(reading(values, field).source, amountExpected(values.unit?.value), undefined);
}

/** The decimal string that the back office takes. */
export function major({ minor, currency }: Money): string {
  return toMajorString(minor, currency);
}

/** An object that a flow made of a total and a currency may mean minor units: only a result carries both. */
export function isReport(value: unknown): value is Report {
  return isObject(value) && 'total' in value && 'currency' in value && isObject(value.minor);
}

function parsed(value: unknown, currency: string, unit: 'major' | 'minor', from: string, source = from): Money {
  return { minor: parseAmount(value, currency, unit, from), currency, source };
}

/** Not every request carries the currency: the service would read an amount in another one as one in the original's. */
function checkCurrency(named: string | undefined, only: string | undefined, source: string, of = 'the original'): void {
  if (named !== undefined && only !== undefined && named !== only) {
    throw new InputError(source, `the currency of ${of}, ${only}`, named);
  }
}
