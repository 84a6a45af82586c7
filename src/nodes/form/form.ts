import type { Capability } from '../../core/base/capabilities.js';

/**
 * A node's form as data. The build renders it to the editor's dialog, defaults and validators; `input/read-fields.ts` reads
 * the same fields at run time. Labels, hints and texts of options are in the locales, under the fields' names.
 */

/** Where a value may come from; what the editor's TypedInput offers. */
export type ValueType = 'msg' | 'flow' | 'global' | 'env' | 'jsonata' | 'str' | 'num' | 'bool' | 'json';

export interface ConfigField {
  kind: 'config';
  name: string;
  /** Type of the config node. */
  type: string;
  required?: boolean;
}

/** Kept as `<name>` and `<name>Type`. */
export interface TypedField {
  kind: 'typed';
  name: string;
  default: { type: ValueType; value: string };
  types: readonly ValueType[];
  /** What it may be, wherever it comes from. */
  options?: readonly string[];
  /** It is a number within these. */
  range?: { min: number; max: number };
  /** Of a constant, for the dialog; the run time checks what comes from elsewhere. A payment is above zero. */
  looks?: 'currency' | 'percentages' | 'payment';
  /** By the dialog alone where the node itself says what a message lacks. */
  required?: boolean | 'in-dialog';
}

/** A Mustache template over the message. */
export interface TemplateField {
  kind: 'template';
  name: string;
  default: string;
  /** What the message puts in is escaped for HTML. */
  html?: boolean;
}

/** For config nodes; `${VAR}` instead of an option is possible too. */
export interface SelectField {
  kind: 'select';
  name: string;
  options: readonly string[];
  default: string;
}

export interface CheckboxField {
  kind: 'checkbox';
  name: string;
  default: boolean;
}

export interface NumberField {
  kind: 'number';
  name: string;
  /** Empty: no value. */
  default: number | '';
  min?: number;
  max?: number;
}

export interface Condition {
  field: string;
  is: string;
}

/** For config nodes: fixed when the flow is deployed. */
export interface TextField {
  kind: 'text';
  name: string;
  default: string;
  required?: boolean;
  /** Not shown, and not required, while another field has this value. */
  unless?: Condition;
  looks?: 'url' | 'currency';
}

/** A credential: it never reaches the editor. */
export interface PasswordField {
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

/** Fields of one topic. A folded group opens by itself where one of its fields differs from its default. */
export interface FieldGroup {
  name: string;
  open: boolean;
  fields: readonly Field[];
}

/**
 * What only some acquirer groups offer, and which values of the form ask for it: a word that is chosen, or `true` for
 * any value at all. The last field named is the one that the dialog and an error speak of.
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
  /** The field that stands for the name where there is none. */
  labelFrom?: string;
  groups: readonly FieldGroup[];
  needs?: readonly Need[];
}

/** Keeps the literal types of a form. */
export function defineForm<const F extends Form>(form: F): F {
  return form;
}

/** The form of a node that asks something of the service for each message: it answers by the same three outputs as any. */
export function defineAction({ type, ...form }: Pick<Form, 'type' | 'color' | 'groups' | 'needs'>): Form {
  return {
    type,
    category: 'payments',
    icon: `${type}.svg`,
    inputs: 1,
    outputs: ['done', 'notDone', 'attention'],
    ...form,
  };
}

export function fieldsOf(form: Form): Field[] {
  return form.groups.flatMap(({ fields }) => fields);
}
