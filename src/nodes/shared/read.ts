import type { Node, NodeAPI, NodeMessage } from 'node-red';
import { InputError } from '../../core/errors.js';
import { type Field, type Form, fieldsOf, type TemplateField, type TypedField } from './form.js';

/** A field's value for one message, and where it came from: for errors that say so. */
export interface Reading {
  /** Undefined when absent or empty. */
  value: unknown;
  /** `msg.payload.amount`, `flow.x`, `env X`, or the field's own name for what was typed into the form. */
  source: string;
}

export type Readings = Readonly<Record<string, Reading>>;

/**
 * Evaluates the fields of a node for a message.
 * @throws InputError naming the field and where its value comes from
 */
export async function readFields(RED: NodeAPI, node: Node, form: Form, config: object, msg: NodeMessage): Promise<Readings> {
  const readings: Record<string, Reading> = {};
  for (const field of fieldsOf(form)) {
    if (field.kind !== 'config' && field.kind !== 'password') {
      readings[field.name] = await readField(RED, node, field, config as Record<string, unknown>, msg);
    }
  }
  return readings;
}

async function readField(
  RED: NodeAPI,
  node: Node,
  field: Exclude<Field, { kind: 'config' | 'password' }>,
  config: Record<string, unknown>,
  msg: NodeMessage,
): Promise<Reading> {
  switch (field.kind) {
    case 'typed': {
      const reading = await evaluate(RED, node, field, config, msg);
      return isEmpty(reading.value) ? { ...reading, value: undefined } : reading;
    }
    case 'template':
      return { value: await rendered(field, String(config[field.name] ?? field.default), msg), source: field.name };
    case 'number':
      return { value: numberIn(field.name, config[field.name] ?? field.default), source: field.name };
    default: {
      const value = config[field.name] ?? field.default;
      return { value: isEmpty(value) ? undefined : value, source: field.name };
    }
  }
}

async function evaluate(
  RED: NodeAPI,
  node: Node,
  field: TypedField,
  config: Record<string, unknown>,
  msg: NodeMessage,
): Promise<Reading> {
  const text = String(config[field.name] ?? field.default.value);
  const type = String(config[`${field.name}Type`] ?? field.default.type);
  switch (type) {
    case 'str':
    case 'num':
      // A number is kept as it was typed: what passes through a float is no longer exact.
      return { value: text, source: field.name };
    case 'bool':
      return { value: text === 'true', source: field.name };
    case 'json':
      return { value: jsonIn(field.name, text), source: field.name };
    default:
  }
  const source = sourceOf(type, text, field.name);
  if (text === '') return { value: undefined, source };
  return new Promise((resolve, reject) => {
    RED.util.evaluateNodeProperty(text, type, node, msg, (error: Error | null, value: unknown) => {
      if (error === null || error === undefined) resolve({ value, source });
      else reject(new InputError(source, 'a value that can be read', error.message));
    });
  });
}

function sourceOf(type: string, text: string, name: string): string {
  if (type === 'jsonata') return `expression of ${name}`;
  return type === 'env' ? `env ${text}` : `${type}.${text}`;
}

async function rendered({ name, html }: TemplateField, template: string, msg: object): Promise<string | undefined> {
  if (!template.includes('{{')) return template || undefined;
  const { default: Mustache } = await import('mustache');
  try {
    return Mustache.render(template, msg, {}, html ? {} : { escape: String }) || undefined;
  } catch (error) {
    throw new InputError(
      name,
      `a Mustache template (${error instanceof Error ? error.message : 'unreadable'})`,
      template,
    );
  }
}

function numberIn(name: string, value: unknown): number | undefined {
  if (isEmpty(value)) return undefined;
  const number = Number(value);
  if (!Number.isFinite(number)) throw new InputError(name, 'a number', value);
  return number;
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
