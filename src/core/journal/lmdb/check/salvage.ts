import type { OperationRecord } from '../../record.js';
import { type AnnotationRow, rowIn } from '../rows/annotation-store.js';
import { sequenceIn } from '../rows/index-keys.js';
import { mustBeSound, recordIn } from '../rows/record-bytes.js';
import { HEADER, kindOf, NODE_HEADER, type PageFile, PageKind, transactionOf, wide } from './page-file.js';

/** Long enough for any record; what claims to be longer is nonsense. */
const LONGEST = 16 * 1024 * 1024;
const OVERFLOW = 1;
const KEY = 8;

/** Where in a file a record was found, in bytes. */
interface Place {
  sequence: number;
  transaction: number;
  offset: number;
  size: number;
}

/**
 * Every record that can still be read in a file, whatever became of the rest of it: in its latest version that is left, oldest
 * first. Goes through all pages, used or not, so that it may give what was pruned, too.
 */
export function* salvage(file: PageFile): Iterable<OperationRecord> {
  const latest = new Map<number, Place>();
  for (const place of allPlaces(file)) {
    const known = latest.get(place.sequence);
    if (known !== undefined && known.transaction > place.transaction) continue;
    if (recordAt(file, place) !== undefined) latest.set(place.sequence, place);
  }
  for (const place of [...latest.values()].sort((a, b) => a.sequence - b.sequence)) {
    const record = recordAt(file, place);
    if (record !== undefined) yield record;
  }
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
    const isLong = (page.readUInt16LE(node + 4) & OVERFLOW) !== 0;
    if (value + (isLong ? 8 : 0) > page.length) continue;
    yield {
      sequence: sequenceIn(page.toString('latin1', node + NODE_HEADER, node + NODE_HEADER + KEY)),
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
