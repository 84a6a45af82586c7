import type { Annotation } from './annotation.js';
import type { Doors } from './doors.js';
import type { Existing } from './order-claim.js';
import type { ReceiptStore } from './receipt-store.js';
import type { OperationRecord, RepeatRecord } from './record.js';

/** A filter of {@link Journal.find}. Every kind but `operationId` may match several records. */
export type JournalQuery =
  | { operationId: string }
  /** A `transactionReference` (or attempt id) of any attempt of the operation. */
  | { reference: string }
  | { transactionId: string }
  /** Operations about that transaction. */
  | { original: string }
  /** All operations of an environment created at `until` (epoch ms) or before, in the order of their time of creation. */
  | { environment: string; until?: number }
  /** Has no index, so it reads record after record. For people who look something up. */
  | { resultId: string }
  /** Has no index either. */
  | { terminal: string };

/**
 * The durable record of every operation. One contract test suite (`test/core/journal/contract`) covers every implementation.
 * A promise resolves once its change would survive a power cut, and rejects with `JournalError` where it would not. No later
 * read shows anything of a rejected change.
 */
export interface Journal {
  /**
   * Whether this process certainly has the journal to itself. To be asked right before whatever must not be done by two
   * processes: a request that moves money, a stop, a delivery. Costs nothing; always true where no other process can have it.
   */
  mayAct(): boolean;

  /**
   * Whether a flow may hear that the journal cannot be written. False in a process that has only just woken up: another one
   * may have told the flow the result meanwhile.
   */
  mayTellUnavailable(): boolean;

  /**
   * Writes a new operation and gives its lease to its `owner`. Rejects when the journal has its `operationId` already.
   * The engine sends nothing before this resolves. Where the origin has a key, the operation takes it in the same
   * transaction, or nothing is written and the operation that has it comes back; `order-claim.ts` decides. Resolves with
   * the number of the attempt, which the record has too where there is a key. Accepts the request of an order that a door
   * asked for, in the same transaction, and rejects with `RequestGoneError` where it was taken back.
   */
  record(operation: OperationRecord): Promise<{ attempt: number } | Existing>;

  /**
   * The operation that has the key of an order within an environment. Rejects where it is damaged.
   * @param hash of the key
   */
  holder(environment: string, hash: string): Promise<OperationRecord | undefined>;

  /** Replaces an operation's record by a later one. Rejects when the journal has no earlier one. */
  advance(operation: OperationRecord): Promise<void>;

  /**
   * Adds what a person said about an operation, after what was said before. Any process may do that, whoever works on the
   * operation. Rejects when the journal has no such operation.
   */
  annotate(operationId: string, annotation: Annotation): Promise<void>;

  /**
   * What was said about operations, oldest first; an operation about which nothing was said is absent. A damaged row is
   * `UNREADABLE_ANNOTATION`, and reported.
   */
  annotations(operationIds: readonly string[]): Promise<ReadonlyMap<string, readonly Annotation[]>>;

  /**
   * The matching operations, newest first by their sequence, at most `limit` (default 100). Rejects where one of them is
   * damaged, so that nobody decides without it; a list (`environment`, `terminal`, `resultId`) leaves it out and reports it.
   */
  find(query: JournalQuery, limit?: number): Promise<OperationRecord[]>;

  /**
   * Writes a message that repeats an order, or replaces it by its later state. Where a door asked for it, that is accepted with
   * the first writing, as in {@link Journal.record}.
   */
  recordRepeat(repeat: RepeatRecord): Promise<void>;

  /** Every repeat of an environment that is not forgotten, oldest first. Leaves a damaged one out, and reports it. */
  repeats(environment: string): Promise<RepeatRecord[]>;

  /** Deletes a repeat that has been told all there is. Does nothing where it is not there. */
  forgetRepeat(repeat: RepeatRecord): Promise<void>;

  /** The ids of the merchants that a key opens, as they were noted last; undefined where that is not known. */
  merchantsOf(keyId: string): Promise<readonly string[] | undefined>;

  /** Notes which merchants a key opens, by their ids. `engine/service-id.ts` says what the ids are. */
  noteMerchants(keyId: string, merchants: readonly string[]): Promise<void>;

  /** The same object for all in this process that are one journal. Absent: it is the journal itself. */
  readonly place?: object;

  /** What several processes with this journal tell each other. Absent where no other process can have it. */
  readonly doors?: Doors;

  /** Absent where this journal keeps none. */
  readonly receipts?: ReceiptStore;

  /** Every operation of an environment that is not `closed`, oldest first by their sequence. */
  open(environment: string): Promise<OperationRecord[]>;

  /** The ids of {@link Journal.open}, which cost less where there are many. */
  openIds(environment: string): Promise<string[]>;

  /** The environments that have operations. */
  environments(): Promise<string[]>;

  /** The environments that have operations which are not `closed`. */
  openEnvironments(): Promise<string[]>;

  /**
   * Makes `owner` the only engine that works on an open operation. Resolves with false when the operation is closed or
   * missing, and when another owner's lease has not run out at `now` (epoch ms).
   */
  claim(operationId: string, owner: string, now: number): Promise<boolean>;

  /**
   * How long ago an operation was written last, ms, by a clock that is the same for every process. Undefined where nobody knows.
   * Absent where no other process can have the journal.
   */
  unchangedFor?(operationId: string): Promise<number | undefined>;

  /** Extends all leases of `owner` until `until` (epoch ms). */
  renew(owner: string, until: number): Promise<void>;

  /** Ends all leases of `owner`, so that another engine may claim its operations at once. */
  release(owner: string): Promise<void>;

  /**
   * Deletes closed operations that were last changed longer ago than `keep` (ms), the oldest first, at most `limit` (default
   * 10), and fewer where that would take more than some milliseconds; with each the key of its order, and what was said about
   * it. Keeps what nobody knows the end of; what names an original for as long as the original is there, because it counts
   * against that; and the first of an order while a message that repeats it waits. Resolves with the number of deleted
   * operations: 0 once there are none.
   *
   * How long ago counts by the journal's age alone: the time for which it was open, as its processes measured it. A clock that
   * is set wrong, in the life that recorded a payment or in the one that prunes, would delete what is new.
   */
  prune(keep: number, limit?: number): Promise<number>;

  close(): Promise<void>;
}

/** The journal in a process that does not lead: it reads all of it, and writes nothing that the leader relies on. */
export type DoorJournal = Pick<
  Journal,
  | 'find'
  | 'holder'
  | 'repeats'
  | 'open'
  | 'environments'
  | 'openEnvironments'
  | 'annotate'
  | 'annotations'
  | 'merchantsOf'
  | 'noteMerchants'
  | 'receipts'
  | 'close'
> & { readonly doors: Doors };
