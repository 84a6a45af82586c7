import type * as z from 'zod';
import { InputError } from '../../base/errors.js';
import { redact } from '../../base/privacy/redact.js';

/**
 * A request as a caller puts it together, for {@link check} to judge: `merchantAuth` comes from the flow as it is, and
 * of an object only some fields may be there.
 */
export type Draft<Request> = {
  [Field in keyof Request]: Field extends 'merchantAuth' ? unknown : Partial<Request[Field]>;
};

/**
 * Checks a caller's input against a schema before anything is sent.
 * @throws InputError for the first invalid field; never repeats the value of a secret field
 */
export function check<Output>(schema: z.ZodType<Output>, value: unknown): Output {
  const reading = schema.safeParse(value, { error: expectation });
  if (reading.success) return reading.data;
  const [issue] = reading.error.issues;
  throw issue === undefined ? new InputError('body', 'a valid request', undefined) : inputError(issue, value);
}

function inputError(issue: z.core.$ZodIssue, value: unknown): InputError {
  if (issue.code === 'unrecognized_keys') {
    const path = [...issue.path, issue.keys[0] ?? ''];
    // The value is left out: under a misspelt name it may be a secret.
    return new InputError(nameOf(path), 'no such field', typeof valueAt(value, path));
  }
  return new InputError(nameOf(issue.path), issue.message, printable(issue.path.at(-1), valueAt(value, issue.path)));
}

/** The path as text: `merchantAuth[0].mid`. */
function nameOf(path: readonly PropertyKey[]): string {
  const name = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return name === '' ? 'body' : name.replace(/^\./, '');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((inner, step) => (isObject(inner) ? inner[step] : undefined), value);
}

/** The value with secrets and card numbers redacted according to the field's name. */
function printable(field: PropertyKey | undefined, value: unknown): unknown {
  const name = String(field ?? 'body');
  return (redact({ [name]: value }) as Record<string, unknown>)[name];
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null;
}

const TYPES: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** Describes the expected value if the schema has no message of its own. */
function expectation(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return `one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return issue.origin === 'number' ? `at least ${issue.minimum}` : `${collective(issue.origin)} that is not empty`;
    case 'too_big':
      return issue.origin === 'number' ? `at most ${issue.maximum}` : `at most ${issue.maximum} characters`;
    default:
      return undefined;
  }
}

function collective(origin: string): string {
  return TYPES[origin] ?? 'a value';
}
