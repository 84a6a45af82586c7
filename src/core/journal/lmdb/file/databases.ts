import type { Database, Key, RootDatabase } from 'lmdb';

/**
 * Every database of the journal's file. A new one gets a line in {@link openDatabases} and a file of its own in
 * `rows/`, which alone reads and writes it. Whatever belongs to one change is written in one {@link Store.change}.
 */
export interface Databases {
  /** Checksum and JSON of every record, by sequence: see `record-bytes.ts`. */
  readonly records: Database<Buffer, string>;
  /** How records are found: see `index-keys.ts`. All of it follows from the records, so it can be proved and made anew. */
  readonly index: Database<string, string>;
  /** Which record has the key of an order: see `order-store.ts`. The records tell of a key that was lost. */
  readonly orderKeys: Database<string, Key[]>;
  /** Checksum and JSON of every message that repeats an order: see `repeat-rows.ts`. */
  readonly repeats: Database<string, Buffer>;
  /** Checksum and JSON of whatever a person said about an operation: see `annotation-store.ts`. */
  readonly annotations: Database<string, Key[]>;
  /** Sealed receipts that an environment chose to keep: see `receipt-rows.ts`. */
  readonly receipts: Database<string, Key[]>;
  /** Checksum and JSON of the merchants that a key opens: see `merchant-rows.ts`. */
  readonly merchants: Database<string, string>;
  /** About the file itself: the number of its form (`form.ts`), and how long it has been in use (`age.ts`). */
  readonly meta: Database<string, string>;
}

const NAMES = ['records', 'index', 'order-keys', 'repeats', 'annotations', 'receipts', 'merchants', 'meta'] as const;
/** All that a file of this form may have: another name is a damaged one, see `form.ts`. */
export const DATABASE_NAMES: ReadonlySet<string> = new Set(NAMES);

/** More than there are: a file of a newer form may have others. */
const MAX_DATABASES = 16;

/** Loads LMDB's library where that has not happened yet. @throws where it is not there for this system */
export function loadLmdb(): typeof import('lmdb') {
  return require('lmdb');
}

/** A key as it lies in a file. */
export function bytesOfKey(key: Key): Buffer {
  // Its types leave this out.
  return (loadLmdb() as unknown as { keyValueToBuffer(key: Key): Buffer }).keyValueToBuffer(key);
}

/** Lets LMDB open a file. Its structure should have been proved, see `file-check.ts`. */
export function openRoot(path: string, { readOnly = false } = {}): RootDatabase<string, Key> {
  const options = {
    path,
    readOnly,
    // A transaction's promise resolves after the sync.
    overlappingSync: false,
    // A full disk rejects each transaction on its own.
    eventTurnBatching: false,
    // The list of free pages is read anew by each transaction. lmdb 3.5.6 can lose count of a list that it retains: while a
    // reader is open, as during the check of the file, it then fails a transaction ("reserved freelist had a data entry with
    // zero-size"), or ends the process ("Assertion 'freelist_written_start >= mop_len' failed").
    maxFreeSpaceToRetain: 0,
    maxDbs: MAX_DATABASES,
  };
  return loadLmdb().open<string, Key>(options);
}

/** Stands for a database that is missing in a file which nobody may write to. */
const EMPTY = { get: () => undefined, doesExist: () => false, getKeys: () => [], getRange: () => [] };

/** Opens all of them, and creates those that are missing; in a file that is open to read alone these are empty. */
export function openDatabases(root: RootDatabase<string, Key>): Databases {
  const open = <Value, Name extends Key>(
    name: (typeof NAMES)[number],
    encoding: 'string' | 'binary' = 'string',
    keyEncoding: 'ordered-binary' | 'binary' = 'ordered-binary',
  ) =>
    // LMDB gives nothing for a missing one that it may not create, which its types leave out.
    root.openDB<Value, Name>({ name, encoding, keyEncoding }) ?? (EMPTY as unknown as Database<Value, Name>);
  return {
    records: open('records', 'binary'),
    index: open('index'),
    orderKeys: open('order-keys'),
    repeats: open('repeats', 'string', 'binary'),
    annotations: open('annotations'),
    receipts: open('receipts'),
    merchants: open('merchants'),
    meta: open('meta'),
  };
}
