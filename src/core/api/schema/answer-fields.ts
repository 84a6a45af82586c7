import * as z from 'zod';
import { type CustomField, customFieldsIn } from '../../base/custom-fields.js';
import { inTwoCharacters } from '../../base/issuer-code.js';
import { isObject } from '../../base/objects.js';
import { redactText } from '../../base/privacy/redact.js';
import { isZeros } from '../../base/uuid.js';

/**
 * Fields of responses, parsed tolerantly: a field that decides nothing never makes a response unreadable. A value of
 * the wrong type is treated as absent.
 */

/** For the two texts that may be as secret as a card number: whoever reads them must not write them down. */
export const secretText = z.string().optional().catch(undefined);
/** A card number has no place in any other field: not in an id, which the journal keeps, nor in a code. */
export const text = z.string().transform(redactText).optional().catch(undefined);
/** Empty is absent. */
export const filledText = text.transform((value) => value || undefined);
/** Of a transaction. */
export const id = z
  .string()
  .transform((value) => (isZeros(value) ? undefined : redactText(value)))
  .optional()
  .catch(undefined);
export const flag = z.boolean().optional().catch(undefined);
export const number = z.number().optional().catch(undefined);
export const record = z.record(z.string(), z.unknown()).optional().catch(undefined);

/** What is longer than the twelve digits of an amount (ISO 8583) is none. */
const MOST = 999_999_999_999;
const amount = z.int().min(-MOST).max(MOST);

/** Some deployments send integers as text. */
const integerText = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number)
  .pipe(amount);

/**
 * An integer that decides about money. Absent, null and empty are fine; anything else makes the response unreadable.
 */
export const decisiveInteger = z.union([
  amount,
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
  .transform(redactText)
  .optional()
  .catch(undefined);

const asCode = (code: string): string => redactText(inTwoCharacters(code));

/** Of the issuer, in two characters however it is written. */
export const issuerCode = z
  .union([z.string(), z.number().transform(String)])
  .transform(asCode)
  .optional()
  .catch(undefined);

export const texts = z.record(z.string(), z.string()).optional().catch(undefined);

/** What most values are, read without their schema, which says the same; undefined leaves a value to the schema. */
const PLAIN = new Map<unknown, (value: unknown) => unknown>([
  [text, plainText],
  [filledText, (value) => plainText(value) || undefined],
  [id, (value) => (typeof value === 'string' && !isZeros(value) ? redactText(value) : undefined)],
  [textOrNumber, plainText],
  [issuerCode, (value) => (typeof value === 'string' ? asCode(value) : undefined)],
  [secretText, (value) => (typeof value === 'string' ? value : undefined)],
  [flag, (value) => (typeof value === 'boolean' ? value : undefined)],
  [number, (value) => (Number.isFinite(value) ? value : undefined)],
  [integer, plainAmount],
  [decisiveInteger, plainAmount],
  [texts, plainTexts],
  [record, plainRecord],
]);

function plainTexts(value: unknown): unknown {
  const fields = plainRecord(value);
  return fields && Object.values(fields).every((text) => typeof text === 'string') ? fields : undefined;
}

/** The schema knows which other objects are none, and what a field must not be named. */
function plainRecord(value: unknown): Record<string, unknown> | undefined {
  const isPlain = isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && !Object.hasOwn(value, '__proto__') ? { ...value } : undefined;
}

function plainText(value: unknown): unknown {
  return typeof value === 'string' ? redactText(value) : undefined;
}

function plainAmount(value: unknown): unknown {
  return Number.isInteger(value) && Math.abs(value as number) <= MOST ? value : undefined;
}

/** Reads plain values of a field without its schema, and leaves others undefined. @param reader its schema */
export function plainReader(reader: unknown): (value: unknown) => unknown {
  return PLAIN.get(reader) ?? (() => undefined);
}

/** The same for an object that has all of these fields, and no others. @param fields their schemas, by name */
export function plainObjectReader(fields: Record<string, unknown>): (value: unknown) => unknown {
  const readers = Object.entries(fields).map(([name, reader]) => ({ name, plain: plainReader(reader) }));
  return (value) => {
    if (!isObject(value) || Object.keys(value).length !== readers.length) return undefined;
    const read: Record<string, unknown> = {};
    for (const { name, plain } of readers) {
      const known = plain(value[name]);
      if (known === undefined) return undefined;
      read[name] = known;
    }
    return read;
  };
}

/** Those fields that are there and can be read. */
type Tolerated<Fields extends Record<string, z.ZodType>> = {
  [Name in keyof Fields]?: NonNullable<z.output<Fields[Name]>>;
};

/**
 * Reads an object none of whose fields makes it unreadable: plain values without their schemas. Undefined for what is no object.
 * @param fields their schemas, by name
 */
export function tolerantReader<Fields extends Record<string, z.ZodType>>(
  fields: Fields,
): (body: unknown) => Tolerated<Fields> | undefined {
  const readers = Object.entries(fields).map(([name, schema]) => ({ name, schema, plain: plainReader(schema) }));
  return (body) => {
    if (!isObject(body) || Array.isArray(body)) return undefined;
    const read: Record<string, unknown> = {};
    for (const { name, schema, plain } of readers) {
      const value = body[name];
      if (value === undefined || value === null) continue;
      const known = plain(value) ?? schema.safeParse(value).data;
      if (known !== undefined) read[name] = known;
    }
    return read as Tolerated<Fields>;
  };
}

export const customFields = z
  .unknown()
  .transform((value): CustomField[] | undefined => (isObject(value) ? customFieldsIn(value) : undefined))
  .optional();
