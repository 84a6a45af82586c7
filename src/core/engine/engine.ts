import { Client } from '../api/client.js';
import { readTransactionResult, type TransactionResult } from '../api/schema/transaction-result.js';
import type { TransportOptions } from '../api/transport/transport.js';
import { type CallbackSettings, verifyCallbackToken } from '../base/callback.js';
import { ConfigurationError, PaymentError } from '../base/errors.js';
import type { NewId } from '../base/seams.js';
import { Dispatcher, type Subscriber } from '../delivery/dispatcher.js';
import type { Listener } from '../delivery/listener.js';
import type { Journal, JournalQuery } from '../journal/journal.js';
import { persisted } from '../journal/persisted.js';
import type { OperationRecord } from '../journal/record.js';
import type { BackOfficeOrder } from '../operation/back-office-order.js';
import type { Order, Origin } from '../operation/order.js';
import { type Balance, balanceOf } from '../original/balance.js';
import { BackOfficeRunner } from '../runner/back-office-runner.js';
import type { Runner, RunnerContext } from '../runner/runner.js';
import { terminalEvidence } from '../runner/terminal-probes.js';
import { TerminalRunner } from '../runner/terminal-runner.js';
import { LeaseKeeper } from './lease-keeper.js';
import { RecordFactory } from './record-factory.js';
import { isOtherService, serviceOf } from './service-id.js';
import { queueKeys, TurnQueues } from './turn-queues.js';

export interface EngineOptions extends TransportOptions {
  /** Id of the environment; the journal keeps operations apart by it. */
  environment: string;
  newId: NewId;
  journal: Journal;
  /** Where results are called back to; without it everything works by polling. */
  callback?: CallbackSettings;
  log?: (level: 'info' | 'warn' | 'error', text: string) => void;
}

const UNSENT: ReadonlySet<string> = new Set(['queued', 'preparing']);

/** Hears of an operation whenever something was learned about it. Called synchronously; must not throw. */
export type Observer = (record: OperationRecord) => void;

/** What became of a callback: 200, 404, or 503 so that the service calls again. */
export type CallbackAnswer = 'taken' | 'not-found' | 'unavailable';

/** All operations of one environment: takes orders, runs each to the truth, and tells the flow. */
export class Engine {
  readonly client: Client;
  private readonly dispatcher: Dispatcher;
  private readonly queues = new TurnQueues((operationId) => void this.call(operationId));
  private readonly runners = new Map<string, Runner>();
  /** Those that ask at full pace; not what is only watched. */
  private readonly asking = new Set<Runner>();
  private readonly submissions = new Set<Promise<string>>();
  private readonly owner: string;
  private readonly service: string;
  private readonly records: RecordFactory;
  private readonly lease: LeaseKeeper;
  private readonly context: RunnerContext;
  private readonly observers = new Set<Observer>();
  private callbacksWork = false;
  private stopped = false;

  /** @throws ConfigurationError when an address or the key cannot be used */
  constructor(private readonly options: EngineOptions) {
    const { journal, clock, newId, callback, log = () => undefined } = options;
    this.client = new Client(options);
    this.dispatcher = new Dispatcher(log);
    this.owner = newId();
    this.service = serviceOf(options);
    this.records = new RecordFactory({ ...options, service: this.service }, this.owner);
    const isBusy = (): boolean => this.asking.size > 0;
    this.lease = new LeaseKeeper(journal, clock, this.owner, isBusy, () => this.takeUpOpen(), log);
    this.context = {
      client: this.client,
      journal,
      clock,
      newId,
      dispatcher: this.dispatcher,
      ...(callback === undefined ? {} : { callback }),
      load: () => ({ callbacksWork: this.callbacksWork, open: this.asking.size }),
      log,
      onChange: (runner) => this.noteChange(runner),
    };
  }

  /**
   * Takes up what earlier engines of this environment left open.
   * @throws JournalError when the journal cannot be read
   */
  async start(): Promise<void> {
    await this.takeUpOpen();
  }

  /**
   * Detaches: a request on its way gets 10 s to be answered, everything is noted in the journal, no timer is left. What
   * is open goes on in the next engine of this environment.
   */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.allSettled(this.submissions);
    await Promise.all([...this.runners.values()].map((runner) => runner.detach()));
    await this.lease.release();
  }

  /**
   * Takes an order. Resolves with the `operationId` once the operation is durable and on its way.
   * @throws InputError, ConfigurationError, JournalError: nothing was sent, and nothing will be
   */
  submit(order: Order): Promise<string> {
    return this.enter(() => this.records.ofTerminal(order));
  }

  /**
   * Takes an order that needs no terminal. Resolves with the `operationId` once it is durable and on its way.
   * @throws InputError, ConfigurationError, JournalError: nothing was sent, and nothing will be
   */
  submitBackOffice(order: BackOfficeOrder, origin: Origin): Promise<string> {
    return this.enter(() => this.records.ofBackOffice(order, origin));
  }

  private enter(record: () => Promise<OperationRecord> | OperationRecord): Promise<string> {
    const submission = this.begin(record);
    this.submissions.add(submission);
    const forget = (): boolean => this.submissions.delete(submission);
    submission.then(forget, forget);
    return submission;
  }

  /** Tells a node what becomes of its messages, and what nobody was there to hear. Returns how to detach it. */
  attach(node: string, listener: Listener): () => void {
    return this.dispatcher.attach(node, listener);
  }

  /** Hears of every telling, and of what comes late. */
  subscribe(watcher: Subscriber): () => void {
    return this.dispatcher.subscribe(watcher);
  }

  /** To be called once the flows run: what no node takes from now on goes to the watchers. */
  releaseUnclaimed(): void {
    this.dispatcher.releaseUnclaimed();
  }

  /** What the journal holds of this environment, newest first, at most `limit` (100). @throws JournalError */
  async find(query: JournalQuery, limit?: number): Promise<OperationRecord[]> {
    const found = await this.options.journal.find(query, limit);
    return found.filter(({ environment }) => environment === this.options.environment);
  }

  /** What an earlier payment has come to; undefined where the journal does not know it. @throws JournalError */
  balance(transactionId: string): Promise<Balance | undefined> {
    return balanceOf((query, limit) => this.find(query, limit), transactionId);
  }

  /** What the journal holds of this environment, newest first, created at `until` (epoch ms) or before. @throws JournalError */
  recent(limit: number, until?: number): Promise<OperationRecord[]> {
    return this.options.journal.find({ environment: this.options.environment, until }, limit);
  }

  /** What still owes the flow something, or is watched, oldest first. @throws JournalError */
  open(): Promise<OperationRecord[]> {
    return this.options.journal.open(this.options.environment);
  }

  /** Hears of every operation as it goes on here. Returns how to stop that. */
  observe(observer: Observer): () => void {
    this.observers.add(observer);
    return () => this.observers.delete(observer);
  }

  /** Asks at once what would be asked later. False when the operation is not under way here. */
  checkNow(operationId: string): boolean {
    const runner = this.runners.get(operationId);
    runner?.checkNow();
    return runner !== undefined;
  }

  /** Asks for an operation to be stopped. False when it is not under way here. What became of it is told as ever. */
  cancel(operationId: string): boolean {
    const runner = this.runners.get(operationId);
    runner?.cancel();
    return runner !== undefined;
  }

  /** Asks for everything to be stopped that the messages of a node have under way. Returns how many that are. */
  cancelOf(node: string): number {
    const runners = [...this.runners.values()].filter(({ record }) => record.origin.node === node);
    for (const runner of runners) runner.cancel();
    return runners.length;
  }

  /**
   * A result as it was called back (spec: Events). A forged call costs no look-up and learns nothing.
   * @param attemptId last segment of the path it came by
   * @param token header `auth-token`
   */
  async callback(attemptId: string, token: string | undefined, body: string): Promise<CallbackAnswer> {
    const secret = this.options.callback?.secret ?? '';
    if (this.stopped || !verifyCallbackToken(secret, attemptId, token))
      return this.stopped ? 'unavailable' : 'not-found';
    const result = resultIn(body);
    if (result === undefined) return 'not-found';
    try {
      return await this.takeResult(attemptId, result);
    } catch (error) {
      this.context.log('error', `callback: ${String(error)}`);
      return 'unavailable';
    }
  }

  private async takeResult(attemptId: string, result: TransactionResult): Promise<CallbackAnswer> {
    const known = this.runners.get(attemptId);
    const runner = known instanceof TerminalRunner ? known : await this.runnerOf(attemptId);
    if (runner === 'not-found' || runner === 'unavailable') return runner;
    const finding = terminalEvidence(runner.record, result, 'callback');
    if (finding === undefined || runner.record.references.at(-1) !== attemptId) return 'not-found';
    this.callbacksWork = true;
    return (await runner.enqueueDurably(finding)) ? 'taken' : 'unavailable';
  }

  private async runnerOf(attemptId: string): Promise<TerminalRunner | 'not-found' | 'unavailable'> {
    const [record] = await this.options.journal.find({ reference: attemptId }, 1);
    if (this.stopped) return 'unavailable';
    if (record === undefined || record.environment !== this.options.environment) return 'not-found';
    if (record.kind !== 'terminal') return 'not-found';
    if (record.closed) return new TerminalRunner(record, this.context);
    const runner = this.runners.get(record.operationId) ?? (await this.takeUp(record));
    return runner instanceof TerminalRunner ? runner : 'unavailable';
  }

  private async begin(recordOf: () => Promise<OperationRecord> | OperationRecord): Promise<string> {
    if (this.stopped) throw new ConfigurationError('this environment has been stopped');
    const record = await recordOf();
    const { operationId } = record;
    const isFirst = this.queues.join(queueKeys(record), operationId);
    if (!isFirst && record.kind === 'terminal') record.state.phase = 'queued';
    try {
      await this.lease.hold();
      await this.options.journal.record(persisted(record));
    } catch (error) {
      this.queues.leave(operationId);
      this.restIfIdle();
      throw error;
    }
    const runner = this.enlist(record);
    this.publish(record);
    if (record.state.phase !== 'queued' && isFirst) runner.begin();
    else if (this.queues.isNext(operationId)) await this.call(operationId);
    else if (record.state.phase === 'queued') runner.enqueue({ event: { type: 'tick' } });
    return operationId;
  }

  /** Its turn has come. What it is about may be another thing by now than when it came. */
  private async call(operationId: string): Promise<void> {
    const runner = this.runners.get(operationId);
    if (runner === undefined || this.stopped) return;
    try {
      runner.refreshOriginal(await this.records.reversedBy(runner.record.request, runner.record.createdAt));
    } catch (error) {
      this.context.log('error', `${operationId}: ${String(error)}`);
    }
    runner.enqueue({ event: { type: 'turn' } });
  }

  private enlist(record: OperationRecord): Runner {
    const runner = this.runnerFor(record);
    this.runners.set(record.operationId, runner);
    this.asking.add(runner);
    return runner;
  }

  private runnerFor(record: OperationRecord): Runner {
    return (
      record.kind === 'terminal' ? new TerminalRunner(record, this.context) : new BackOfficeRunner(record, this.context)
    ) as Runner;
  }

  private async takeUpOpen(): Promise<void> {
    const open = await this.options.journal.open(this.options.environment);
    let elsewhere = false;
    for (const record of open) {
      if (this.stopped) return;
      if (!this.runners.has(record.operationId)) elsewhere = (await this.takeUp(record)) === undefined || elsewhere;
    }
    if (elsewhere) this.lease.lookAgain();
    else this.restIfIdle();
  }

  /** Makes an open operation this engine's own; undefined while another engine works on it, or when it is over. */
  private async takeUp({ operationId }: OperationRecord): Promise<Runner | undefined> {
    const { journal, clock } = this.options;
    await this.lease.hold();
    if (!(await journal.claim(operationId, this.owner, clock.now()))) return undefined;
    const [record] = await journal.find({ operationId }, 1);
    if (record === undefined || record.closed || this.stopped) return undefined;
    const known = this.runners.get(operationId);
    if (known !== undefined) return known;
    const elsewhere = isOtherService(record, this.service);
    const runner = this.enlist({ ...record, owner: this.owner, ...(elsewhere ? {} : { service: this.service }) });
    const free = runner.holdsTurn && this.queues.join(queueKeys(record), operationId);
    runner.restore(elsewhere);
    if (free && UNSENT.has(runner.record.state.phase)) await this.call(operationId);
    return runner;
  }

  private publish(record: OperationRecord): void {
    for (const observer of this.observers) observer(record);
  }

  private noteChange(runner: Runner): void {
    const { operationId, state } = runner.record;
    this.publish(runner.record);
    if (!runner.holdsTurn) this.queues.leave(operationId);
    if (state.phase === 'watching') this.asking.delete(runner);
    if (!runner.isOver || this.runners.get(operationId) !== runner) return;
    this.runners.delete(operationId);
    this.asking.delete(runner);
    this.restIfIdle();
  }

  private restIfIdle(): void {
    if (this.runners.size === 0) this.lease.rest();
  }
}

function resultIn(body: string): TransactionResult | undefined {
  try {
    return readTransactionResult(JSON.parse(body));
  } catch (error) {
    if (error instanceof PaymentError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
