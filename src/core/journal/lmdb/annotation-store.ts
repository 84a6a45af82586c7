import type { Database, RootDatabase } from 'lmdb';
import type { Annotation } from '../annotation.js';

/** `[operationId, place]`: the place counts, so that no clock decides which was said last. */
type RowKey = [string, number];

/** What people said about operations: rows of their own, which are only added. */
export class AnnotationStore {
  private readonly rows: Database<string, RowKey>;

  constructor(root: RootDatabase) {
    this.rows = root.openDB({ name: 'annotations', encoding: 'string' });
  }

  /** Within a transaction. */
  add(operationId: string, annotation: Annotation): void {
    this.rows.putSync([operationId, this.rows.getKeysCount(rangeOf(operationId))], JSON.stringify(annotation));
  }

  of(operationId: string): Annotation[] {
    return [...this.rows.getRange(rangeOf(operationId))].map(({ value }) => JSON.parse(value));
  }

  /** Within a transaction. */
  remove(operationId: string): void {
    for (const key of [...this.rows.getKeys(rangeOf(operationId))]) this.rows.removeSync(key);
  }
}

function rangeOf(operationId: string): { start: RowKey; end: RowKey } {
  return { start: [operationId, 0], end: [operationId, Number.POSITIVE_INFINITY] };
}
