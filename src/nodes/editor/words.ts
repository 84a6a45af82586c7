import { REASON_NAMES, reasonName } from '../action/reasons.js';
import { RED } from './host.js';

/** Texts of the catalogue in the user's language, and formatted values. */

const CATALOGUE = '@cloud-terminal/node-red-payments/payment-sidebar:';

/** A look-up is the slowest part of drawing a row, and thousands of rows use the same few texts. */
const cached = new Map<string, string>();

export function text(key: string, values?: Record<string, unknown>): string {
  if (values !== undefined) return lookUp(key, values) ?? key;
  const known = cached.get(key) ?? lookUp(key);
  // A missing text is not cached, because its catalogue may still be loading.
  if (known !== undefined) cached.set(key, known);
  return known ?? key;
}

function lookUp(key: string, values?: Record<string, unknown>): string | undefined {
  const found = RED._(`${CATALOGUE}${key}`, values);
  return found.startsWith(CATALOGUE) ? undefined : found;
}

/** The text of a word of the service, or of a code; what has none, a later version's, stays as it is. */
export function word(
  group: 'operation' | 'status' | 'event' | 'event-value',
  name: string,
  values?: Record<string, unknown>,
): string {
  const key = `${group}.${name}`;
  const found = text(key, values);
  return found === key ? name : found;
}

/** What became of something, and why: `refused: terminal offline`. */
export function withReason(outcome: string, reason: { code?: string; message?: string } | undefined): string {
  if (reason === undefined) return outcome;
  const name = reasonName(reason);
  const why = REASON_NAMES.includes(name) ? text(`reason.${name}`) : name;
  return why === '' ? outcome : `${outcome}: ${why}`;
}

/** @param at epoch ms */
export function dateAndTime(at: number): string {
  const parts: Intl.DateTimeFormatOptions = { day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit' };
  return new Date(at).toLocaleString(RED.i18n.lang(), { ...parts, second: '2-digit' });
}

/** @param at epoch ms */
export function time(at: number): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  const day: Intl.DateTimeFormatOptions = isToday ? {} : { day: '2-digit', month: '2-digit' };
  return date.toLocaleString(RED.i18n.lang(), { ...day, hour: '2-digit', minute: '2-digit', second: '2-digit' });
}

/** @param at epoch ms */
export function fullTime(at: number): string {
  return new Date(at).toLocaleString(RED.i18n.lang(), { dateStyle: 'medium', timeStyle: 'medium' });
}

export function money(amount: string, currency: string): string {
  return amount === '' ? '' : `${amount} ${currency}`;
}
