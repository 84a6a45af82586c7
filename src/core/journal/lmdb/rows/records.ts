import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RangeOptions } from 'lmdb';
import { JournalError } from '../../../base/errors.js';
import { TransientMap } from '../../../base/transient.js';
import { systemClock } from '../../../platform/system-clock.js';
import { DamagedRecordError } from '../../damaged-record.js';
import type { JournalQuery } from '../../journal.js';
import { matches } from '../../query.js';
import type { OperationRecord } from '../../record.js';
import type { Databases } from '../file/databases.js';
import { Age } from './age.js';
import {
  behindKey,
  environmentsRange,
  haveSameKeys,
  type Indexed,
  type IndexedQuery,
  indexedIn,
  indexKeys,
  isSequence,
  type KeyRange,
  keysOf,
  openRange,
  queryRange,
  sequenceIn,
  sequenceText,
} from './index-keys.js';
import {
  bytesOf,
  damaged,
  idIn,
  isOpenIn,
  type JsonPieces,
  mustBeSound,
  recordIn,
  sequenceOf,
} from './record-bytes.js';

/** How many records are read before others have their turn: a few milliseconds. */
export const READ_AT_ONCE = 200;

/** How many of the newest records are looked at for one that is sound. */
const NEWEST = 100;

/** What a change needs to know of the record it replaces. */
interface Known {
  sequence: number;
  /** Undefined where there was none. */
  indexed: Indexed | undefined;
  /** Its keys, where they were needed. */
  keys?: readonly string[] | undefined;
}

/** The records of one file and the index that finds them. Whatever writes runs in a transaction, see {@link Store.change}. */
export class Records {
  /** Open operations as last written, so that a change need not read the record that it replaces. */
  private readonly known = new TransientMap<Known>();
  /** Keys `o` of operations that were open when somebody asked for those: the key is there for as long as one is open. */
  private readonly openKeys = new Map<string, string>();
  private readonly reported = new Set<number | string>();
  private readonly age: Age;
  private next: number;

  /** @param report called once for each record that is damaged, where a reader goes on without it */
  constructor(
    private readonly databases: Databases,
    private readonly report: (error: DamagedRecordError) => void,
    clock = systemClock.now,
  ) {
    const newest = this.newest();
    this.next = newest.sequence + 1;
    this.age = new Age(databases.meta, newest.age, clock);
  }

  /** See {@link Age}, ms. */
  now(): number {
    return this.age.now();
  }

  /** The sequence of an operation; undefined where there is none. @throws DamagedRecordError */
  locate(operationId: string): number | undefined {
    const known = this.known.get(operationId);
    if (known !== undefined) return known.sequence;
    for (const sequence of this.candidates({ operationId }))
      if (idIn(this.bytesAt(sequence)) === operationId) return sequence;
    return undefined;
  }

  /** Whether an operation is open, and was asked for or written since it was opened. */
  isInMind(operationId: string): boolean {
    return this.known.has(operationId);
  }

  /**
   * Returns the sequence of the record.
   * @throws JournalError where a record is in its place, before anything is written
   */
  add(operation: OperationRecord, json: JsonPieces): number {
    const sequence = this.next++;
    this.write(operation, json, { sequence, indexed: undefined }, true);
    return sequence;
  }

  /** Returns the sequence of the record. @throws JournalError where there is no earlier record of the operation */
  replace(operation: OperationRecord, json: JsonPieces): number {
    const before = this.known.get(operation.operationId) ?? this.knownOf(operation.operationId);
    this.write(operation, json, before);
    return before.sequence;
  }

  /** See {@link Age.save}. */
  saveAge(): void {
    this.age.save();
  }

  isOpen(operationId: string): boolean {
    if (this.known.has(operationId)) return true;
    const key = this.openKeys.get(operationId);
    if (key !== undefined) return this.databases.index.doesExist(key);
    const sequence = this.locate(operationId);
    return sequence !== undefined && isOpenIn(this.bytesAt(sequence));
  }

  /** What `read` makes of every open operation of an environment, oldest first. A damaged one is reported, and left out. */
  async ofOpen<T>(environment: string, read: (bytes: Buffer, operationId: string) => T): Promise<T[]> {
    const keys = [...this.databases.index.getKeys(openRange(environment))];
    const found: T[] = [];
    for (const [place, key] of keys.entries()) {
      const sequence = sequenceIn(key);
      if (place % READ_AT_ONCE === READ_AT_ONCE - 1) await nextTurn();
      const bytes = this.orReport(sequence, () => this.bytesAt(sequence));
      if (bytes === undefined || !isOpenIn(bytes)) continue;
      const operationId = idIn(bytes);
      this.openKeys.set(operationId, key);
      found.push(read(bytes, operationId));
    }
    return found;
  }

  /** The environments that have open operations, by the first sound one of each. */
  openEnvironments(): string[] {
    return this.environmentsIn(openRange(), ({ closed }) => !closed);
  }

  /** The environments that have operations, by the first sound one of each. */
  environments(): string[] {
    return this.environmentsIn(environmentsRange());
  }

  /** @param range of keys that begin with their environment */
  private environmentsIn({ start, end }: KeyRange, isMeant = (_one: OperationRecord): boolean => true): string[] {
    const found = new Set<string>();
    for (let from = start; ; ) {
      const [key] = this.databases.index.getKeys({ start: from, end, limit: 1 });
      if (key === undefined) return [...found];
      const operation = this.readOrReport(sequenceIn(key));
      const isThere = operation !== undefined && isMeant(operation);
      if (isThere) found.add(operation.environment);
      from = behindKey(key, isThere);
    }
  }

  /** An open operation has been read: the change that follows need not read it again. */
  keepInMind(operation: OperationRecord, sequence: number): void {
    const { operationId, closed } = operation;
    if (!closed && !this.known.has(operationId))
      this.known.set(operationId, { sequence, indexed: indexedIn(operation) });
  }

  /** What is kept of an operation in memory may be wrong: the next change reads it from the file. */
  forget(operationId: string): void {
    this.known.delete(operationId);
    this.openKeys.delete(operationId);
  }

  /** @throws DamagedRecordError also where the record is not there, though the index names it */
  read(sequence: number): OperationRecord {
    return recordIn(this.bytesAt(sequence));
  }

  /** Reports a damaged record and reads on, for lists that are better short of a record than not there. */
  readOrReport(sequence: number): OperationRecord | undefined {
    return this.orReport(sequence, () => this.read(sequence));
  }

  /** Whether a record has these texts as values somewhere. Proves nothing else of it. */
  mentions(sequence: number, texts: readonly string[]): boolean {
    const bytes = this.databases.records.get(sequenceText(sequence));
    return bytes !== undefined && texts.every((text) => bytes.includes(JSON.stringify(text)));
  }

  /** Sequences of records that may match a query, newest first. */
  candidates(query: IndexedQuery): Iterable<number> {
    const known = 'operationId' in query ? this.sequenceKnownOf(query.operationId) : undefined;
    return known === undefined ? this.newestFirst(queryRange(query)) : [known];
  }

  /** Of an open operation that this process has asked for or written. */
  private sequenceKnownOf(operationId: string): number | undefined {
    const key = this.openKeys.get(operationId);
    return this.known.get(operationId)?.sequence ?? (key === undefined ? undefined : sequenceIn(key));
  }

  private *newestFirst({ start, end }: KeyRange): Iterable<number> {
    for (const key of this.databases.index.getKeys({ start: end, end: start, reverse: true })) yield sequenceIn(key);
  }

  /** Finds what no index leads to, newest first: slow beside many records, and it blocks nobody. */
  async scan(query: JournalQuery, limit: number): Promise<OperationRecord[]> {
    // A record that matches has the value in its text. Skipping the others saves parsing them.
    const words = Object.values(query).map((value) => Buffer.from(JSON.stringify(value)));
    const found: OperationRecord[] = [];
    let last: string | undefined;
    let isAtEnd = false;
    for (; !isAtEnd && found.length < limit; await nextTurn()) {
      const rows = [...this.databases.records.getRange({ ...behind(last), reverse: true })];
      isAtEnd = rows.length < READ_AT_ONCE;
      last = rows.at(-1)?.key;
      for (const { key, value } of rows) {
        if (!words.every((word) => value.includes(word))) continue;
        const operation = isSequence(key) ? this.readOrReport(sequenceIn(key)) : this.reportKey(key, value);
        if (operation !== undefined && matches(query, operation)) found.push(operation);
      }
    }
    return found.slice(0, limit);
  }

  /**
   * The sequences of all records, oldest first. Others may write meanwhile: what they remove is left out. A record whose key
   * is damaged is reported, and left out.
   */
  *sequences(): Iterable<number> {
    const { records } = this.databases;
    // A damaged key may sort anywhere, and have no sequence: so it is the keys themselves that lead from one page to the next.
    let last: string | undefined;
    let isAtEnd = false;
    while (!isAtEnd) {
      const keys = [...records.getKeys(behind(last))];
      if (!keys.every(isSequence))
        for (const { key, value } of records.getRange(behind(last))) if (!isSequence(key)) this.reportKey(key, value);
      isAtEnd = keys.length < READ_AT_ONCE;
      last = keys.at(-1);
      for (const key of keys) if (isSequence(key) && records.doesExist(key)) yield sequenceIn(key);
    }
  }

  /** Whether the index lacks a key of a record. */
  lacksKeys(operation: OperationRecord, sequence: number): boolean {
    return indexKeys(operation, sequence).some((key) => !this.databases.index.doesExist(key));
  }

  /** Keys of the index that no record asks for. They do no harm, but show damage. */
  *idleKeys(): Iterable<string> {
    for (const key of this.databases.index.getKeys()) {
      const operation = this.readOrReport(sequenceIn(key));
      if (operation === undefined || !indexKeys(operation, sequenceIn(key)).includes(key)) yield key;
    }
  }

  /** Puts all keys of a record into the index. */
  mend(operation: OperationRecord, sequence: number): void {
    for (const key of indexKeys(operation, sequence)) this.databases.index.putSync(key, '');
  }

  /**
   * The highest sequence that was given out, and an age that the journal had reached. What a sound record says counts more
   * than its key: the key of the newest may be damaged.
   */
  private newest(): { sequence: number; age: number } {
    let highest = 0;
    for (const { key, value } of this.databases.records.getRange({ reverse: true, limit: NEWEST })) {
      const [byKey, sequence] = [isSequence(key) ? sequenceIn(key) : 0, sequenceOf(value)];
      highest = Math.max(highest, sequence ?? byKey);
      if (sequence === byKey) return { sequence: highest, age: recordIn(value).age ?? 0 };
    }
    return { sequence: highest, age: 0 };
  }

  private reportKey(key: unknown, value: Buffer): undefined {
    const text = String(key).replace(/[^ -~]/g, '?');
    this.orReport(text, () => {
      throw damaged(text, value);
    });
  }

  private orReport<T>(sequence: number | string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof DamagedRecordError)) throw error;
      if (!this.reported.has(sequence)) this.report(error);
      this.reported.add(sequence);
      return undefined;
    }
  }

  private bytesAt(sequence: number): Buffer {
    const bytes = this.storedAt(sequence);
    if (bytes === undefined) throw damaged(sequence);
    mustBeSound(sequence, bytes);
    return bytes;
  }

  /** LMDB throws an error of its own where what it keeps beside a record is damaged, such as the flags of its place. */
  private storedAt(sequence: number): Buffer | undefined {
    try {
      return this.databases.records.get(sequenceText(sequence));
    } catch {
      throw damaged(sequence, Buffer.alloc(0));
    }
  }

  private write(operation: OperationRecord, json: JsonPieces, before: Known, noOverwrite = false): void {
    const { sequence } = before;
    const age = this.age.now();
    const bytes = bytesOf(sequence, age, json, operation.closed);
    // False where a record is there already, which its type leaves out.
    const isWritten: unknown = this.databases.records.putSync(sequenceText(sequence), bytes, { noOverwrite });
    if (noOverwrite && isWritten !== true)
      throw new JournalError(`a new payment would replace record ${sequence} of the journal: check the disk`);
    const indexed = indexedIn(operation, age);
    const keys = this.index(indexed, before);
    if (operation.closed) this.forget(operation.operationId);
    else this.known.set(operation.operationId, { sequence, indexed, keys });
  }

  /** Brings the index from one version of a record to the next. Returns the keys of that, where they were needed. */
  private index(indexed: Indexed, before: Known): readonly string[] | undefined {
    const { index } = this.databases;
    if (before.indexed !== undefined && haveSameKeys(before.indexed, indexed)) return before.keys;
    const old = before.keys ?? (before.indexed === undefined ? [] : keysOf(before.indexed, before.sequence));
    const keys = keysOf(indexed, before.sequence);
    for (const key of old) if (!keys.includes(key)) index.removeSync(key);
    for (const key of keys) if (!old.includes(key)) index.putSync(key, '');
    return keys;
  }

  private knownOf(operationId: string): Known {
    const sequence = this.locate(operationId);
    if (sequence === undefined) throw new JournalError(`operation ${operationId} is not in the journal`);
    return { sequence, indexed: indexedIn(this.read(sequence)) };
  }
}

/** The page of records that follows the one which ends with this key. A new object each time, because LMDB changes it. */
function behind(key: string | undefined): RangeOptions {
  return { limit: READ_AT_ONCE, ...(key === undefined ? {} : { start: key, exclusiveStart: true }) };
}
