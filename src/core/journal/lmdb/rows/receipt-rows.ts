import type { Key } from 'lmdb';
import type { SealedReceipts } from '../../receipt-store.js';
import type { Databases } from '../file/databases.js';
import { checkedJson, valueIn } from './checked-json.js';

/** Sealed receipts as they lie in the file, with their key, so that those found under the key of others are noticed. */
interface ReceiptRow {
  kind: 'receipts';
  operationId: string;
  /** Age of the journal, ms. */
  until: number;
  receipts: SealedReceipts;
}

const OF = 'of';
const UNTIL = 'until';
const READ_AT_ONCE = 200;
/** Stands for bytes that are no text. */
const NO_TEXT = '\ufffd';

/**
 * Sealed receipts by `['of', operationId]`, and beside each an empty row `['until', age, operationId]` by which those that are
 * over are found without reading any. Its writes belong into a transaction of the store.
 */
export class ReceiptRows {
  private readonly reported = new Set<string>();

  /** @param report called once for each row that is damaged */
  constructor(
    private readonly rows: Databases['receipts'],
    private readonly report: (damage: string) => void,
  ) {}

  put(operationId: string, receipts: SealedReceipts, until: number): void {
    this.remove(operationId);
    const row: ReceiptRow = { kind: 'receipts', operationId, until, receipts };
    this.rows.putSync([OF, operationId], checkedJson(row));
    this.rows.putSync([UNTIL, until, operationId], '');
  }

  of(operationId: string): SealedReceipts | undefined {
    return this.rowOf(operationId)?.receipts;
  }

  remove(operationId: string): void {
    const row = this.rowOf(operationId);
    if (row !== undefined) this.rows.removeSync([UNTIL, row.until, operationId]);
    this.rows.removeSync([OF, operationId]);
  }

  /** Returns how many operations have none any more. */
  removeUntil(age: number, limit: number): number {
    let removed = 0;
    for (const key of this.over(age)) {
      if (removed >= limit) break;
      const operationId = String(key[2]);
      // Where its row is damaged, another date may stand for it: each is removed in its turn.
      const isOver = this.rows.doesExist([OF, operationId]) && (this.rowOf(operationId)?.until ?? 0) < age;
      if (isOver) this.rows.removeSync([OF, operationId]);
      if (isOver) removed++;
      this.rows.removeSync(key);
    }
    return removed;
  }

  /** Keys of what is over, oldest first. A damaged key may not be what lies in the file, so it cannot be removed. */
  private over(age: number): Key[][] {
    const found: Key[][] = [];
    for (const key of this.rows.getKeys({ start: [UNTIL], end: [UNTIL, age] })) {
      if (!key.some((part) => String(part).includes(NO_TEXT))) found.push(key);
      if (found.length >= READ_AT_ONCE) break;
    }
    return found;
  }

  /** Reports every row that is damaged. */
  check(): void {
    for (const key of [...this.rows.getKeys({ start: [OF], end: [`${OF}\uffff`] })]) this.rowOf(String(key[1]));
  }

  private rowOf(operationId: string): ReceiptRow | undefined {
    const text = this.rows.get([OF, operationId]);
    if (text === undefined) return undefined;
    const row = valueIn<ReceiptRow>(text);
    if (row?.kind === 'receipts' && row.operationId === operationId) return row;
    if (!this.reported.has(operationId))
      this.report(`the receipts of a payment are damaged in the journal, and are left out: ${operationId}`);
    this.reported.add(operationId);
    return undefined;
  }
}
