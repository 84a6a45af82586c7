import { Client } from '../api/client.js';
import { ConfigurationError } from '../base/errors.js';
import { isSafeAddress } from '../base/privacy/address.js';
import { Dispatcher, type Subscriber } from '../delivery/dispatcher.js';
import { Heard } from '../delivery/heard.js';
import type { Listener } from '../delivery/listener.js';
import type { Annotation } from '../journal/annotation.js';
import type { JournalQuery } from '../journal/journal.js';
import type { OperationRecord } from '../journal/record.js';
import type { BackOfficeDraft } from '../operation/back-office-order.js';
import type { Order, Origin } from '../operation/order.js';
import type { OrderKey } from '../operation/order-key.js';
import type { Balance } from '../original/balance.js';
import type { Whole } from '../original/whole.js';
import { ActiveOperations } from './active-operations.js';
import { type CallbackAnswer, CallbackReceiver } from './callback-receiver.js';
import { Cancellation, type CancelTarget } from './cancellation.js';
import { DoorKeeper } from './doors/door-keeper.js';
import { doorSeal } from './doors/door-seal.js';
import { Library } from './library.js';
import type { EngineOptions, Unanswered } from './options.js';
import { RecordFactory } from './record-factory.js';
import { Repeats } from './repeats.js';
import { SameMerchant } from './service/same-merchant.js';
import { serviceOf } from './service/service-id.js';

/** ms. */
const HAND_OVER_AGAIN = 1000;

/** Gets the record of an operation after every event of it. Called synchronously; must not throw. */
export type Observer = (record: OperationRecord) => void;

/** All operations of one environment: takes orders, finds out how each ends, and delivers the results to the flow. */
export class Engine {
  readonly client: Client;
  private readonly library: Library;
  private readonly dispatcher: Dispatcher;
  private readonly records: RecordFactory;
  private readonly operations: ActiveOperations;
  private readonly repeats: Repeats;
  private readonly cancellation: Cancellation;
  private readonly callbacks: CallbackReceiver;
  /** Absent where no other process can have the journal. */
  private readonly doorKeeper: DoorKeeper | undefined;
  private readonly sameMerchant: SameMerchant;
  private readonly submissions = new Set<Promise<string>>();
  private readonly observers = new Set<Observer>();
  private readonly stopping = new AbortController();

  /** @throws ConfigurationError when an address or the key cannot be used */
  constructor(private readonly options: EngineOptions) {
    const { callback } = options;
    if (callback !== undefined && !isSafeAddress(callback.address))
      throw new ConfigurationError('the address for callbacks has to be https (http on loopback only)');
    this.sameMerchant = new SameMerchant(options, this.stopping.signal);
    this.client = new Client({ ...options, isSecondProved: () => this.sameMerchant.isSecondProved() });
    this.library = new Library(options, this.client);
    const { journal, clock } = options;
    this.dispatcher = new Dispatcher(options.log ?? (() => undefined), {
      mayAct: () => journal.mayAct(),
      later: (run) => clock.after(HAND_OVER_AGAIN, run),
    });
    const owner = options.newId();
    const service = serviceOf(options);
    const replica = journal.doors?.replica;
    this.records = new RecordFactory({ ...options, service, ...(replica && { replica }) }, owner);
    this.repeats = new Repeats(options, this.dispatcher, (operationId) => this.operations.get(operationId));
    this.operations = new ActiveOperations(options, owner, service, {
      client: this.client,
      dispatcher: this.dispatcher,
      records: this.records,
      echo: this.repeats,
      sameMerchant: this.sameMerchant,
      publish: (record) => this.publish(record),
    });
    this.cancellation = new Cancellation(options, this.operations, this.repeats);
    this.callbacks = new CallbackReceiver(options, this.operations);
    this.doorKeeper = this.keeperOf(options);
  }

  /**
   * Resumes what earlier engines of this environment left open.
   * @throws JournalError when the journal cannot be read
   */
  async start(): Promise<void> {
    if (this.options.journal.doors !== undefined) this.client.startAfresh();
    this.sameMerchant.learn().catch((error) => this.options.log?.('error', `API keys: ${String(error)}`));
    await this.repeats.load();
    await this.operations.resumeOpen();
    await this.repeats.catchUpAll();
    for (const { operationId: id, origin } of this.options.unanswered ?? []) {
      const end = await this.library.endOnceMore({ id, origin });
      if (end !== undefined) this.dispatcher.deliverHere(end, () => undefined);
    }
    this.doorKeeper?.start();
  }

  /**
   * Detaches: a request on its way gets 10 s to be answered, everything is noted in the journal, no timer is left. The
   * next engine of this environment resumes what is open.
   */
  async stop(): Promise<void> {
    this.doorKeeper?.stop();
    this.operations.stop();
    this.stopping.abort();
    await Promise.allSettled(this.submissions);
    await this.operations.detach();
    await this.repeats.stop();
    this.dispatcher.stop();
    await this.doorKeeper?.settled();
    this.client.close();
  }

  /**
   * Takes an order. Resolves with the id of its message (the `operationId`) once it is durable and on its way. A message
   * that repeats an order under its key has an id of its own, and is told what becomes of the first.
   * @throws InputError, ConfigurationError, JournalError, IdempotencyKeyReusedError: nothing was sent, and nothing will be
   */
  submit(order: Order): Promise<string> {
    return this.begin(() => this.records.ofTerminal(order));
  }

  /**
   * Takes an order that needs no terminal, as {@link submit} does.
   * @throws InputError, ConfigurationError, JournalError, IdempotencyKeyReusedError: nothing was sent, and nothing will be
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

  /** Operations whose flow has heard here that the journal cannot be written, and nothing since. */
  get unanswered(): readonly Unanswered[] {
    return this.operations.unanswered;
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

  /** Stops an operation. False when it is not under way here. The result is delivered as usual. */
  cancel(operationId: string): boolean {
    return this.cancellation.cancelOperation(operationId);
  }

  /**
   * Stops what a flow names, messages that are just being accepted included. False where this environment has never heard of
   * it. @throws JournalError
   */
  async cancelTarget(target: CancelTarget): Promise<boolean> {
    await Promise.allSettled(this.submissions);
    return this.cancellation.cancel(target);
  }

  /**
   * A result as the service calls it back (spec: Events). A forged call costs no look-up, and changes nothing.
   * @param attemptId last segment of the path it came by
   * @param token header `auth-token`
   */
  callback(attemptId: string, token: string | undefined, body: string): Promise<CallbackAnswer> {
    return this.callbacks.receive(attemptId, token, body);
  }

  private keeperOf(options: EngineOptions): DoorKeeper | undefined {
    const { dispatcher } = this;
    const { journal, environment, clock, heard = new Heard(), log = () => undefined } = options;
    const { doors } = journal;
    if (doors === undefined) return undefined;
    return new DoorKeeper(
      { doors, environment, clock, seal: doorSeal(options), dispatcher, heard, log },
      {
        order: (order, asked) => this.begin(() => this.records.ofTerminal(order, asked)),
        backOfficeOrder: (order, origin, asked) => this.begin(() => this.records.ofBackOffice(order, origin, asked)),
        cancel: (target) => this.cancelTarget(target),
        check: (operationId) => this.checkNow(operationId),
        call: (call, isAwaited) => this.client.send(call, () => isAwaited() && journal.mayAct()),
        callback: (attemptId, result) => this.callbacks.take(attemptId, result),
      },
    );
  }

  private begin(recordOf: () => Promise<OperationRecord> | OperationRecord): Promise<string> {
    const submission = this.take(recordOf);
    this.submissions.add(submission);
    const forget = (): boolean => this.submissions.delete(submission);
    submission.then(forget, forget);
    return submission;
  }

  private async take(recordOf: () => Promise<OperationRecord> | OperationRecord): Promise<string> {
    if (this.operations.isStopped) throw new ConfigurationError('this environment has been stopped');
    const record = await recordOf();
    const begun = await this.operations.begin(record);
    return 'existing' in begun ? this.repeats.take(begun.existing, record) : record.operationId;
  }

  private publish(record: OperationRecord): void {
    for (const observer of this.observers) observer(record);
  }
}
