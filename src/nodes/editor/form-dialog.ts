/**
 * A node's dialog in the editor: sets up TypedInputs, opens the groups with changed values, hides the fields that do not
 * apply, and validates. The build bundles this file into each node's html.
 */

import type { Cases, ConfigField, Field, FieldGroup, Need, SelectField, TypedField } from '../form/form.js';
import { variableIn, wholeVariable } from '../form/variables.js';
import { applies } from './applies.js';
import { markGaps } from './capability-hints.js';
import { unheardNotice } from './dialogs/unheard-notice.js';
import { problemOf } from './field-problems.js';
import type { EditorNode as PlacedNode } from './host.js';

/** The part of the editor and of jQuery that is used here. */
interface EditorNode {
  _(key: string, values?: Record<string, unknown>): string;
  /** `has_<name>` for each stored credential, and the values typed since the last deploy. */
  credentials?: Readonly<Record<string, unknown>>;
  [property: string]: unknown;
}

interface Elements {
  length: number;
  val(value?: string): unknown;
  prop(name: string, value: boolean): void;
  is(selector: string): boolean;
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
declare const RED: {
  utils: { validateTypedProperty(value: unknown, type: string, options: object): true | string };
  nodes: { eachConfig(visit: (node: { id: string; type: string; d?: boolean }) => void): void };
};

/** The editor shows the returned text only if the function declares two parameters. */
type Validator = (this: EditorNode, value: unknown, options: unknown) => true | string;

/**
 * The dialog of one node type.
 * @param prefix `node-input` or `node-config-input`
 * @param calledBy the choice by which a node without a name is called
 */
export function createForm(
  groups: readonly FieldGroup[],
  prefix: string,
  needs: readonly Need[] = [],
  calledBy?: string,
) {
  const fields = new Map(groups.flatMap((group) => group.fields).map((field) => [field.name, field]));
  const selectorOf = (name: string): string => `#${prefix}-${name}`;

  /** The value in the open dialog, else the node's own. */
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
        if (field.kind === 'config') preselect(node, selectorOf(field.name), field);
        showPlaceholder(node, selectorOf(field.name), field.name);
      }
      showCases(node);
      for (const group of groups) {
        const isOpen = group.open || group.fields.some((field) => isChanged(node, field));
        $(`#payment-group-${group.name}`).prop('open', isOpen);
      }
      markGaps(needs, selectorOf, (group) => node._('editor.notOffered', { group }));
      const form = document.querySelector(selectorOf('name'))?.closest('form');
      form?.prepend(...unheardNotice(node as unknown as PlacedNode));
    },

    /** What a node without a name is called; undefined where its operation is not known before the run time. */
    called(node: EditorNode): string | undefined {
      const field = calledBy === undefined ? undefined : fields.get(calledBy);
      if (field?.kind !== 'typed' || (node[`${field.name}Type`] ?? 'str') !== 'str') return undefined;
      const operation = String(node[field.name] ?? field.default.value);
      return field.options?.includes(operation) ? node._(`called.${operation}`) : undefined;
    },

    /** Called before the editor reads the values of the dialog. */
    save(): void {
      for (const field of fields.values()) {
        const element = $(selectorOf(field.name));
        if (field.kind === 'select' && element.typedInput('type') === 'env') element.val(`\${${element.val()}}`);
      }
    },

    /** Sets how many outputs the node has: one more where a checkbox asks for it. Called after `save`. */
    count(checkbox: string, outputs: number): void {
      const isWanted = $(selectorOf(checkbox)).is(':checked');
      $(selectorOf('outputs')).val(String(isWanted ? outputs + 1 : outputs));
    },

    /** The value of a field in the open dialog. */
    value: (name: string): string => String($(selectorOf(name)).val() ?? ''),

    /** Sets a value in the open dialog, as if a user had typed it. */
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
        // Before the editor's own check, because this text says what is expected.
        const problem = problemOf(field, text, type, (other) => constant(this, other));
        if (problem !== undefined) return this._(`error.${problem.is}`, { field: label, ...problem });
        return type === undefined || RED.utils.validateTypedProperty(text, type, { label });
      };
    },
  };

  /** Shows the fields and groups that apply, and hides the others, now and with every change. */
  function showCases(node: EditorNode): void {
    const constantOf = (name: string): string | undefined => constant(node, name);
    const update = (): void => {
      for (const { name, cases, fields } of groups) {
        $(`#payment-group-${name}`).toggle(applies(cases, constantOf));
        for (const field of fields) {
          const own = casesOf(field);
          if (own === undefined) continue;
          $(selectorOf(field.name)).closest('.form-row').toggle(applies(own, constantOf));
        }
      }
    };
    const all = groups.flatMap(({ cases = [], fields }) => [...cases, ...fields.flatMap((one) => casesOf(one) ?? [])]);
    for (const name of new Set(all.flatMap(Object.keys))) $(selectorOf(name)).on('change', update);
    update();
  }

  /** The constant in a field; undefined where its value comes from a message or a variable. */
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
    // A value that is none of the options is a variable, which only the run time knows.
    return other?.kind === 'select' && other.options.includes(current(node, unless.field));
  }

  /** A user cannot correct a hidden field, and the run time does not read it. */
  function isHidden(field: Field, node: EditorNode): boolean {
    const unless = 'unless' in field ? field.unless : undefined;
    if (unless !== undefined) return current(node, unless.field) === unless.is;
    const group = groups.find(({ fields }) => fields.includes(field));
    const constantOf = (name: string): string | undefined => constant(node, name);
    return !applies(group?.cases, constantOf) || !applies(casesOf(field), constantOf);
  }
}

function casesOf(field: Field): Cases | undefined {
  return 'cases' in field ? field.cases : undefined;
}

/** A new node gets the only config node that there is. */
function preselect(node: EditorNode, selector: string, { name, type, required }: ConfigField): void {
  if (!required || node[name]) return;
  const found: string[] = [];
  RED.nodes.eachConfig((one) => {
    if (one.type === type && !one.d) found.push(one.id);
  });
  const [only] = found;
  if (only === undefined || found.length > 1) return;
  $(selector).val(only);
  $(selector).trigger('change');
}

function showPlaceholder(node: EditorNode, selector: string, name: string): void {
  const key = `placeholder.${name}`;
  const text = node._(key);
  if (text.endsWith(key)) return;
  $(selector).attr('placeholder', text);
  $(selector).closest('.form-row').find('input.red-ui-typedInput-input').attr('placeholder', text);
}

/** A credential is never filled in: it is no property of the node, and an empty value makes the editor delete it. */
function isLacking(node: EditorNode, field: Field): boolean {
  return field.kind !== 'password' && node[field.name] === undefined;
}

/** A node of an older flow lacks newer fields. Their defaults apply, so the dialog shows them. */
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

/** The widget that replaces an input has neither its label nor its hint, so they are added for screen readers. */
function nameParts(node: EditorNode, selector: string, name: string): void {
  const label = node._(`label.${name}`);
  const row = $(selector).closest('.form-row');
  row.find('input.red-ui-typedInput-input').attr('aria-label', label);
  row.find('input.red-ui-typedInput-input').attr('aria-describedby', `${selector.slice(1)}-hint`);
  row.find('.red-ui-typedInput-option-expand').attr('aria-label', label);
}

/** For a config node: an option or a variable. `${VAR}` is stored; Node-RED replaces it when it starts the node. */
function setUpSelect(node: EditorNode, selector: string, { name, options }: SelectField): void {
  const variable = wholeVariable(String(node[name]));
  $(selector).typedInput({ default: 'str', types: [choiceOf(node, name, options), 'env'] });
  nameParts(node, selector, name);
  if (variable === undefined) return;
  $(selector).typedInput('type', 'env');
  $(selector).typedInput('value', variable);
}

/** A type of TypedInput: one of a list of constants. */
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

/** The run time checks the value of a variable; the editor does not know it. */
function isVariable(text: string): boolean {
  return variableIn(text) !== undefined;
}

function isChanged(node: EditorNode, field: Field): boolean {
  if (field.kind === 'password') return node.credentials?.[`has_${field.name}`] === true;
  const isOtherType = field.kind === 'typed' && differs(node[`${field.name}Type`], field.default.type);
  return isOtherType || differs(node[field.name], defaultOf(field));
}

function differs(value: unknown, initial: string): boolean {
  return value !== undefined && String(value) !== initial;
}
