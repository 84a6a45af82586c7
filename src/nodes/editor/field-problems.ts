import { exponentOf } from '../../core/base/currencies.js';
import { isBase, isSafeAddress } from '../../core/base/privacy/address.js';
import type { Field } from '../form/form.js';

/** Validates the values in a form. */

export interface Problem {
  /** The key of its text in the locale, below `error`. */
  is: string;
  min?: number;
  max?: number;
}

/** The constant in another field; undefined where its value comes from a message or a variable. */
type ConstantOf = (name: string) => string | undefined;

/** No currency has more decimals. */
const MOST_DECIMALS = 4;

/** Undefined where the value is valid. @param type the chosen type of a typed field */
export function problemOf(field: Field, text: string, type: string | undefined, of: ConstantOf): Problem | undefined {
  switch (field.kind) {
    case 'typed':
      if (type === 'str' && field.options?.includes(text) === false) return { is: 'choice' };
      if (type === 'str') return textProblem(field.looks, text);
      if (type !== 'num') return undefined;
      return field.range === undefined ? amountProblem(field.looks, text, of) : rangeProblem(field.range, text);
    case 'number':
      return rangeProblem(field, text);
    case 'text':
      return textProblem(field.looks, text);
    default:
      return undefined;
  }
}

function textProblem(looks: string | undefined, text: string): Problem | undefined {
  if (looks === 'url' && !isSafeAddress(text)) return { is: 'url' };
  if (looks === 'url' && !isBase(text)) return { is: 'base' };
  if (looks === 'currency' && exponentOf(text.toUpperCase()) === undefined) return { is: 'currency' };
  if (looks === 'percentages' && !text.split(',').every(isPercentage)) return { is: 'percentages' };
  return undefined;
}

function isPercentage(part: string): boolean {
  return /^\d+$/.test(part.trim()) && Number(part) <= 100;
}

function amountProblem(looks: string | undefined, text: string, of: ConstantOf): Problem | undefined {
  const isMinor = of('unit') === 'minor';
  const shape = isMinor ? /^\d+$/ : /^\d+(\.\d+)?$/;
  if (!shape.test(text)) return { is: isMinor ? 'minorUnits' : 'amount' };
  if (looks === 'payment' && !/[1-9]/.test(text)) return { is: 'aboveZero' };
  const [, fraction = ''] = text.split('.');
  const max = exponentOf((of('currency') ?? '').toUpperCase()) ?? MOST_DECIMALS;
  return fraction.length > max ? { is: 'decimals', max } : undefined;
}

function rangeProblem({ min = -Infinity, max = Infinity }: { min?: number; max?: number }, text: string) {
  const value = Number(text);
  return value >= min && value <= max ? undefined : { is: 'range', min, max };
}
