/**
 * What a dialog does in the editor: sets up TypedInputs, opens the groups that hold something, validates. The build
 * bundles this file into each node's html.
 */

import type { Field, FieldGroup } from './form.js';

interface EditorNode {
  _(key: string, values?: Record<string, unknown>): string;
  [property: string]: unknown;
}

interface TypedInput {
  typedInput(options: object): void;
}

declare const $: (
  selector: string,
) => TypedInput & { length: number; val(): unknown; prop(name: string, value: boolean): void };

type Validator = (this: EditorNode, value: unknown, options: unknown) => boolean | string;

const CURRENCY = /^[A-Z]{3}$/;

/** The dialog of one node type. `prefix`: `node-input` or `node-config-input`. */
export function createForm(groups: readonly FieldGroup[], prefix: string) {
  const fields = new Map(groups.flatMap((group) => group.fields).map((field) => [field.name, field]));

  return {
    prepare(node: EditorNode): void {
      for (const field of fields.values()) {
        if (field.kind === 'typed') setUpTyped(`#${prefix}-${field.name}`, field);
      }
      for (const group of groups) {
        const changed = group.fields.some((field) => isChanged(node, field));
        $(`#payment-group-${group.name}`).prop('open', group.open || changed);
      }
    },

    validator(name: string): Validator {
      const field = fields.get(name);
      // Two declared parameters: only then does the editor show the text that comes back.
      return function (value, _options) {
        const problem = field === undefined ? undefined : problemOf(field, value, String(this[`${name}Type`] ?? ''));
        return problem === undefined ? true : this._(`error.${problem}`, { field: this._(`label.${name}`) });
      };
    },
  };
}

function setUpTyped(selector: string, field: Field & { kind: 'typed' }): void {
  $(selector).typedInput({ default: field.default.type, types: field.types, typeField: `${selector}Type` });
}

function isChanged(node: EditorNode, field: Field): boolean {
  const value = node[field.name];
  if (field.kind === 'typed') return value !== undefined && value !== field.default.value;
  if (field.kind === 'config') return Boolean(value);
  if (field.kind === 'password') return node[`has_${field.name}`] === true;
  return value !== undefined && value !== field.default;
}

/** Which text of the locale says what is wrong; undefined where nothing is. `${VAR}` is checked at run time. */
function problemOf(field: Field, value: unknown, type: string): string | undefined {
  const text = String(value ?? '').trim();
  if (/\$\{[^}]+\}/.test(text)) return undefined;
  if (text === '') return 'required' in field && field.required === true ? 'required' : undefined;
  switch (field.kind) {
    case 'typed':
      return typedProblem(text, type);
    case 'number':
      return numberProblem(field, Number(text));
    case 'text':
      if (field.looks === 'url' && !/^https?:\/\/[^\s/]+/.test(text)) return 'url';
      return field.looks === 'currency' && !CURRENCY.test(text) ? 'currency' : undefined;
    default:
      return undefined;
  }
}

function typedProblem(text: string, type: string): string | undefined {
  if (type === 'num' && !/^-?\d+(\.\d+)?$/.test(text)) return 'number';
  if (type !== 'json') return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return 'json';
  }
}

function numberProblem({ min, max }: Field & { kind: 'number' }, value: number): string | undefined {
  const fits = Number.isFinite(value) && value >= (min ?? value) && value <= (max ?? value);
  return fits ? undefined : 'range';
}
