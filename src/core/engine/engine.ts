import { Client } from '../api/client.js';
import { Dispatcher, type Subscriber } from '../delivery/dispatcher.js';
import type { Listener } from '../delivery/listener.js';
import { type Annotation, knownMoney } from '../journal/annotation.js';
import type { JournalQuery } from '../journal/journal.js';
import type { OperationRecord } from '../journal/record.js';
import type { BackOfficeDraft } from '../operation/back-office-order.js';
import type { Order, Origin } from '../operation/order.js';
import { type Balance, balanceOf } from '../original/balance.js';
import { ActiveOperations } from './active-operations.js';
import { type CallbackAnswer, CallbackReceiver } from './callback-receiver.js';
import type { EngineOptions } from './options.js';
import { RecordFactory } from './record-factory.js';
import { serviceOf } from './service-id.js';

/** Gets the record of an operation after every event of it. Called synchronously; must not throw. */
export type Observer = (record: OperationRecord) => void;

/** All operations of one environment: takes orders, finds out how each ends, and delivers the results to the flow. */
export class Engine {
  readonly client: Client;
  private readonly dispatcher: Dispatcher;
  private readonly records: RecordFactory;
  private readonly operations: ActiveOperations;
  private readonly callbacks: CallbackReceiver;
  private readonly submissions = new Set<Promise<string>>();
  private readonly observers = new Set<Observer>();

  /** @throws ConfigurationError when an address or the key cannot be used */
  constructor(private readonly options: EngineOptions) {
    this.client = new Client(options);
    this.dispatcher = new Dispatcher(options.log ?? (() => undefined));
    const owner = options.newId();
    const service = serviceOf(options);
    this.records = new RecordFactory({ ...options, service }, owner);
    this.operations = new ActiveOperations(options, owner, service, {
      client: this.client,
      dispatcher: this.dispatcher,
      records: this.records,
      publish: (record) => this.publish(record),
    });
    this.callbacks = new CallbackReceiver(options, this.operations);
  }

  /**
   * Resumes what earlier engines of this environment left open.
   * @throws JournalError when the journal cannot be read
   */
  async start(): Promise<void> {
    await this.operations.resumeOpen();
  }

  /**
   * Detaches: a request on its way gets 10 s to be answered, everything is noted in the journal, no timer is left. The
   * next engine of this environment resumes what is open.
   */
  async stop(): Promise<void> {
    this.operations.stop();
    await Promise.allSettled(this.submissions);
    await this.operations.detach();
  }

  /**
   * Takes an order. Resolves with the `operationId` once the operation is durable and on its way.
   * @throws InputError, ConfigurationError, JournalError: nothing was sent, and nothing will be
   */
  submit(order: Order): Promise<string> {
    return this.begin(() => this.records.ofTerminal(order));
  }

  /**
   * Takes an order that needs no terminal. Resolves with the `operationId` once it is durable and on its way.
   * @throws InputError, ConfigurationError, JournalError: nothing was sent, and nothing will be
   */
  submitBackOffice(order: BackOfficeDraft, origin: Origin): Promise<string> {
    return this.begin(() => this.records.ofBackOffice(order, origin));
  }

  /** Delivers to a node the results of its messages, and those that waited for it. Returns how to detach it. */
  attach(node: string, listener: Listener): () => void {
    return this.dispatcher.attach(node, listener);
  }

  /** Gets every result that is delivered, and those that come late. Returns how to stop that. */
  subscribe(subscriber: Subscriber): () => void {
    return this.dispatcher.subscribe(subscriber);
  }

  /** To be called once the flows run: a result whose node is not attached by then goes to the subscribers. */
  releaseUnclaimed(): void {
    this.dispatcher.releaseUnclaimed();
  }

  /** What the journal holds of this environment, newest first, at most `limit` (100). @throws JournalError */
  async find(query: JournalQuery, limit?: number): Promise<OperationRecord[]> {
    const found = await this.options.journal.find(query, limit);
    return found.filter(({ environment }) => environment === this.options.environment);
  }

  /** What is left of an earlier payment; undefined where the journal does not know it. @throws JournalError */
  balance(transactionId: string): Promise<Balance | undefined> {
    return balanceOf((query, limit) => this.find(query, limit), transactionId);
  }

  /** What the journal holds of this environment, newest first, created at `until` (epoch ms) or before. @throws JournalError */
  recent(limit: number, until?: number): Promise<OperationRecord[]> {
    return this.options.journal.find({ environment: this.options.environment, until }, limit);
  }

  /** Operations with a pending result, and those that are watched, oldest first. @throws JournalError */
  open(): Promise<OperationRecord[]> {
    return this.options.journal.open(this.options.environment);
  }

  /** What people said about operations, by their ids. @throws JournalError */
  annotations(operationIds: readonly string[]): Promise<ReadonlyMap<string, readonly Annotation[]>> {
    return this.options.journal.annotations(operationIds);
  }

  /** Notes what a person says about an operation. @throws JournalError */
  async annotate(record: OperationRecord, said: Pick<Annotation, 'event' | 'by' | 'note'>): Promise<void> {
    const { journal, clock } = this.options;
    await journal.annotate(record.operationId, { ...said, at: clock.now(), known: knownMoney(record) });
    this.publish(record);
  }

  /** Gets every operation that is under way here, after each of its events. Returns how to stop that. */
  observe(observer: Observer): () => void {
    this.observers.add(observer);
    return () => this.observers.delete(observer);
  }

  /** Probes at once instead of later. False when the operation is not under way here. */
  checkNow(operationId: string): boolean {
    const runner = this.operations.get(operationId);
    runner?.checkNow();
    return runner !== undefined;
  }

  /** Asks for an operation to be stopped. False when it is not under way here. The flow gets the result as ever. */
  cancel(operationId: string): boolean {
    const runner = this.operations.get(operationId);
    runner?.cancel();
    return runner !== undefined;
  }

  /** Asks for every operation of a node to be stopped. Returns how many are under way. */
  cancelOf(node: string): number {
    const runners = this.operations.all.filter(({ record }) => record.origin.node === node);
    for (const runner of runners) runner.cancel();
    return runners.length;
  }

  /**
   * A result as the service calls it back (spec: Events). A forged call costs no look-up, and changes nothing.
   * @param attemptId last segment of the path it came by
   * @param token header `auth-token`
   */
  callback(attemptId: string, token: string | undefined, body: string): Promise<CallbackAnswer> {
    return this.callbacks.receive(attemptId, token, body);
  }

  private begin(recordOf: () => Promise<OperationRecord> | OperationRecord): Promise<string> {
    const submission = this.operations.begin(recordOf);
    this.submissions.add(submission);
    const forget = (): boolean => this.submissions.delete(submission);
    submission.then(forget, forget);
    return submission;
  }

  private publish(record: OperationRecord): void {
    for (const observer of this.observers) observer(record);
  }
}
