import * as z from 'zod';
import { isObject, textOf } from '../../base/objects.js';

/**
 * Fields of responses, parsed tolerantly: a field that decides nothing never makes a response unreadable. A value of
 * the wrong type is treated as absent.
 */

export const text = z.string().optional().catch(undefined);
export const flag = z.boolean().optional().catch(undefined);
export const number = z.number().optional().catch(undefined);
export const record = z.record(z.string(), z.unknown()).optional().catch(undefined);

/** Some deployments send integers as text. */
const integerText = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number)
  .pipe(z.int());

/**
 * An integer that decides about money. Absent, null and empty are fine; anything else makes the response unreadable.
 */
export const decisiveInteger = z.union([
  z.int(),
  integerText,
  z
    .literal(['', null])
    .optional()
    .transform(() => undefined),
]);

export const integer = decisiveInteger.catch(undefined);

/** Text that some deployments send as a number, such as `httpStatus`. */
export const textOrNumber = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined);

export interface CustomField {
  key: string;
  value: string;
}

/** Key/value data in any of its three shapes: a list, `{entry: [...]}` or a flat object. */
export const customFields = z
  .unknown()
  .transform((value): CustomField[] | undefined => (isObject(value) ? listOf(value) : undefined))
  .optional();

function listOf(value: Record<string, unknown> | unknown[]): CustomField[] {
  if (Array.isArray(value)) return value.filter(isObject).flatMap(fieldOf);
  if ('entry' in value) {
    const { entry } = value;
    return isObject(entry) ? listOf(Array.isArray(entry) ? entry : [entry]) : [];
  }
  return Object.entries(value).flatMap(([key, field]) => fieldOf({ key, value: field }));
}

function fieldOf({ key, value }: Record<string, unknown>): CustomField[] {
  const isFlat = typeof value === 'boolean' || textOf(value) !== '' || value === '';
  return textOf(key) === '' || !isFlat ? [] : [{ key: textOf(key), value: String(value) }];
}
