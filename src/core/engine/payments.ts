import type { Client } from '../api/client.js';
import type { Dispatcher, Subscriber } from '../delivery/dispatcher.js';
import type { Listener } from '../delivery/listener.js';
import type { Annotation } from '../journal/annotation.js';
import type { JournalQuery } from '../journal/journal.js';
import type { OperationRecord } from '../journal/record.js';
import type { BackOfficeDraft } from '../operation/back-office-order.js';
import type { Order, Origin } from '../operation/order.js';
import type { OrderKey } from '../operation/order-key.js';
import type { Balance } from '../original/balance.js';
import type { Whole } from '../original/whole.js';
import type { CallbackAnswer } from './callback-receiver.js';
import type { CancelTarget } from './cancellation.js';
import type { Library } from './library.js';
import type { Unanswered } from './options.js';

/** Gets the record of an operation after every event of it. Called synchronously; must not throw. */
export type Observer = (record: OperationRecord) => void;

/**
 * The payments of one environment: the engine that drives them, or a door to it in a process that does not lead. Both read
 * the journal, and tell the flows of this process.
 */
export abstract class Payments {
  abstract readonly client: Client;
  protected abstract readonly library: Library;
  protected abstract readonly dispatcher: Dispatcher;
  private readonly observers = new Set<Observer>();

  abstract start(): Promise<void>;

  abstract stop(): Promise<void>;

  /**
   * Takes an order. Resolves with the id of its message (the `operationId`) once it is durable and on its way. A message
   * that repeats an order under its key has an id of its own, and is told what becomes of the first.
   * @throws InputError, ConfigurationError, JournalError, IdempotencyKeyReusedError, IdempotencyKeyElsewhereError: nothing was sent,
   * and nothing will be
   */
  abstract submit(order: Order): Promise<string>;

  /**
   * Takes an order that needs no terminal, as {@link submit} does.
   * @throws InputError, ConfigurationError, JournalError, IdempotencyKeyReusedError, IdempotencyKeyElsewhereError: nothing was sent,
   * and nothing will be
   */
  abstract submitBackOffice(order: BackOfficeDraft, origin: Origin): Promise<string>;

  /** Operations whose flow has heard here that the journal cannot be written, or that nobody knows, and nothing since. */
  abstract get unanswered(): readonly Unanswered[];

  /** Probes at once instead of later. False when the operation is not under way. */
  abstract checkNow(operationId: string): boolean | Promise<boolean>;

  /**
   * Stops what a flow names, messages that are just being accepted included. False where this environment has never heard of
   * it. @throws JournalError
   */
  abstract cancelTarget(target: CancelTarget): Promise<boolean>;

  /**
   * A result as the service calls it back (spec: Events). A forged call costs no look-up, and changes nothing.
   * @param attemptId last segment of the path it came by
   * @param token header `auth-token`
   */
  abstract callback(attemptId: string, token: string | undefined, body: string): Promise<CallbackAnswer>;

  /** Delivers to a node the results of its messages, and those that waited for it. Returns how to detach it. */
  attach(node: string, listener: Listener): () => void {
    return this.dispatcher.attach(node, listener);
  }

  /** Gets every result that is delivered, and those that come late. Returns how to stop that. */
  subscribe(subscriber: Subscriber): () => void {
    return this.dispatcher.subscribe(subscriber);
  }

  /** Hands over no result until {@link releaseUnclaimed}: nodes come and go, and what a node sends to one that is not there is lost. */
  hold(): void {
    this.dispatcher.hold();
  }

  /** To be called once the flows run: a result whose node is not attached by then goes to the subscribers. */
  releaseUnclaimed(): void {
    this.dispatcher.releaseUnclaimed();
  }

  /** What the journal holds of this environment, newest first, at most `limit` (100). @throws JournalError */
  find(query: JournalQuery, limit?: number): Promise<OperationRecord[]> {
    return this.library.find(query, limit);
  }

  /** The operation that has the key of an order. @throws JournalError */
  holder(key: OrderKey): Promise<OperationRecord | undefined> {
    return this.library.holder(key);
  }

  /**
   * What is left of an earlier payment; undefined where the journal does not know it.
   * @param key of the order that asks: what it did itself, and what came after it, does not count
   * @throws JournalError
   */
  balance(transactionId: string, key?: OrderKey): Promise<Balance | undefined> {
    return this.library.balance(transactionId, key);
  }

  /**
   * What a full reversal of an earlier payment takes back: by its chain, or else by this journal.
   * @param reference of the chain, where this journal does not know the payment
   * @throws JournalError
   */
  whole(transactionId: string, reference?: string): Promise<Whole | undefined> {
    return this.library.whole(transactionId, reference);
  }

  /** What the journal holds of this environment, newest first, created at `until` (epoch ms) or before. @throws JournalError */
  recent(limit: number, until?: number): Promise<OperationRecord[]> {
    return this.library.recent(limit, until);
  }

  /** Operations with a pending result, and those that are watched, oldest first. @throws JournalError */
  open(): Promise<OperationRecord[]> {
    return this.library.open();
  }

  /** What people said about operations, by their ids. @throws JournalError */
  annotations(operationIds: readonly string[]): Promise<ReadonlyMap<string, readonly Annotation[]>> {
    return this.library.annotations(operationIds);
  }

  /** Notes what a person says about an operation. @throws JournalError */
  async annotate(record: OperationRecord, said: Pick<Annotation, 'event' | 'by' | 'note'>): Promise<void> {
    await this.library.annotate(record, said);
    this.publish(record);
  }

  /** Gets every operation that is under way here, after each of its events. Returns how to stop that. */
  observe(observer: Observer): () => void {
    this.observers.add(observer);
    return () => this.observers.delete(observer);
  }

  protected publish(record: OperationRecord): void {
    for (const observer of this.observers) observer(record);
  }
}
