import type { Client } from '../api/client.js';
import type { CallbackSettings } from '../base/callback.js';
import type { Clock, NewId } from '../base/seams.js';
import type { Dispatcher } from '../delivery/dispatcher.js';
import type { KeptReceipts } from '../delivery/kept-receipts.js';
import type { StageChange } from '../delivery/listener.js';
import type { Journal } from '../journal/journal.js';
import type { Existing } from '../journal/order-claim.js';
import type { OperationRecord } from '../journal/record.js';
import type { Load } from '../lifecycle/terminal/schedule.js';
import type { CommonEvent, Resumed } from '../operation/event.js';
import type { Envelope } from './mailbox.js';
import type { NumberedDelivery, Outbox } from './outbox.js';

/** Hears what a message is told, for the messages that repeat its order. */
export interface Echo {
  verdict(first: OperationRecord, delivery: NumberedDelivery): void;
  stage(change: StageChange): void;
  /** Messages may have come while another engine held it. */
  takenUp(runner: AnyRunner): void;
}

/** What a runner needs of its engine. */
export interface RunnerContext {
  client: Client;
  journal: Journal;
  clock: Clock;
  newId: NewId;
  dispatcher: Dispatcher;
  echo: Echo;
  callback?: CallbackSettings;
  receipts?: KeptReceipts;
  load(): Load;
  /** Whether another operation goes before it at its terminal, so that a stop would hit that one. */
  isBehind(record: OperationRecord): boolean;
  log(level: 'info' | 'warn' | 'error', text: string): void;
  /** Called after every event that a runner has handled. */
  onChange(runner: AnyRunner): void;
}

/** What an engine needs of a runner, whatever kind of operation it runs. */
export interface AnyRunner {
  readonly record: OperationRecord;

  /** True while others with the same queue keys must wait. */
  readonly holdsTurn: boolean;

  /** True when nothing is pending, nothing is watched, and the journal has stored that. */
  readonly isOver: boolean;

  /**
   * Writes the record for the first time, once `leased` resolves. Undefined: it could not be written, and the flow has been
   * told so.
   * @throws JournalError: it could not be written, and the flow has been told nothing
   */
  create(leased: Promise<void>): Promise<{ attempt: number } | Existing | undefined>;

  /** Starts the work on a record that has just become durable, and whose turn it is. */
  begin(): void;

  /**
   * Resumes an operation that an earlier engine left.
   * @param isRewritten the record is not as the journal has it
   */
  restore(resumed: Resumed, isRewritten: boolean): void;

  /** Resolves once everything that waits now has been handled. */
  idle(): Promise<void>;

  /** Updates what the journal knows of the original, right before its reversal is sent. */
  refreshOriginal(known: Pick<OperationRecord, 'reverses' | 'reversedAmount'>): void;

  readonly outbox: Pick<Outbox, 'isUnanswered' | 'withheldPayload'>;

  /** The journal could not take the latest version of the record. */
  readonly unpersisted: boolean;

  /** The current verdict; undefined until the journal has one. */
  latestDelivery(): NumberedDelivery | undefined;

  /** The stage that a flow may show; undefined once there is a result. */
  stage(): StageChange | undefined;

  /** Tells the flow the stage if it has changed. */
  announce(): void;

  enqueue(envelope: Envelope<CommonEvent>): void;

  /** Probes at once instead of later. The result is delivered as usual. */
  checkNow(): void;

  /** Asks for the operation to be stopped, where it still can be. */
  cancel(): void;

  /** Gives a request on its way 10 s to be answered, notes in the journal what is pending, and leaves no timer. */
  detach(): Promise<void>;
}
