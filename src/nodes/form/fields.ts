import type { TemplateField, TypedField, ValueType } from './form.js';

/** Builders for fields that many forms have, so that they look alike and have the same defaults. */

const FROM_FLOW: readonly ValueType[] = ['msg', 'flow', 'global', 'env', 'jsonata'];

/** Text, by default from a property of the message, or empty. */
export function text(name: string, from?: string, required: TypedField['required'] = false): TypedField {
  const value = from === undefined ? ({ type: 'str', value: '' } as const) : ({ type: 'msg', value: from } as const);
  return { kind: 'typed', name, default: value, types: ['str', ...FROM_FLOW], ...(required ? { required } : {}) };
}

/** An amount. A constant keeps its digits as they were typed. */
export function amount(name: string, from?: string, required = false): TypedField {
  const value = from === undefined ? ({ type: 'num', value: '' } as const) : ({ type: 'msg', value: from } as const);
  return {
    kind: 'typed',
    name,
    default: value,
    types: ['num', ...FROM_FLOW],
    ...(required ? { required } : {}),
  };
}

export function currency(from: string): TypedField {
  return { ...text('currency', from), looks: 'currency' };
}

export function flag(name: string, value: boolean): TypedField {
  return { kind: 'typed', name, default: { type: 'bool', value: String(value) }, types: ['bool', ...FROM_FLOW] };
}

/** One of a few options; the first is the default. */
export function choice(name: string, options: readonly [string, ...string[]]): TypedField {
  return { kind: 'typed', name, default: { type: 'str', value: options[0] }, types: ['str', ...FROM_FLOW], options };
}

/** A number within a range, or empty. */
export function number(name: string, value: number | '', range: { min: number; max: number }): TypedField {
  return { kind: 'typed', name, default: { type: 'num', value: String(value) }, types: ['num', ...FROM_FLOW], range };
}

/** An object: JSON, or from the flow. */
export function json(name: string): TypedField {
  return { kind: 'typed', name, default: { type: 'json', value: '' }, types: ['json', ...FROM_FLOW] };
}

/** Free text with `{{...}}` for values from the message. */
export function template(name: string, value = ''): TemplateField {
  return { kind: 'template', name, default: value };
}
