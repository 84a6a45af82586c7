/**
 * What a dialog does in the editor: sets up TypedInputs, opens the groups that hold something, hides what does not
 * apply, validates. The build bundles this file into each node's html.
 */

import type { Field, FieldGroup, Need, SelectField, TypedField } from '../form/form.js';
import { markGaps } from './capability-hints.js';
import { problemOf } from './field-problems.js';

/** What is used of the editor and of jQuery. */
interface EditorNode {
  _(key: string, values?: Record<string, unknown>): string;
  /** What is known of its secrets: `has_<name>`, and what was typed since the last deploy. */
  credentials?: Readonly<Record<string, unknown>>;
  [property: string]: unknown;
}

interface Elements {
  length: number;
  val(value?: string): unknown;
  prop(name: string, value: boolean): void;
  on(event: string, handler: () => void): void;
  trigger(event: string): void;
  closest(selector: string): Elements;
  find(selector: string): Elements;
  attr(name: string, value: string): Elements;
  toggle(visible: boolean): void;
  typedInput(options: object): void;
  typedInput(get: 'type'): string;
  typedInput(set: 'type' | 'value', value: string): void;
}

declare const $: (selector: string) => Elements;
declare const RED: { utils: { validateTypedProperty(value: unknown, type: string, options: object): true | string } };

/** Two declared parameters: only then does the editor show the text that comes back. */
type Validator = (this: EditorNode, value: unknown, options: unknown) => true | string;

/** The dialog of one node type. `prefix`: `node-input` or `node-config-input`. */
export function createForm(groups: readonly FieldGroup[], prefix: string, needs: readonly Need[] = []) {
  const fields = new Map(groups.flatMap((group) => group.fields).map((field) => [field.name, field]));
  const selectorOf = (name: string): string => `#${prefix}-${name}`;

  /** What the open dialog holds, else what the node has. */
  const current = (node: EditorNode, name: string): string => {
    const element = $(selectorOf(name));
    return String((element.length > 0 ? element.val() : node[name]) ?? '');
  };

  return {
    prepare(node: EditorNode): void {
      for (const field of fields.values()) {
        if (isLacking(node, field)) fillIn(selectorOf(field.name), field);
        if (field.kind === 'typed') setUpTyped(node, selectorOf(field.name), field);
        if (field.kind === 'select') setUpSelect(node, selectorOf(field.name), field);
        if ('unless' in field && field.unless !== undefined) hideWhere(selectorOf, field.name, field.unless);
      }
      for (const group of groups) {
        const isOpen = group.open || group.fields.some((field) => isChanged(node, field));
        $(`#payment-group-${group.name}`).prop('open', isOpen);
      }
      markGaps(needs, selectorOf, (group) => node._('editor.notOffered', { group }));
    },

    /** Called before the editor takes over what the dialog holds. */
    save(): void {
      for (const field of fields.values()) {
        const element = $(selectorOf(field.name));
        if (field.kind === 'select' && element.typedInput('type') === 'env') element.val(`\${${element.val()}}`);
      }
    },

    /** What the open dialog holds. */
    value: (name: string): string => String($(selectorOf(name)).val() ?? ''),

    /** Puts a value into the open dialog, as if it had been typed. */
    fill(name: string, value: string): void {
      $(selectorOf(name)).val(value);
      $(selectorOf(name)).trigger('change');
    },

    onChange(names: readonly string[], run: () => void): void {
      for (const name of names) $(selectorOf(name)).on('change', run);
    },

    /** Whether the open dialog names a variable instead of one of the choices. */
    isVariable: (name: string): boolean => $(selectorOf(name)).typedInput('type') === 'env',

    validator(name: string): Validator {
      const field = fields.get(name);
      return function (value, _options) {
        if (field === undefined) return true;
        const text = String(value ?? defaultOf(field)).trim();
        if (isVariable(text) || isHidden(field, this)) return true;
        const label = this._(`label.${name}`);
        if (text === '') return isRequired(field, this) ? this._('error.required', { field: label }) : true;
        const type = field.kind === 'typed' ? current(this, `${name}Type`) || field.default.type : undefined;
        // Ours first: it says what is expected.
        const problem = problemOf(field, text, type, (other) => constant(this, other));
        if (problem !== undefined) return this._(`error.${problem.is}`, { field: label, ...problem });
        return type === undefined || RED.utils.validateTypedProperty(text, type, { label });
      };
    },
  };

  /** Undefined where a message or a variable says what it is. */
  function constant(node: EditorNode, name: string): string | undefined {
    const field = fields.get(name);
    if (field?.kind !== 'typed' || (current(node, `${name}Type`) || field.default.type) !== 'str') return undefined;
    const text = current(node, name).trim() || field.default.value;
    return isVariable(text) ? undefined : text;
  }

  function isRequired(field: Field, node: EditorNode): boolean {
    if (!('required' in field) || !field.required) return false;
    const unless = 'unless' in field ? field.unless : undefined;
    if (unless === undefined) return true;
    const other = fields.get(unless.field);
    // What is none of the options is a variable, and known at run time alone.
    return other?.kind === 'select' && other.options.includes(current(node, unless.field));
  }

  /** What nobody sees nobody can mend, and the run time does not read it. */
  function isHidden(field: Field, node: EditorNode): boolean {
    const unless = 'unless' in field ? field.unless : undefined;
    return unless !== undefined && current(node, unless.field) === unless.is;
  }
}

/** A secret is no property of the node: the editor has put into the dialog what stands for it, and takes empty for "forget it". */
function isLacking(node: EditorNode, field: Field): boolean {
  return field.kind !== 'password' && node[field.name] === undefined;
}

/** A node of an older flow lacks what came later: it has the default, and shows it. */
function fillIn(selector: string, field: Field): void {
  if (field.kind === 'checkbox') $(selector).prop('checked', field.default);
  else $(selector).val(defaultOf(field));
  if (field.kind === 'typed') $(`${selector}Type`).val(field.default.type);
}

function defaultOf(field: Field): string {
  if (field.kind === 'config' || field.kind === 'password') return '';
  return field.kind === 'typed' ? field.default.value : String(field.default);
}

function setUpTyped(node: EditorNode, selector: string, { name, default: initial, types, options }: TypedField): void {
  const choice = options && choiceOf(node, name, options);
  $(selector).typedInput({
    default: initial.type,
    types: types.map((type) => (type === 'str' && choice ? choice : type)),
    typeField: `${selector}Type`,
  });
  nameParts(node, selector, name);
}

/** What the widget puts in place of an input has neither its label nor its hint. */
function nameParts(node: EditorNode, selector: string, name: string): void {
  const label = node._(`label.${name}`);
  const row = $(selector).closest('.form-row');
  row.find('input.red-ui-typedInput-input').attr('aria-label', label);
  row.find('input.red-ui-typedInput-input').attr('aria-describedby', `${selector.slice(1)}-hint`);
  row.find('.red-ui-typedInput-option-expand').attr('aria-label', label);
}

/** Of a config node: one of the options, or a variable, kept as `${VAR}`, which Node-RED puts in when it starts the node. */
function setUpSelect(node: EditorNode, selector: string, { name, options }: SelectField): void {
  const variable = /^\$\{(.+)\}$/.exec(String(node[name]))?.[1];
  $(selector).typedInput({ default: 'str', types: [choiceOf(node, name, options), 'env'] });
  nameParts(node, selector, name);
  if (variable === undefined) return;
  $(selector).typedInput('type', 'env');
  $(selector).typedInput('value', variable);
}

/** A type of TypedInput: constants out of a list. */
function choiceOf(node: EditorNode, name: string, options: readonly string[]): object {
  return {
    value: 'str',
    label: node._('editor.choice'),
    icon: 'fa fa-list-ul',
    options: options.map((option) => ({ value: option, label: node._(`option.${name}.${option}`) })),
  };
}

function hideWhere(selectorOf: (name: string) => string, name: string, unless: { field: string; is: string }): void {
  const other = $(selectorOf(unless.field));
  const update = (): void =>
    $(selectorOf(name))
      .closest('.form-row')
      .toggle(other.val() !== unless.is);
  other.on('change', update);
  update();
}

/** What it stands for is known at run time alone, and checked there. */
function isVariable(text: string): boolean {
  return /\$\{[^}]+\}/.test(text);
}

function isChanged(node: EditorNode, field: Field): boolean {
  if (field.kind === 'password') return node.credentials?.[`has_${field.name}`] === true;
  const isOtherType = field.kind === 'typed' && differs(node[`${field.name}Type`], field.default.type);
  return isOtherType || differs(node[field.name], defaultOf(field));
}

function differs(value: unknown, initial: string): boolean {
  return value !== undefined && String(value) !== initial;
}
