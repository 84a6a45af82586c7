import type { JournalQuery } from '../journal.js';
import { isPrunable } from '../order-claim.js';
import { type OperationRecord, originalIn } from '../record.js';

/**
 * The index of the embedded journal: one ordered key for each way to find an operation.
 * `[kind, value, createdAt, operationId]`, and `['closed', updatedAt, operationId]` for pruning.
 */
export type IndexKey = (string | number)[];

/** LMDB limits the size of a key, so longer values are cut; the reader compares the whole value in the record. */
const KEY_LENGTH = 128;

export function indexKeys(operation: OperationRecord): IndexKey[] {
  const { operationId, createdAt, resultId, transactionId, terminal } = operation;
  const original = originalIn(operation);
  const key = (kind: string, value: string): IndexKey => [kind, keyText(value), createdAt, operationId];
  return [
    ...operation.references.map((reference) => key('reference', reference)),
    ...(resultId === undefined ? [] : [key('resultId', resultId)]),
    ...(transactionId === undefined ? [] : [key('transactionId', transactionId)]),
    ...(original === undefined ? [] : [key('original', original)]),
    ...(terminal === undefined ? [] : [key('terminal', terminal.serial_number)]),
    key('environment', operation.environment),
    ...(operation.closed ? [] : [key('open', operation.environment)]),
    ...(isPrunable(operation) ? [['closed', operation.updatedAt, operationId]] : []),
  ];
}

/** All keys of one query. */
export function queryRange(query: Exclude<JournalQuery, { operationId: string }>): { start: IndexKey; end: IndexKey } {
  if ('reference' in query) return rangeOf('reference', query.reference);
  if ('resultId' in query) return rangeOf('resultId', query.resultId);
  if ('transactionId' in query) return rangeOf('transactionId', query.transactionId);
  if ('original' in query) return rangeOf('original', query.original);
  if ('terminal' in query) return rangeOf('terminal', query.terminal);
  return rangeOf('environment', query.environment, query.until);
}

/** All keys of an environment's open operations. */
export function openRange(environment: string): { start: IndexKey; end: IndexKey } {
  return rangeOf('open', environment);
}

/** All keys of closed operations whose `updatedAt` is before `before`. */
export function closedRange(before: number): { start: IndexKey; end: IndexKey } {
  return { start: ['closed'], end: ['closed', before] };
}

/** @param until epoch ms, inclusive */
function rangeOf(kind: string, value: string, until = Number.POSITIVE_INFINITY): { start: IndexKey; end: IndexKey } {
  return { start: [kind, keyText(value)], end: [kind, keyText(value), until + 1] };
}

/** LMDB ends a text in a key at a zero character. */
function keyText(value: string): string {
  return value.slice(0, KEY_LENGTH).replaceAll('\0', ' ');
}
