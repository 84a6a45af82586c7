import type { Sealed } from '../base/privacy/seal.js';

/** The receipts of one operation, each for itself: nobody who reads the journal reads them. */
export interface SealedReceipts {
  customer?: Sealed;
  merchant?: Sealed;
}

/** Receipts that an environment chose to keep, apart from the records. They are never exported. */
export interface ReceiptStore {
  /**
   * Keeps the receipts of an operation, instead of those it had. Rejects when the journal has no such operation.
   * @param keep how long, ms of the journal's age; they go with the record at the latest
   */
  keep(operationId: string, receipts: SealedReceipts, keep: number): Promise<void>;

  /** Undefined where there are none. Reports damaged ones, and leaves them out. */
  find(operationId: string): Promise<SealedReceipts | undefined>;

  /**
   * Deletes what was kept long enough, at most `limit` (default 10). Resolves with the number of operations that have none any
   * more.
   */
  prune(limit?: number): Promise<number>;
}
