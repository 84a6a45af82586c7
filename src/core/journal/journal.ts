import type { Annotation } from './annotation.js';
import type { OperationRecord } from './record.js';

/** A filter of {@link Journal.find}. Every kind but `operationId` may match several records. */
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
  /** All operations of an environment created at `until` (epoch ms) or before, newest first. */
  | { environment: string; until?: number };

/**
 * The durable record of every operation. One contract test suite (`test/core/journal/contract.ts`) covers every
 * implementation. A promise resolves once its change would survive a power cut, and rejects with `JournalError` where it
 * would not. No later read shows anything of a rejected change.
 */
export interface Journal {
  /**
   * Writes a new operation and gives its lease to its `owner`. Rejects when the journal has its `operationId` already.
   * The engine sends nothing before this resolves.
   */
  record(operation: OperationRecord): Promise<void>;

  /** Replaces an operation's record by a later one. Rejects when the journal has no earlier one. */
  advance(operation: OperationRecord): Promise<void>;

  /**
   * Adds what a person said about an operation, after what was said before. Any process may do that, whoever works on the
   * operation. Rejects when the journal has no such operation.
   */
  annotate(operationId: string, annotation: Annotation): Promise<void>;

  /** What was said about operations, oldest first; an operation about which nothing was said is absent. */
  annotations(operationIds: readonly string[]): Promise<ReadonlyMap<string, readonly Annotation[]>>;

  /** The matching operations, newest first, at most `limit` (default 100). */
  find(query: JournalQuery, limit?: number): Promise<OperationRecord[]>;

  /** Every operation of an environment that is not `closed`, oldest first. */
  open(environment: string): Promise<OperationRecord[]>;

  /**
   * Makes `owner` the only engine that works on an open operation. Resolves with false when the operation is closed or
   * missing, and when another owner's lease has not run out at `now` (epoch ms).
   */
  claim(operationId: string, owner: string, now: number): Promise<boolean>;

  /** Extends all leases of `owner` until `until` (epoch ms). */
  renew(owner: string, until: number): Promise<void>;

  /** Ends all leases of `owner`, so that another engine may claim its operations at once. */
  release(owner: string): Promise<void>;

  /**
   * Deletes closed operations, and what was said about them, whose `updatedAt` is before `before` (epoch ms), the oldest first, at most `limit` (default
   * 1000). Resolves with the number of deleted operations.
   */
  prune(before: number, limit?: number): Promise<number>;

  close(): Promise<void>;
}
