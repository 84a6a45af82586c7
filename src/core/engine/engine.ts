import { Client } from '../api/client.js';
import { Abort } from '../base/abort.js';
import { ConfigurationError, IdempotencyKeyElsewhereError, JournalError } from '../base/errors.js';
import { isBase, isSafeAddress } from '../base/privacy/address.js';
import { Dispatcher } from '../delivery/dispatcher.js';
import { Heard } from '../delivery/heard.js';
import type { Delivery } from '../delivery/listener.js';
import type { OperationRecord } from '../journal/record.js';
import type { BackOfficeDraft } from '../operation/back-office-order.js';
import type { Order, Origin, RefundLimited } from '../operation/order.js';
import { soon } from '../platform/soon.js';
import { ActiveOperations } from './active-operations.js';
import { type CallbackAnswer, CallbackReceiver } from './callback-receiver.js';
import { Cancellation, type CancelTarget } from './cancellation.js';
import { DoorKeeper } from './doors/door-keeper.js';
import { doorSeal } from './doors/door-seal.js';
import { Library } from './library.js';
import type { EngineOptions, Unanswered } from './options.js';
import { Payments } from './payments.js';
import { RecordFactory } from './record-factory.js';
import { RefundLimit } from './refund-limit.js';
import { Repeats } from './repeats.js';
import { SameMerchant } from './service/same-merchant.js';
import { serviceOf } from './service/service-id.js';
import { Submissions } from './submissions.js';

/** How long a delivery that may not be handed over now waits for the next try, ms. */
const HAND_OVER_AGAIN = 1000;
/** So long a cancellation looks for operations that are not taken up yet, ms. */
const CANCELLED_WITHIN = 5000;

/** All operations of one environment: takes orders, finds out how each ends, and delivers the results to the flow. */
export class Engine extends Payments {
  readonly client: Client;
  protected readonly library: Library;
  protected readonly dispatcher: Dispatcher;
  private readonly records: RecordFactory;
  private readonly operations: ActiveOperations;
  private readonly repeats: Repeats;
  private readonly refunds: RefundLimit;
  private readonly cancellation: Cancellation;
  private readonly callbacks: CallbackReceiver;
  /** Absent where no other process can have the journal. */
  private readonly doorKeeper: DoorKeeper | undefined;
  private readonly sameMerchant: SameMerchant;
  private readonly submissions: Submissions;
  private readonly stopping = new Abort();
  /** Of an engine or a door before this one, until this one has begun. */
  private left: readonly Unanswered[];

  /** @throws ConfigurationError when an address or the key cannot be used */
  constructor(private readonly options: EngineOptions) {
    super();
    const { callback, unanswered = [] } = options;
    this.left = unanswered;
    if (callback !== undefined && !isSafeAddress(callback.address))
      throw new ConfigurationError('the address for callbacks has to be https (http on loopback only)');
    if (callback !== undefined && !isBase(callback.address))
      throw new ConfigurationError('the address for callbacks has a user name, a password, "?" or "#" in it');
    this.sameMerchant = new SameMerchant(options, this.stopping.signal);
    this.client = new Client({ ...options, isSecondProved: () => this.sameMerchant.isSecondProved() });
    this.library = new Library(options, this.client, this.sameMerchant);
    const { journal, clock } = options;
    this.refunds = new RefundLimit(clock, (...about) => this.balance(...about), journal.place ?? journal);
    this.submissions = new Submissions(clock);
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
    // Before this engine tells by itself what is still to be told.
    const ends = await this.endsOnceMore();
    await this.resume();
    for (const end of ends) this.dispatcher.deliverHere(end, () => undefined);
    this.left = [];
    this.doorKeeper?.start();
  }

  /** Takes up what is open, and what another engine of this process has left since. @throws JournalError */
  async resume(): Promise<void> {
    await this.repeats.load();
    await this.operations.resumeOpen();
    await this.repeats.catchUpAll();
  }

  /**
   * Detaches: a request on its way gets 10 s to be answered, everything is noted in the journal, no timer is left. The
   * next engine of this environment resumes what is open.
   */
  async stop(): Promise<void> {
    this.doorKeeper?.stop();
    this.operations.stop();
    this.stopping.abort();
    await this.submissions.settled();
    await this.operations.detach();
    await this.repeats.stop();
    this.dispatcher.stop();
    await this.doorKeeper?.settled();
    this.client.close();
  }

  submit(order: Order): Promise<string> {
    return this.begin(order, () => this.records.ofTerminal(order));
  }

  submitBackOffice(order: BackOfficeDraft, origin: Origin): Promise<string> {
    return this.begin(order, () => this.records.ofBackOffice(order, origin));
  }

  /** Operations whose flow has heard here that the journal cannot be written, and nothing since. */
  get unanswered(): readonly Unanswered[] {
    return [...this.left, ...this.operations.unanswered, ...this.repeats.unanswered];
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

  async cancelTarget(target: CancelTarget): Promise<boolean> {
    let isUnderWay = this.cancellation.cancel(target);
    if (!this.submissions.areNone) {
      const left = await this.submissions.settledSoon();
      const isAmongThem = left.map((one) => this.cancellation.cancelOnceTaken(target, one)).includes(true);
      isUnderWay = this.cancellation.cancel(target) || isAmongThem || isUnderWay;
    }
    const others = this.cancellation.cancelOnceTakenUp(target);
    if (isUnderWay) {
      others.catch((error) => this.options.log?.('error', `cancel: ${String(error)}`));
      return true;
    }
    let isKnown: boolean | undefined;
    const known = others.then(async () => {
      isKnown = await this.cancellation.isKnown(target);
    });
    // What is meant is cancelled once the journal answers, but the caller must not wait for that.
    await soon(this.options.clock, CANCELLED_WITHIN, known);
    if (isKnown === undefined) throw new JournalError('the journal does not answer: what is open may not be cancelled');
    return isKnown;
  }

  callback(attemptId: string, token: string | undefined, body: string): Promise<CallbackAnswer> {
    return this.callbacks.receive(attemptId, token, body);
  }

  /** Of what an engine or a door before this one told as unknown. */
  private async endsOnceMore(): Promise<Delivery[]> {
    const ends: Delivery[] = [];
    for (const { operationId: id, ...told } of this.left) {
      const end = await this.library.endOnceMore({ id, ...told });
      if (end !== undefined) ends.push(end);
    }
    return ends;
  }

  private keeperOf(options: EngineOptions): DoorKeeper | undefined {
    const { dispatcher } = this;
    const { journal, environment, clock, heard = new Heard(), log = () => undefined } = options;
    const { doors } = journal;
    if (doors === undefined) return undefined;
    return new DoorKeeper(
      { doors, environment, clock, seal: doorSeal(options), dispatcher, heard, log },
      {
        order: (order, asked) => this.begin(order, () => this.records.ofTerminal(order, asked)),
        backOfficeOrder: (order, origin, asked) =>
          this.begin(order, () => this.records.ofBackOffice(order, origin, asked)),
        cancel: (target) => this.cancelTarget(target),
        check: (operationId) => this.checkNow(operationId),
        call: (call, isAwaited) => this.client.send(call, () => isAwaited() && journal.mayAct()),
        callback: (attemptId, result) => this.callbacks.take(attemptId, result),
      },
    );
  }

  private begin({ atMostLeft }: RefundLimited, recordOf: () => Promise<OperationRecord>): Promise<string> {
    return this.submissions.add(async (noteRecord) => {
      this.operations.mustRun();
      const record = await recordOf();
      noteRecord(record);
      const begin = () => this.operations.begin(record);
      const begun = await (atMostLeft ? this.refunds.within(record, atMostLeft.source, begin) : begin());
      return 'existing' in begun ? this.repeat(begun.existing, record) : record.operationId;
    });
  }

  /** What another merchant was paid is no answer to this order: an order that is told so is not charged here. */
  private async repeat(first: OperationRecord, message: OperationRecord): Promise<string> {
    if (await this.sameMerchant.isProvedOurs(first.service)) return this.repeats.take(first, message);
    // Where this engine has ended meanwhile, nobody has said anything.
    this.operations.mustRun();
    throw new IdempotencyKeyElsewhereError(first.operationId);
  }
}
