import { isSuccess } from '../operation/outcome.js';
import type { OperationRecord } from './record.js';

/**
 * What a person said about an operation, beside its record: it changes no verdict. Rows are only added, so that whatever
 * was said stays; the last one counts.
 */
export interface Annotation {
  /** A person has dealt with it; or takes that back; or the row is damaged, so that nobody knows what was said. */
  event: 'handled' | 'handled-withdrawn' | 'unreadable';
  /** Epoch ms. */
  at: number;
  /** The editor's user, or `unknown`. */
  by: string;
  /** 1 to 500 characters, redacted; empty where it was withdrawn. */
  note: string;
  /** What was known of the money then, see {@link knownMoney}. */
  known: string;
}

/** In place of what a person said and nobody can read any more. */
export const UNREADABLE_ANNOTATION: Annotation = { event: 'unreadable', at: 0, by: '', note: '', known: '' };

/** Whether a person has dealt with an operation, or may have: no policy changes anything about it then. */
export function isLeftToPerson(annotations: readonly Annotation[] = []): boolean {
  const last = annotations.at(-1)?.event;
  return last === 'handled' || last === 'unreadable';
}

/** Whether a person has dealt with what is known of the money now: `overturned` where that has changed since. */
export function handlingOf(
  record: OperationRecord,
  annotations: readonly Annotation[] = [],
): 'handled' | 'overturned' | undefined {
  const last = annotations.at(-1);
  if (last?.event !== 'handled') return undefined;
  return last.known === knownMoney(record) ? 'handled' : 'overturned';
}

/** What the flow was told of the money, in a form to compare. */
export function knownMoney({ state: { reported }, closed, result }: OperationRecord): string {
  if (reported === 'partial') return `partly ${amountIn(result)}`;
  if (isSuccess(reported)) return `yes ${amountIn(result)}`;
  const mayChange = reported === undefined || reported === 'unknown' || reported === 'provisional';
  return mayChange || (reported === 'failed' && !closed) ? 'unknown' : 'no';
}

function amountIn({ totalAmount, amount }: Record<string, unknown> = {}): string {
  return String(totalAmount ?? amount ?? '');
}
