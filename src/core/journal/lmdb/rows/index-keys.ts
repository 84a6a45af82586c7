import { hash } from 'node:crypto';
import type { JournalQuery } from '../../journal.js';
import { isPrunable } from '../../order-claim.js';
import { type OperationRecord, originalIn } from '../../record.js';

/**
 * The index of the embedded journal. A key is a letter for what it finds by, a hash of the value, and the sequence of the
 * record: all of fixed length, so that keys sort by sequence. `e` has the time of creation before the sequence, because
 * people read an environment's payments by time. Every record has a key `o` while it is open, and `c` once it can be pruned,
 * which has the age of the journal at its last change.
 *
 * Hashes keep keys short and of one length, whatever the service sends. The reader compares the whole value.
 */

const SEQUENCE_DIGITS = 8;
const TIME_DIGITS = 9;
const HASH_LENGTH = 16;
const RADIX = 36;
const SEQUENCE = /^[0-9a-z]{8}$/;
const CLOSED_KEY = new RegExp(`^c[0-9a-z]{${TIME_DIGITS + SEQUENCE_DIGITS}}$`);
/** Sorts behind every digit and letter. */
const LAST = '~';

export interface KeyRange {
  start: string;
  end: string;
}

/** Queries that have a key each. The rest is found by reading through the records. */
export type IndexedQuery = Exclude<JournalQuery, { resultId: string } | { terminal: string }>;

export function isIndexed(query: JournalQuery): query is IndexedQuery {
  return !('resultId' in query || 'terminal' in query);
}

/** What the keys of a record are made of. */
export interface Indexed
  extends Pick<OperationRecord, 'references' | 'transactionId' | 'environment' | 'createdAt' | 'closed'> {
  original: string | undefined;
  /** Age of the journal when it was written, ms, where it can be pruned. */
  prunableFrom: number | undefined;
}

/** @param age of the journal when the record was written, ms */
export function indexedIn(operation: OperationRecord, age = operation.age ?? 0): Indexed {
  const { references, transactionId, environment, createdAt, closed } = operation;
  const prunableFrom = isPrunable(operation) ? age : undefined;
  return { references, transactionId, environment, createdAt, closed, original: originalIn(operation), prunableFrom };
}

/** Whether two versions of a record have the same keys, as most have. */
export function haveSameKeys(one: Indexed, other: Indexed): boolean {
  return (
    one.references.length === other.references.length &&
    one.references.every((reference, place) => reference === other.references[place]) &&
    one.transactionId === other.transactionId &&
    one.original === other.original &&
    one.environment === other.environment &&
    one.createdAt === other.createdAt &&
    one.closed === other.closed &&
    one.prunableFrom === other.prunableFrom
  );
}

/** All keys of a record. @param age of the journal when it was written, ms */
export function indexKeys(operation: OperationRecord, sequence: number, age = operation.age ?? 0): string[] {
  return keysOf(indexedIn(operation, age), sequence);
}

/** As {@link indexKeys}, for what they are made of. */
export function keysOf(indexed: Indexed, sequence: number): string[] {
  const { references, transactionId, original, environment, createdAt, closed, prunableFrom } = indexed;
  const last = sequenceText(sequence);
  return [
    // The first one is the operation's id.
    ...references.map((reference) => `r${hashed(reference)}${last}`),
    ...(transactionId === undefined ? [] : [`t${hashed(transactionId)}${last}`]),
    ...(original === undefined ? [] : [`p${hashed(original)}${last}`]),
    `e${hashed(environment)}${timeText(createdAt)}${last}`,
    ...(closed ? [] : [`o${hashed(environment)}${last}`]),
    ...(prunableFrom === undefined ? [] : [`c${timeText(prunableFrom)}${last}`]),
  ];
}

/** The keys of a query. */
export function queryRange(query: IndexedQuery): KeyRange {
  if ('operationId' in query) return rangeOf(`r${hashed(query.operationId)}`);
  if ('reference' in query) return rangeOf(`r${hashed(query.reference)}`);
  if ('transactionId' in query) return rangeOf(`t${hashed(query.transactionId)}`);
  if ('original' in query) return rangeOf(`p${hashed(query.original)}`);
  const prefix = `e${hashed(query.environment)}`;
  return query.until === undefined
    ? rangeOf(prefix)
    : { start: prefix, end: `${prefix}${timeText(query.until)}${LAST}` };
}

/** The keys of an environment's open operations, or of all that are open. */
export function openRange(environment?: string): KeyRange {
  return rangeOf(environment === undefined ? 'o' : `o${hashed(environment)}`);
}

/** The keys of all environments. */
export function environmentsRange(): KeyRange {
  return rangeOf('e');
}

/** Where to go on behind a key that begins with an environment, or behind all those of the same one. */
export function behindKey(key: string, isWholeEnvironment: boolean): string {
  return `${isWholeEnvironment ? key.slice(0, 1 + HASH_LENGTH) : key}${LAST}`;
}

/** The keys of operations that can be pruned and were last changed before the journal had the age `before`, ms. */
export function closedRange(before: number): KeyRange {
  return { start: 'c', end: `c${timeText(before)}` };
}

/** Whether a key in that range is one as this version writes it. */
export function isClosedKey(key: unknown): key is string {
  return typeof key === 'string' && CLOSED_KEY.test(key);
}

/** The key of a record itself. */
export function sequenceText(sequence: number): string {
  return digits(sequence, SEQUENCE_DIGITS);
}

/** Whether it is a key as {@link sequenceText} makes them. A damaged one may be no text at all. */
export function isSequence(key: unknown): boolean {
  return typeof key === 'string' && SEQUENCE.test(key);
}

/** The sequence of the record that a key belongs to; 0, which no record has, for a damaged key, which may be no text at all. */
export function sequenceIn(key: unknown): number {
  const text = String(key).slice(-SEQUENCE_DIGITS);
  return isSequence(text) ? Number.parseInt(text, RADIX) : 0;
}

/** @param time epoch ms, or an age in ms */
function timeText(time: number): string {
  return digits(Math.min(Math.max(0, Math.floor(time)), RADIX ** TIME_DIGITS - 1), TIME_DIGITS);
}

function digits(value: number, count: number): string {
  return value.toString(RADIX).padStart(count, '0');
}

function rangeOf(prefix: string): KeyRange {
  return { start: prefix, end: `${prefix}${LAST}` };
}

/** The latest hashes: every version of a record has those of its environment and its ids. */
const hashes = new Map<string, string>();
const MOST_HASHES = 1_000;
const LONGEST_KNOWN = 64;

function hashed(value: string): string {
  const known = hashes.get(value);
  if (known !== undefined) return known;
  if (hashes.size >= MOST_HASHES) hashes.clear();
  const made = hash('sha1', value, 'hex').slice(0, HASH_LENGTH);
  // The service may send ids of any length.
  if (value.length <= LONGEST_KNOWN) hashes.set(value, made);
  return made;
}
