import { ConfigurationError } from '../../../core/base/errors.js';

/** Values of a config node, checked at run time. Node-RED leaves `${VAR}` as it is where the variable is not set. */

/** @throws ConfigurationError naming the variable */
export function configText(what: string, value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : '';
  const missing = /\$\{([^}]+)\}/.exec(text)?.[1];
  if (missing !== undefined) throw new ConfigurationError(`${what}: the environment variable ${missing} is not set`);
  return text;
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
