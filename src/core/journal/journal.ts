import type { OperationRecord } from './record.js';

/** Filters of {@link Journal.find}; exactly one is given. All but `operationId` may match several records. */
export type JournalQuery =
  | { operationId: string }
  /** A `transactionReference` (or attempt id) of any attempt of the operation. */
  | { reference: string }
  | { resultId: string }
  | { transactionId: string }
  /** Operations about that transaction. */
  | { original: string }
  /** Newest first. */
  | { terminal: string }
  /** All of an environment, newest first, that were created at `until` (epoch ms) or before. */
  | { environment: string; until?: number };

/**
 * The durable record of every operation. One contract test suite (`test/core/journal-contract.ts`) holds for every
 * implementation. Every promise resolves only when the change would survive a power cut, and rejects with
 * `JournalError` where it would not; a rejected change has left no trace that a later read could show.
 */
export interface Journal {
  /**
   * Writes a new operation, its lease held by its `owner`. Rejects when its `operationId` is there already.
   * Nothing is sent before this resolves.
   */
  record(operation: OperationRecord): Promise<void>;

  /** Replaces an operation's record by a later one. Rejects when there is none. */
  advance(operation: OperationRecord): Promise<void>;

  /** Newest first, at most `limit` (100 unless told). */
  find(query: JournalQuery, limit?: number): Promise<OperationRecord[]>;

  /** Every operation that still owes the flow something: `closed` is false. Oldest first. */
  open(environment: string): Promise<OperationRecord[]>;

  /**
   * Makes `owner` the one engine that works on an open operation. False when another owner holds it and its lease has
   * not run out at `now` (epoch ms).
   */
  claim(operationId: string, owner: string, now: number): Promise<boolean>;

  /** Extends all that `owner` holds until `until` (epoch ms). */
  renew(owner: string, until: number): Promise<void>;

  /** Gives back all that `owner` holds, so that another engine may claim it at once. */
  release(owner: string): Promise<void>;

  /** Deletes closed operations whose `updatedAt` is before `before` (epoch ms), at most `limit` (1000). Returns how many. */
  prune(before: number, limit?: number): Promise<number>;

  close(): Promise<void>;
}
