import type { Client } from '../api/client.js';
import { ConfigurationError } from '../base/errors.js';
import { changed } from '../base/objects.js';
import { TransientMap } from '../base/transient.js';
import type { Dispatcher } from '../delivery/dispatcher.js';
import type { Receipts } from '../delivery/payload.js';
import type { Existing } from '../journal/order-claim.js';
import { mayBeBackup, type OperationRecord, waitsForTurn } from '../journal/record.js';
import { queued } from '../lifecycle/terminal/lifecycle.js';
import { resumedOrigin } from '../operation/order.js';
import { BackOfficeRunner } from '../runner/back-office/back-office-runner.js';
import type { AnyRunner, Echo, RunnerContext } from '../runner/runner-context.js';
import { looksFirst } from '../runner/terminal/look-before.js';
import { TerminalRunner } from '../runner/terminal/terminal-runner.js';
import { sayLastWords } from './last-words.js';
import { type LeaseDemand, LeaseKeeper } from './lease-keeper.js';
import type { EngineOptions } from './options.js';
import type { RecordFactory } from './record-factory.js';
import { type Claimed, Resumption } from './resumption.js';
import type { SameMerchant } from './service/same-merchant.js';
import { maybeSent } from './service/service-id.js';
import { withTimePassed } from './time-passed.js';
import { Turns } from './turns/turns.js';
import { isStaleUnsent, isUnsentPayment, mayBeBegunBefore } from './turns/unsent-check.js';
import { Unresumed } from './unresumed.js';

const ASKING: ReadonlySet<string> = new Set(['pausing', 'waiting', 'listening', 'reversing', 'reconciling']);

interface Collaborators {
  client: Client;
  dispatcher: Dispatcher;
  records: RecordFactory;
  echo: Echo;
  sameMerchant: SameMerchant;
  /** Called with a record whenever an event of its operation was handled. */
  publish: (record: OperationRecord) => void;
}

/** The operations that one engine works on: a runner for each, taking turns, under one lease. */
export class ActiveOperations {
  private readonly runners = new TransientMap<AnyRunner>();
  /** Ids of operations that the journal may have already, and that have no runner until it says so. */
  private readonly recording = new Set<string>();
  /** Runners of closed operations while late results are handled: one for all results that come meanwhile. */
  private readonly reopened = new Map<string, TerminalRunner>();
  /** Ids of operations whose flow waits for a verdict. The others only watch. */
  private readonly pending = new Set<string>();
  /** Ids among those of operations that probe for what became of a request. */
  private readonly asking = new Set<string>();
  private readonly turns: Turns;
  private readonly lease: LeaseKeeper;
  private readonly unresumed: Unresumed;
  private readonly resumption: Resumption;
  private readonly context: RunnerContext;
  private callbacksWork = false;
  private stopped = false;

  /**
   * @param owner id of this engine
   * @param service see `service-id.ts`
   */
  constructor(
    private readonly options: EngineOptions,
    private readonly owner: string,
    private readonly service: string,
    private readonly collaborators: Collaborators,
  ) {
    const { journal, clock, newId, callback, receipts, log = () => undefined } = options;
    const { client, dispatcher, echo } = collaborators;
    const demand = (): LeaseDemand => this.leaseDemand;
    this.unresumed = new Unresumed(journal, options.environment, dispatcher);
    const tell = (): Promise<void> => this.unresumed.tell((operationId) => this.has(operationId));
    this.lease = new LeaseKeeper(journal, clock, owner, demand, tell, () => this.resumeOpen(), log);
    const operations = {
      isStopped: () => this.stopped,
      get: (operationId: string) => this.runners.get(operationId),
    };
    this.resumption = new Resumption(options, owner, {
      ...operations,
      has: (operationId) => this.has(operationId),
      hold: () => this.lease.hold(),
      takeUp: (claimed) => this.takeUp(claimed),
    });
    this.turns = new Turns(options, client, collaborators.records, operations);
    this.context = {
      client,
      journal,
      clock,
      newId,
      dispatcher,
      echo,
      ...(callback === undefined ? {} : { callback }),
      ...(receipts === undefined ? {} : { receipts }),
      load: () => ({ callbacksWork: this.callbacksWork, open: this.asking.size }),
      isBehind: (record) => this.turns.isBehind(record),
      log,
      onChange: (runner) => this.noteChange(runner),
    };
  }

  get isStopped(): boolean {
    return this.stopped;
  }

  /** @throws ConfigurationError */
  mustRun(): void {
    if (this.stopped) throw new ConfigurationError('this environment has been stopped');
  }

  get all(): readonly AnyRunner[] {
    return this.runners.values;
  }

  /** Operations whose flow has heard that the journal cannot be written, and nothing since. */
  get unanswered(): OperationRecord[] {
    return this.all.filter(({ outbox }) => outbox.isUnanswered).map(({ record }) => record);
  }

  get(operationId: string): AnyRunner | undefined {
    return this.runners.get(operationId);
  }

  private has(operationId: string): boolean {
    return this.runners.has(operationId) || this.recording.has(operationId);
  }

  /** Cancels open operations as soon as they are taken up here. @throws JournalError */
  cancelOnceTakenUp(isMeant: (record: OperationRecord) => boolean): Promise<void> {
    return this.resumption.cancelOnceTakenUp(isMeant);
  }

  /** A callback arrived, so that polls are only a safety net from now on. */
  noteCallback(): void {
    this.callbacksWork = true;
  }

  /** Nothing new begins after this. */
  stop(): void {
    this.stopped = true;
    this.turns.end();
  }

  async detach(): Promise<void> {
    // What is claimed after the release would be held for ever.
    await this.resumption.settled();
    const all = new Set<AnyRunner>([...this.all, ...this.reopened.values()]);
    await Promise.all([...all].map((runner) => runner.detach()));
    for (const runner of all) this.turns.leave(runner.record.operationId);
    await sayLastWords(this.options.journal, this.options.environment, all, this.context.log);
    await this.lease.release();
  }

  /**
   * Begins an operation. Resolves with its record once it is durable and on its way; or with the operation that has the key
   * of its order, and then nothing was begun.
   * @throws InputError, ConfigurationError, JournalError: nothing was sent, and nothing will be
   */
  async begin(record: OperationRecord): Promise<{ attempt: number } | Existing> {
    const { operationId } = record;
    const isFirst = this.turns.join(record);
    const mayBeSent = mayBeBegunBefore(record);
    const isAtOnce = !mayBeSent && !looksFirst(record);
    const mayLeave = isFirst && isAtOnce && this.collaborators.client.transactions.mayStartAtOnce;
    if (!mayLeave && record.kind === 'terminal') record.state = queued(record.state, isFirst);
    const runner = this.runnerOf(record);
    const recorded = await this.record(runner);
    if (recorded === undefined) return { attempt: 1 };
    if ('existing' in recorded) return recorded;
    if (record.origin.key !== undefined) runner.record.attempt = recorded.attempt;
    this.collaborators.publish(record);
    if (mayBeSent) this.turns.askFirst(runner);
    if (record.state.phase !== 'queued' && isFirst) runner.begin();
    else if (this.turns.isNext(operationId)) await this.turns.give(operationId);
    else {
      runner.announce();
      if (record.state.phase === 'queued') runner.enqueue({ event: { type: 'tick' } });
    }
    return recorded;
  }

  /**
   * Makes an operation durable. What is not recorded gives up its place in every queue.
   * @returns undefined where the journal took so long that the flow has its verdict already
   */
  private async record(runner: AnyRunner): Promise<{ attempt: number } | Existing | undefined> {
    const { operationId } = runner.record;
    let isRecorded = false;
    this.recording.add(operationId);
    try {
      // Asked right before it is recorded: the next engine may have looked for what is open by then.
      const recorded = await runner.create(this.lease.hold().then(() => this.mustRun()));
      isRecorded = recorded !== undefined && 'attempt' in recorded;
      if (isRecorded) this.enlist(runner);
      return recorded;
    } finally {
      this.recording.delete(operationId);
      if (!isRecorded) {
        this.turns.leave(operationId);
        this.restIfIdle();
      }
    }
  }

  /** Resumes everything that is open, and that no other engine works on. @throws JournalError */
  async resumeOpen(): Promise<void> {
    const isOneLeft = await this.resumption.resumeOpen().catch((error) => {
      this.lease.checkAgain();
      throw error;
    });
    if (isOneLeft) this.lease.checkAgain();
    else if (isOneLeft !== undefined) this.restIfIdle();
  }

  /**
   * Makes an open operation this engine's own; undefined while another engine works on it, while nobody knows yet whether its
   * merchant is ours, and when it is over.
   */
  async resume({ operationId }: Pick<OperationRecord, 'operationId'>): Promise<AnyRunner | undefined> {
    const [resumed] = await this.resumption.resume([operationId]);
    return resumed;
  }

  private async takeUp({ record, receipts, unchangedFor, foundAt }: Claimed): Promise<AnyRunner | undefined> {
    const { operationId } = record;
    if (record.closed || this.stopped) return undefined;
    // Whatever is delivered again changes the record.
    const now = this.options.clock.now();
    const aged = withTimePassed(record, unchangedFor, now);
    const isOld = mayBeBackup(record, now) || isStaleUnsent(aged, now);
    const isOurs = await this.collaborators.sameMerchant.goesOn(record.service, !maybeSent(record, isOld));
    const known = this.runners.get(operationId);
    if (known !== undefined) return known;
    if (isOurs === undefined || this.stopped || this.resumption.hasEnded(operationId)) return undefined;
    const serviceChanged = !isOurs;
    const service = serviceChanged ? record.service : this.service;
    const own = { origin: resumedOrigin(record.origin), owner: this.owner, service };
    const runner = this.runnerOf(changed(this.unresumed.corrected(aged), own), receipts);
    this.enlist(runner);
    const isFirst = runner.holdsTurn && this.turns.join(record);
    const isCancelled = this.resumption.takeCancellation(record);
    const isUnasked = isUnsentPayment(record);
    runner.restore({ serviceChanged, mayBeBackup: isOld, foundAt, isUnasked }, service !== record.service);
    if (isCancelled) runner.cancel();
    if (isUnsentPayment(runner.record)) void this.turns.checkUnsent(runner);
    this.collaborators.echo.takenUp(runner);
    if (isFirst && waitsForTurn(runner.record)) await this.turns.give(operationId);
    return runner;
  }

  /**
   * The runner of a closed operation that gets a late result. It is forgotten after the result, unless something is left to
   * do.
   */
  runnerOfClosed(record: OperationRecord & { kind: 'terminal' }): TerminalRunner {
    const { operationId } = record;
    const known = this.runners.get(operationId) ?? this.reopened.get(operationId);
    if (known instanceof TerminalRunner) return known;
    const runner = new TerminalRunner({ ...record, owner: this.owner }, this.context);
    this.reopened.set(operationId, runner);
    return runner;
  }

  /** Forgets a runner once the journal has what its late result changed: the next one starts from there. */
  async forgetClosed(runner: TerminalRunner): Promise<void> {
    const { operationId } = runner.record;
    if (this.reopened.get(operationId) === runner) await runner.idle();
    if (!runner.unpersisted && this.reopened.get(operationId) === runner) this.reopened.delete(operationId);
  }

  private runnerOf(record: OperationRecord, receipts?: Receipts): AnyRunner {
    return record.kind === 'terminal'
      ? new TerminalRunner(record, this.context, receipts)
      : new BackOfficeRunner(record, this.context);
  }

  private enlist(runner: AnyRunner): void {
    this.runners.set(runner.record.operationId, runner);
    this.pending.add(runner.record.operationId);
    // The journal may have taken so long that the lease was let go meanwhile.
    this.lease.hold().catch((error) => this.context.log('error', `journal: ${String(error)}`));
  }

  private noteChange(runner: AnyRunner): void {
    const { operationId, state } = runner.record;
    this.collaborators.publish(runner.record);
    // A late result has left something to do for an operation that was over.
    if (!runner.record.closed && this.reopened.get(operationId) === runner) this.enlist(runner);
    if (!runner.holdsTurn) this.turns.leave(operationId);
    if (state.phase === 'watching') this.pending.delete(operationId);
    if (ASKING.has(state.phase)) this.asking.add(operationId);
    else this.asking.delete(operationId);
    if (!runner.isOver || this.runners.get(operationId) !== runner) return;
    this.runners.delete(operationId);
    this.resumption.noteEnd(operationId);
    this.pending.delete(operationId);
    this.asking.delete(operationId);
    this.restIfIdle();
  }

  private get leaseDemand(): LeaseDemand {
    if (this.runners.size === 0) return 'none';
    return this.pending.size > 0 ? 'busy' : 'watching';
  }

  private restIfIdle(): void {
    if (this.leaseDemand === 'none') this.lease.rest();
  }
}
