import type { Cases } from '../form/form.js';

/**
 * Whether a field or a group applies.
 * @param constantOf the constant in another field; undefined where only the run time knows its value
 */
export function applies(cases: Cases | undefined, constantOf: (name: string) => string | undefined): boolean {
  const fits = ([name, values]: [string, readonly string[]]): boolean => {
    const value = constantOf(name);
    return value === undefined || values.includes(value);
  };
  return cases === undefined || cases.some((one) => Object.entries(one).every(fits));
}
