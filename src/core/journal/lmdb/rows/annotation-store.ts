import type { Key } from 'lmdb';
import type { Annotation } from '../../annotation.js';
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

  /** @param report called once for each row that is damaged */
  constructor(
    private readonly rows: Databases['annotations'],
    private readonly report: (damage: string) => void,
  ) {}

  add(operationId: string, annotation: Annotation): void {
    // Behind the last row, not by their number: where one was lost, that is the place of another.
    const { start, end } = rangeOf(operationId);
    const [last] = this.rows.getKeys({ start: end, end: start, reverse: true, limit: 1 });
    const place = last === undefined ? 0 : Number(last[1]) + 1;
    const row: AnnotationRow = { kind: 'annotation', operationId, place, annotation };
    this.rows.putSync([operationId, place], checkedJson(row));
  }

  /** Oldest first. A damaged one is reported, and left out. */
  of(operationId: string): Annotation[] {
    return this.annotationsIn(rangeOf(operationId));
  }

  remove(operationId: string): void {
    for (const key of [...this.rows.getKeys(rangeOf(operationId))]) this.rows.removeSync(key);
  }

  /** Reports every row that is damaged. */
  check(): void {
    this.annotationsIn({});
  }

  private annotationsIn(range: { start?: Key[]; end?: Key[] }): Annotation[] {
    const found: Annotation[] = [];
    for (const { key, value } of this.rows.getRange(range)) {
      const row = rowIn(value);
      const place = [key].flat().join(' ');
      if (row !== undefined && `${row.operationId} ${row.place}` === place) found.push(row.annotation);
      else this.reportRow(place);
    }
    return found;
  }

  private reportRow(place: string): void {
    if (!this.reported.has(place))
      this.report(`what a person said about a payment is damaged in the journal, and is left out: ${place}`);
    this.reported.add(place);
  }
}

/** Undefined for what is no row, and for a damaged one. */
export function rowIn(text: string): AnnotationRow | undefined {
  const row = valueIn<{ kind?: string }>(text);
  return row?.kind === 'annotation' ? (row as AnnotationRow) : undefined;
}

function rangeOf(operationId: string): { start: Key[]; end: Key[] } {
  // In reverse the start counts in, and the end does not: no row has these.
  return { start: [operationId, -1], end: [operationId, Number.POSITIVE_INFINITY] };
}
