import type { Capability } from '../../core/base/capabilities.js';

/**
 * A node's form as data. The build renders it to the editor's dialog, defaults and validators; `input/field-reader.ts` reads
 * the same fields at run time. Labels, hints and texts of options are in the locales, under the fields' names.
 */

/** The sources of a value that the editor's TypedInput offers. */
export type ValueType = 'msg' | 'flow' | 'global' | 'env' | 'jsonata' | 'str' | 'num' | 'bool' | 'json';

export interface ConfigField {
  kind: 'config';
  name: string;
  /** Type of the config node. */
  type: string;
  required?: boolean;
}

/**
 * When a field or a group applies: one of these cases, in which each named field has one of its values, or a value that only
 * the run time knows. Absent: always. What does not apply is not shown, and not read by the run time.
 */
export type Cases = readonly Readonly<Record<string, readonly string[]>>[];

/** Stored as `<name>` and `<name>Type`. */
export interface TypedField {
  kind: 'typed';
  name: string;
  default: { type: ValueType; value: string };
  types: readonly ValueType[];
  /** The allowed values, whatever their source. */
  options?: readonly string[];
  /** Inclusive limits of a number. */
  range?: { min: number; max: number };
  /** How the dialog checks a constant; the run time checks the other sources. A payment is above zero. */
  looks?: 'currency' | 'percentages' | 'payment';
  /** `in-dialog`: checked by the dialog only, because the node itself reports what a message lacks. */
  required?: boolean | 'in-dialog';
  cases?: Cases;
}

/** A Mustache template over the message. */
export interface TemplateField {
  kind: 'template';
  name: string;
  default: string;
  /** Values from the message are escaped for HTML. */
  html?: boolean;
  cases?: Cases;
}

/** For config nodes. It holds an option, or `${VAR}`. */
export interface SelectField {
  kind: 'select';
  name: string;
  options: readonly string[];
  default: string;
}

interface CheckboxField {
  kind: 'checkbox';
  name: string;
  default: boolean;
}

interface NumberField {
  kind: 'number';
  name: string;
  /** Empty: no value. */
  default: number | '';
  min?: number;
  max?: number;
}

interface Condition {
  field: string;
  is: string;
}

/** For config nodes: its value is fixed when the flow is deployed. */
interface TextField {
  kind: 'text';
  name: string;
  default: string;
  required?: boolean;
  /** Not shown, and not required, while another field has this value. */
  unless?: Condition;
  looks?: 'url' | 'currency';
}

/** A credential: it never reaches the editor. */
interface PasswordField {
  kind: 'password';
  name: string;
  unless?: Condition;
}

export type Field =
  | ConfigField
  | TypedField
  | TemplateField
  | SelectField
  | CheckboxField
  | NumberField
  | TextField
  | PasswordField;

/** Fields of one topic. A closed group opens by itself where one of its fields differs from its default. */
export interface FieldGroup {
  name: string;
  open: boolean;
  fields: readonly Field[];
  cases?: Cases;
}

/** The fields at the top of a dialog, always in sight. */
export function main(...fields: readonly Field[]): FieldGroup {
  return { name: 'main', open: true, fields };
}

/** A field or a group that applies in some cases only. */
export function only<Part extends object>(cases: Cases, part: Part): Part & { cases: Cases } {
  return { ...part, cases };
}

/**
 * A capability that only some acquirer groups offer, and the values of the form that need it: a chosen option, or `true` for
 * any value. The dialog and errors name the last of these fields.
 */
export interface Need {
  capability: Capability;
  when: Readonly<Record<string, string | true>>;
}

export interface Form {
  /** The node's type, and the name of its set in package.json. */
  type: string;
  category: 'payments' | 'config';
  color: string;
  /** File in `icons/`. */
  icon: string;
  inputs: 0 | 1;
  /** Names of the outputs' labels. */
  outputs: readonly string[];
  /** One more output, after the others, where a checkbox of the form asks for it; both have this name. */
  extraOutput?: string;
  /** The field whose value is the label of a node without a name. */
  labelFrom?: string;
  /** The choice by whose constant a node without a name is called, in words of its own (`called.<option>`). */
  calledBy?: string;
  groups: readonly FieldGroup[];
  needs?: readonly Need[];
}

/** Keeps the literal types of a form. */
export function defineForm<const F extends Form>(form: F): F {
  return form;
}

function hasOperation({ groups }: Pick<Form, 'groups'>): boolean {
  return groups.some(({ open, fields }) => open && fields.some(({ name }) => name === 'operation'));
}

/** The form of a node that sends a request for each message. All of them have the same three outputs. */
export function defineAction({ type, ...form }: Pick<Form, 'type' | 'color' | 'groups' | 'needs'>): Form {
  return {
    type,
    category: 'payments',
    icon: `${type}.svg`,
    inputs: 1,
    outputs: ['done', 'notDone', 'attention'],
    ...(hasOperation(form) ? { calledBy: 'operation' } : {}),
    ...form,
  };
}

export function fieldsOf(form: Form): Field[] {
  return form.groups.flatMap(({ fields }) => fields);
}
