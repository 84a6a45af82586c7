import { InputError } from '../../core/base/errors.js';
import { parseAmount, toMinorDigits } from '../../core/base/money.js';
import { withoutAbsent } from '../../core/base/objects.js';
import { REDACTED } from '../../core/base/privacy/redact.js';
import type { Reading, Readings } from './reading.js';

/** Readings of a form, converted for a request. Every error names the source of the value. */

/** @throws InputError */
export function textOf({ value, source }: Reading): string | undefined {
  if (value === undefined) return undefined;
  if (!isText(value)) throw new InputError(source, 'text', value);
  return String(value);
}

/** As {@link textOf}, for a secret: Catch and status do not show what came. @throws InputError */
export function secretOf({ value, source }: Reading): string | undefined {
  if (value !== undefined && !isText(value)) throw new InputError(source, 'text', REDACTED);
  return textOf({ value, source });
}

/** The card token, from wherever the node reads it. */
export function tokenIn({ cardToken }: Readings): string | undefined {
  return isText(cardToken?.value) ? String(cardToken.value) : undefined;
}

function isText(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** @throws InputError */
export function flagOf({ value, source }: Reading): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw new InputError(source, 'true or false', value);
}

/** A list of whole numbers: an array, or text such as `10, 15, 20`. @throws InputError */
export function integersOf({ value, source }: Reading): number[] | undefined {
  if (value === undefined) return undefined;
  const list = typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value;
  const isList = Array.isArray(list) && list.length > 0 && list.every((one) => /^\d+$/.test(String(one)));
  if (!isList) throw new InputError(source, 'whole numbers such as 10, 15, 20', value);
  return list.map(Number);
}

/** Digits in minor units. @throws InputError */
export function minorDigits({ value, source }: Reading, currency: string, unit: 'major' | 'minor'): string | undefined {
  return value === undefined ? undefined : toMinorDigits(parseAmount(value, currency, unit, source));
}

/** The reading of a field of the form. */
export function reading(values: Readings, name: string): Reading {
  const found = values[name];
  if (found === undefined) throw new Error(`the form has no field ${name}`);
  return found;
}

/** One of a form's words. */
export function wordOf(values: Readings, name: string): string {
  return String(reading(values, name).value);
}

/** One of these words. @throws InputError */
export function choiceOf<Choice extends string>(values: Readings, name: string, choices: readonly Choice[]): Choice {
  const { value, source } = reading(values, name);
  const choice = choices.find((one) => one === value);
  if (choice === undefined) throw new InputError(source, `one of ${choices.join(', ')}`, value);
  return choice;
}

/** The fields that have a value; undefined when none has one. */
export function filled<Value extends object>(object: Value): Partial<Value> | undefined {
  const kept = withoutAbsent(object);
  return Object.keys(kept).length === 0 ? undefined : kept;
}
