import type { Key } from 'lmdb';
import { type Annotation, UNREADABLE_ANNOTATION } from '../../annotation.js';
import type { Databases } from '../file/databases.js';
import { checkedJson, valueIn } from './checked-json.js';

/** An annotation as it lies in the file, with its key, so that one found under the key of another is noticed. */
export interface AnnotationRow {
  kind: 'annotation';
  operationId: string;
  /** From 0. It counts, so that no clock decides which was said last. */
  place: number;
  annotation: Annotation;
}

/**
 * What people said about operations: rows of their own, which are only added, as `checked-json.ts` writes them, by
 * `operationId` and place. Its writes belong into a transaction of the store.
 */
export class AnnotationStore {
  private readonly reported = new Set<string>();
  /** Sound rows that lie under the key of another, by the operation that they are about. */
  private readonly misplaced = new Map<string, AnnotationRow[]>();

  /** @param report called once for each row that is damaged */
  constructor(
    private readonly rows: Databases['annotations'],
    private readonly report: (damage: string) => void,
  ) {}

  add(operationId: string, annotation: Annotation): void {
    // The place behind the last row. Where a row was lost, the number of rows is the place of another one.
    const { start, end } = rangeOf(operationId);
    const [last] = this.rows.getKeys({ start: end, end: start, reverse: true, limit: 1 });
    const place = Math.max(placeIn(last), ...this.misplacedOf(operationId).map((row) => row.place)) + 1;
    const row: AnnotationRow = { kind: 'annotation', operationId, place, annotation };
    this.rows.putSync([operationId, place], checkedJson(row));
  }

  /** Oldest first. A damaged one is `UNREADABLE_ANNOTATION`, and reported. */
  of(operationId: string): Annotation[] {
    const found = [...this.misplacedOf(operationId)];
    for (const { key, value } of this.rows.getRange(rangeOf(operationId))) {
      const row = this.soundOrReport(key, value);
      found.push(row ?? { kind: 'annotation', operationId, place: placeIn(key), annotation: UNREADABLE_ANNOTATION });
    }
    return found.sort((a, b) => a.place - b.place).map(({ annotation }) => annotation);
  }

  remove(operationId: string): void {
    for (const key of [...this.rows.getKeys(rangeOf(operationId))]) this.rows.removeSync(key);
  }

  /** Looks at one row after the other: reports every one that is damaged, and keeps in mind those under another's key. */
  *check(): Generator<void, void, void> {
    for (const { key, value } of this.rows.getRange({ snapshot: false })) {
      if (this.soundOrReport(key, value) === undefined) this.keepInMind(rowIn(value));
      yield;
    }
  }

  /** The row that a value is, where it is sound and lies under its own key. */
  private soundOrReport(key: Key, value: string): AnnotationRow | undefined {
    const row = rowIn(value);
    const place = [key].flat().join(' ');
    if (row !== undefined && `${row.operationId} ${row.place}` === place) return row;
    this.reportRow(place);
    return undefined;
  }

  private keepInMind(row: AnnotationRow | undefined): void {
    // A second copy of a row that is there says nothing new.
    if (row === undefined || this.rows.doesExist([row.operationId, row.place])) return;
    this.misplaced.set(row.operationId, [...this.misplacedOf(row.operationId), row]);
  }

  private misplacedOf(operationId: string): readonly AnnotationRow[] {
    return this.misplaced.get(operationId) ?? [];
  }

  private reportRow(place: string): void {
    if (!this.reported.has(place))
      this.report(`what a person said about a payment is damaged in the journal: ${place}`);
    this.reported.add(place);
  }
}

/** The place in a key; -1 without one. */
function placeIn(key: Key | undefined): number {
  const place = Array.isArray(key) ? Number(key[1]) : Number.NaN;
  return Number.isNaN(place) ? -1 : place;
}

/** Undefined for what is no row, and for a damaged one. */
export function rowIn(text: string): AnnotationRow | undefined {
  const row = valueIn<{ kind?: string }>(text);
  return row?.kind === 'annotation' ? (row as AnnotationRow) : undefined;
}

function rangeOf(operationId: string): { start: Key[]; end: Key[] } {
  // A reversed range includes its start and excludes its end. No row has either of these places, so both directions find the
  // same.
  return { start: [operationId, -1], end: [operationId, Number.POSITIVE_INFINITY] };
}
