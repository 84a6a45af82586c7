import { ConfigurationError } from '../../../core/base/errors.js';
import { variableIn, wholeVariable } from '../../form/variables.js';

/**
 * Values of a config node, checked at run time. Node-RED leaves `${VAR}` and `$(VAR)` as they are where the variable is not set;
 * otherwise the value has the type of the variable, which may be a number in a tab, a group, a subflow or among those of all flows.
 */

/** Empty where it is absent. @throws ConfigurationError naming the variable, or what is no text */
export function configText(what: string, value: unknown): string {
  const text = textIn(what, value).trim();
  const missing = variableIn(text);
  if (missing !== undefined)
    throw new ConfigurationError(`${what}: the environment variable ${missing} ${whyMissing(text)}`);
  return text;
}

function whyMissing(text: string): string {
  return wholeVariable(text) === undefined
    ? 'is only a part of the field, and Node-RED fills in a variable only where it is the whole field'
    : 'is not set';
}

function textIn(what: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') throw new ConfigurationError(`${what}: expected a text, got a ${typeof value}`);
  // Its last digits are lost already: they would name another terminal.
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new ConfigurationError(`${what}: the number is too long, make it a variable of the type string`);
  return String(value);
}

/** A checkbox, in whose place a variable gives a text; an empty one says nothing. @throws ConfigurationError */
export function configFlag(what: string, value: unknown, fallback: boolean): boolean {
  if (value === undefined || value === null) return fallback;
  const given = typeof value === 'boolean' ? String(value) : configText(what, value);
  if (given === 'true' || given === 'false') return given === 'true';
  throw new ConfigurationError(`${what}: expected true or false, got ${given || 'nothing'}`);
}

/** @throws ConfigurationError */
export function configInteger(
  what: string,
  value: unknown,
  { fallback, min }: Record<'fallback' | 'min', number>,
): number {
  const given = typeof value === 'number' ? String(value) : configText(what, value);
  const number = given === '' ? fallback : Number(given);
  if (Number.isSafeInteger(number) && number >= min) return number;
  throw new ConfigurationError(`${what}: expected a whole number from ${min}, got ${given}`);
}
