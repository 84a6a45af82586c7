import type { Node, NodeAPI } from 'node-red';
import { InputError } from '../../core/base/errors.js';
import { type Field, type Form, fieldsOf, type TypedField } from '../form/form.js';
import { amountExpected } from './amount-expected.js';
import { flagOf } from './field-values.js';
import { flowValue } from './flow-value.js';
import type { Reading, Readings } from './reading.js';
import { templateReader } from './template.js';

type ReadableField = Exclude<Field, { kind: 'config' | 'password' }>;

interface DynamicField {
  name: string;
  /** A promise only where the value is not there at once. */
  read(msg: object): Reading | Promise<Reading>;
}

/**
 * Evaluates the fields of one node for its messages, except config nodes and credentials. A property that an older flow lacks
 * has its default. What no message can change is read once, with the first one.
 */
export class FieldReader {
  /** What is read once, and an empty place for everything else. */
  private constants: Readings | undefined;
  private dynamic: readonly DynamicField[] = [];
  private required: readonly TypedField[] = [];

  /** @param config of the node, which does not change while it lives */
  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    private readonly form: Form,
    private readonly config: object,
  ) {}

  /** @throws InputError naming where the value comes from */
  async read(msg: object): Promise<Readings> {
    this.constants ??= this.plan();
    // Nothing is added, only replaced: V8 makes a slow object of one that grows name by name.
    const readings: Record<string, Reading> = { ...this.constants };
    for (const { name, read } of this.dynamic) {
      const reading = read(msg);
      readings[name] = reading instanceof Promise ? await reading : reading;
    }
    for (const field of this.required) checkPresent(field, readings);
    return readings;
  }

  /** All fields, those with a constant value read; keeps how the others are read. */
  private plan(): Readings {
    const constants: [string, Reading][] = [];
    const dynamic: DynamicField[] = [];
    const required: TypedField[] = [];
    const config: Record<string, unknown> = { ...this.config };
    for (const field of fieldsOf(this.form)) {
      if (field.kind === 'config' || field.kind === 'password') continue;
      const { name } = field;
      if (field.kind === 'typed' && field.required === true) required.push(field);
      const read = this.readerOf(field, config);
      const isConstant = typeof read !== 'function';
      if (!isConstant) dynamic.push({ name, read });
      constants.push([name, isConstant ? read : { value: undefined, source: name }]);
    }
    this.dynamic = dynamic;
    this.required = required;
    return Object.fromEntries(constants);
  }

  private readerOf(field: ReadableField, config: Record<string, unknown>): Reading | DynamicField['read'] {
    const { name } = field;
    if (field.kind === 'typed') return this.typedReaderOf(field, config);
    const value = config[name] ?? field.default;
    if (field.kind === 'template') {
      const template = String(value);
      if (!template.includes('{{')) return { value: template || undefined, source: name };
      return templateReader(field, template);
    }
    const reading = { value: isEmpty(value) ? undefined : value, source: name };
    if (field.kind === 'number') return inRange(reading, field);
    return field.kind === 'select' ? oneOf(reading, field.options) : reading;
  }

  private typedReaderOf(field: TypedField, config: Record<string, unknown>): Reading | DynamicField['read'] {
    const { name } = field;
    const text = String(config[name] ?? field.default.value);
    const type = String(config[`${name}Type`] ?? field.default.type);
    switch (type) {
      case 'str':
      case 'num':
        // A number stays the text that was typed: a float would no longer be exact.
        return checked(field, { value: text.trim(), source: name });
      case 'bool':
        // A variable that is not set, or says yes in another word, must not switch a check off.
        return checked(field, { value: flagOf({ value: text.trim() || undefined, source: name }), source: name });
      case 'json':
        // Each message gets an object of its own.
        return () => checked(field, { value: jsonIn(name, text), source: name });
      default: {
        const source =
          type === 'jsonata' ? `expression of ${name}` : type === 'env' ? `env ${text}` : `${type}.${text}`;
        if (text === '') return checked(field, { value: undefined, source });
        return (msg) => {
          const value = flowValue(this.RED, this.node, { text, type, source }, msg);
          if (!(value instanceof Promise)) return checked(field, { value, source });
          return value.then((late: unknown) => checked(field, { value: late, source }));
        };
      }
    }
  }
}

/** @throws InputError where the value is not what the form allows */
function checked(field: TypedField, { value, source }: Reading): Reading {
  const { options } = field;
  if (isEmpty(value)) {
    // An empty value must never become one of two operations by default.
    if (options !== undefined) throw new InputError(source, `one of ${options.join(', ')}`, undefined);
    return { value: undefined, source };
  }
  if (options !== undefined) return oneOf({ value, source }, options);
  return field.range === undefined ? { value, source } : inRange({ value, source }, field.range);
}

/** @throws InputError */
function checkPresent({ name, types }: TypedField, values: Readings): void {
  const { value, source = name } = values[name] ?? {};
  const expected = types.includes('num') ? amountExpected(values.unit?.value) : 'text';
  if (value === undefined) throw new InputError(source, expected, undefined);
}

function oneOf({ value, source }: Reading, options: readonly string[]): Reading {
  if (value === undefined || options.some((option) => option === value)) return { value, source };
  throw new InputError(source, `one of ${options.join(', ')}`, value);
}

function inRange(
  { value, source }: Reading,
  { min = -Infinity, max = Infinity }: { min?: number; max?: number },
): Reading {
  if (value === undefined) return { value, source };
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return { value: number, source };
  throw new InputError(source, `a number from ${min} to ${max}`, value);
}

function jsonIn(name: string, text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new InputError(name, 'JSON', text);
  }
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
