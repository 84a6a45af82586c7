import type { Context, RenderOptions, Writer } from 'mustache';
import { InputError } from '../../core/base/errors.js';
import { isObject } from '../../core/base/objects.js';
import type { TemplateField } from '../form/form.js';

/** Fills Mustache templates from messages. */

/** What most templates are: the default of a field, and nothing else. */
const ONE_PROPERTY = /^\{\{\s*([\w$]+(?:\.[\w$]+)*)\s*\}\}$/;

/** A longer template is shortened where an error names it. */
const LONGEST_SHOWN = 60;

interface Text {
  value: string | undefined;
  source: string;
}

/** The text that a template makes of a message, undefined where that is empty, and where it comes from. At once where nothing is rendered. */
export function templateReader(field: TemplateField, template: string): (msg: object) => Text | Promise<Text> {
  const path = ONE_PROPERTY.exec(template)?.[1];
  const names = path?.split('.');
  const isShort = template.length <= LONGEST_SHOWN;
  const origin = path === undefined ? (isShort ? template : `${template.slice(0, LONGEST_SHOWN)}…`) : `msg.${path}`;
  const source = `${field.name} from ${origin}`;
  return (msg) => {
    if (names !== undefined && isAbsent(msg, names)) return { value: undefined, source };
    return rendered(field, template, msg).then((value) => ({ value, source }));
  };
}

/** Whether a message certainly lacks a property, so that nothing need be rendered. */
function isAbsent(msg: object, path: readonly string[]): boolean {
  let value: unknown = msg;
  for (const name of path) {
    if (value === undefined || value === null) return true;
    // Mustache looks further into texts and functions than this does.
    if (typeof value !== 'object') return false;
    value = (value as Record<string, unknown>)[name];
  }
  return value === undefined || value === null;
}

/** Loaded with the first template, so that Node-RED starts without it. */
let writer: Writer | undefined;

async function rendered({ name, html }: TemplateField, template: string, msg: object): Promise<string | undefined> {
  writer ??= await textWriter();
  try {
    return writer.render(template, msg, {}, html ? {} : { escape: String }) || undefined;
  } catch (error) {
    if (error instanceof NoTextError) throw new InputError(name, `text in ${error.property}`, error.value);
    throw new InputError(name, `a Mustache template (${messageOf(error)})`, template);
  }
}

/** Mustache itself writes "[object Object]" where a template names an object, and the service would keep that. */
async function textWriter(): Promise<Writer> {
  const { default: mustache } = await import('mustache');
  class TextWriter extends mustache.Writer {
    override unescapedValue([, property = '']: string[], context: Context): string {
      return textOf(property, context.lookup(property));
    }

    override escapedValue(
      token: string[],
      context: Context,
      { escape: escaped = mustache.escape }: RenderOptions = {},
    ): string {
      return escaped(this.unescapedValue(token, context));
    }
  }
  return new TextWriter();
}

/** @throws NoTextError for an object that has no text of its own, as a date has, or a list of texts */
function textOf(property: string, value: unknown): string {
  if (!isObject(value)) return value === undefined || value === null ? '' : String(value);
  // An object without a prototype, as a parsed query string is, cannot even be made one.
  const text = 'toString' in value ? String(value) : NO_TEXT;
  if (text.includes(NO_TEXT)) throw new NoTextError(property, value);
  return text;
}

const NO_TEXT = '[object ';

class NoTextError extends Error {
  constructor(
    readonly property: string,
    readonly value: unknown,
  ) {
    super(property);
  }
}

export function messageOf(error: unknown): string {
  // A JSONata expression throws plain objects.
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}
