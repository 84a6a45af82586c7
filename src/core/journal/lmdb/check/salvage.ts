import type { OperationRecord } from '../../record.js';
import { type AnnotationRow, rowIn } from '../rows/annotation-store.js';
import { sequenceIn } from '../rows/index-keys.js';
import { mustBeSound, recordIn } from '../rows/record-bytes.js';
import { HEADER, kindOf, NODE_HEADER, type PageFile, PageKind, transactionOf, wide } from './page-file.js';

/** Long enough for any record; what claims to be longer is nonsense. */
const LONGEST = 16 * 1024 * 1024;
const OVERFLOW = 1;
const TREE = 2;
const KEY = 8;
const RECORD_KEY = /^[0-9a-z]{8}$/;

/** Where in a file a record was found, in bytes. */
interface Place {
  sequence: number;
  /** Its key is one as records have it. */
  isRecord: boolean;
  transaction: number;
  offset: number;
  size: number;
}

export interface Salvaged {
  record: OperationRecord;
  /** There was a later version of it, which cannot be read: what this one says may not hold any more. */
  isOutdated: boolean;
}

/**
 * Every record that can still be read in a file, whatever became of the rest of it: in its latest version that is left, oldest
 * first. Goes through all pages, used or not, so that it may give what was pruned, too.
 * @param onLost called with the sequence of a record of which no version can be read; it may have been pruned, too
 */
export function* salvage(file: PageFile, onLost: (sequence: number) => void = () => undefined): Iterable<Salvaged> {
  const latest = new Map<number, Place>();
  /** The transaction of the last version, which may be damaged. */
  const last = new Map<number, number>();
  for (const place of allPlaces(file)) {
    const { sequence, transaction } = place;
    if (place.isRecord) last.set(sequence, Math.max(transaction, last.get(sequence) ?? 0));
    const known = latest.get(sequence);
    if (known !== undefined && known.transaction > transaction) continue;
    if (recordAt(file, place) !== undefined) latest.set(sequence, place);
  }
  for (const place of [...latest.values()].sort((a, b) => a.sequence - b.sequence)) {
    const record = recordAt(file, place);
    if (record !== undefined) yield { record, isOutdated: (last.get(place.sequence) ?? 0) > place.transaction };
  }
  for (const sequence of [...last.keys()].sort((a, b) => a - b)) if (!latest.has(sequence)) onLost(sequence);
}

/** Every annotation that can still be read in a file, in the order of operations and places. Of pruned records, too. */
export function* salvageAnnotations(file: PageFile): Iterable<AnnotationRow> {
  // A row never changes, so any copy of it will do.
  const rows = new Map<string, AnnotationRow>();
  for (const place of allPlaces(file)) {
    const row = place.size > LONGEST ? undefined : rowIn(file.readAt(place.offset, place.size)?.toString() ?? '');
    if (row !== undefined) rows.set(`${row.operationId} ${row.place}`, row);
  }
  yield* [...rows.values()].sort((a, b) => a.operationId.localeCompare(b.operationId) || a.place - b.place);
}

function* allPlaces(file: PageFile): Iterable<Place> {
  const pages = Math.ceil(file.size / file.pageSize);
  for (let number = 0; number < pages; number++) {
    const page = file.read(number);
    if (page !== undefined && kindOf(page) === PageKind.leaf)
      yield* placesIn(page, number * file.pageSize, file.pageSize);
  }
}

/** The values that a page has, or leads to. @param start of the page in the file, in bytes */
function* placesIn(page: Buffer, start: number, pageSize: number): Iterable<Place> {
  const count = Math.min(page.readUInt16LE(20), page.length - HEADER) >> 1;
  for (let entry = 0; entry < count; entry++) {
    const node = HEADER + page.readUInt16LE(HEADER + entry * 2);
    if (node + NODE_HEADER + KEY > page.length) continue;
    const value = node + NODE_HEADER + page.readUInt16LE(node + 6);
    const flags = page.readUInt16LE(node + 4);
    const isLong = (flags & OVERFLOW) !== 0;
    const key = page.toString('latin1', node + NODE_HEADER, value);
    if (value + (isLong ? 8 : 0) > page.length) continue;
    yield {
      sequence: sequenceIn(key.slice(0, KEY)),
      isRecord: (flags & TREE) === 0 && RECORD_KEY.test(key),
      transaction: transactionOf(page),
      offset: isLong ? wide(page, value) * pageSize + HEADER : start + value,
      size: page.readUInt32LE(node),
    };
  }
}

function recordAt(file: PageFile, { sequence, offset, size }: Place): OperationRecord | undefined {
  const bytes = size > LONGEST ? undefined : file.readAt(offset, size);
  try {
    if (bytes === undefined) return undefined;
    mustBeSound(sequence, bytes);
    return recordIn(bytes);
  } catch {
    return undefined;
  }
}
