import type { Receipts } from './payload.js';

/** Where an environment keeps receipts over a restart: apart from the records, which never hold any, and encrypted. */
export interface KeptReceipts {
  /**
   * Begins to write the receipts of an operation, before anything that the journal is given after this call. A failure is
   * reported, and changes nothing for the payment.
   */
  keep(operationId: string, receipts: Receipts): void;

  /** Undefined where there are none. @throws JournalError */
  of(operationId: string): Promise<Receipts | undefined>;
}
