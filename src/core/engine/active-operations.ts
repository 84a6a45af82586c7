import type { Client } from '../api/client.js';
import type { Dispatcher } from '../delivery/dispatcher.js';
import type { Existing } from '../journal/order-claim.js';
import { persisted } from '../journal/persisted.js';
import type { OperationRecord } from '../journal/record.js';
import { BackOfficeRunner } from '../runner/back-office-runner.js';
import type { AnyRunner, Echo, RunnerContext } from '../runner/runner-context.js';
import { TerminalRunner } from '../runner/terminal-runner.js';
import { LeaseKeeper } from './lease-keeper.js';
import type { EngineOptions } from './options.js';
import type { RecordFactory } from './record-factory.js';
import { isOtherService } from './service-id.js';
import { queueKeys, TurnQueues } from './turn-queues.js';

const UNSENT: ReadonlySet<string> = new Set(['queued', 'preparing']);

interface Collaborators {
  client: Client;
  dispatcher: Dispatcher;
  records: RecordFactory;
  echo: Echo;
  /** Called with a record whenever an event of its operation was handled. */
  publish: (record: OperationRecord) => void;
}

/** The operations that one engine works on: a runner for each, taking turns, under one lease. */
export class ActiveOperations {
  private readonly runners = new Map<string, AnyRunner>();
  /** Those that probe at full pace, unlike those that are only watched. */
  private readonly probing = new Set<AnyRunner>();
  private readonly queues = new TurnQueues((operationId) => void this.giveTurn(operationId));
  private readonly lease: LeaseKeeper;
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
    const { journal, clock, newId, callback, log = () => undefined } = options;
    const { client, dispatcher, echo } = collaborators;
    const isBusy = (): boolean => this.probing.size > 0;
    this.lease = new LeaseKeeper(journal, clock, owner, isBusy, () => this.resumeOpen(), log);
    this.context = {
      client,
      journal,
      clock,
      newId,
      dispatcher,
      echo,
      ...(callback === undefined ? {} : { callback }),
      load: () => ({ callbacksWork: this.callbacksWork, open: this.probing.size }),
      log,
      onChange: (runner) => this.noteChange(runner),
    };
  }

  get isStopped(): boolean {
    return this.stopped;
  }

  get all(): readonly AnyRunner[] {
    return [...this.runners.values()];
  }

  get(operationId: string): AnyRunner | undefined {
    return this.runners.get(operationId);
  }

  /** A callback arrived, so that polls are only a safety net from now on. */
  noteCallback(): void {
    this.callbacksWork = true;
  }

  /** Nothing new begins after this. */
  stop(): void {
    this.stopped = true;
  }

  async detach(): Promise<void> {
    await Promise.all(this.all.map((runner) => runner.detach()));
    await this.lease.release();
  }

  /**
   * Begins an operation. Resolves with its record once it is durable and on its way; or with the operation that has the key
   * of its order, and then nothing was begun.
   * @throws InputError, ConfigurationError, JournalError: nothing was sent, and nothing will be
   */
  async begin(record: OperationRecord): Promise<{ attempt: number } | Existing> {
    const { operationId } = record;
    const isFirst = this.queues.join(queueKeys(record), operationId);
    if (!isFirst && record.kind === 'terminal') record.state.phase = 'queued';
    const recorded = await this.record(record);
    if ('existing' in recorded) return recorded;
    if (record.origin.key !== undefined) record.attempt = recorded.attempt;
    const runner = this.enlist(record);
    this.collaborators.publish(record);
    if (record.state.phase !== 'queued' && isFirst) runner.begin();
    else if (this.queues.isNext(operationId)) await this.giveTurn(operationId);
    else {
      runner.announce();
      if (record.state.phase === 'queued') runner.enqueue({ event: { type: 'tick' } });
    }
    return recorded;
  }

  /** Makes an operation durable. What is not recorded gives up its place in every queue. */
  private async record(record: OperationRecord): Promise<{ attempt: number } | Existing> {
    let isRecorded = false;
    try {
      await this.lease.hold();
      const recorded = await this.options.journal.record(persisted(record));
      isRecorded = 'attempt' in recorded;
      return recorded;
    } finally {
      if (!isRecorded) {
        this.queues.leave(record.operationId);
        this.restIfIdle();
      }
    }
  }

  /** Resumes everything that is open, and that no other engine works on. @throws JournalError */
  async resumeOpen(): Promise<void> {
    const open = await this.options.journal.open(this.options.environment);
    let isHeldByOther = false;
    for (const record of open) {
      if (this.stopped) return;
      if (this.runners.has(record.operationId)) continue;
      if ((await this.resume(record)) === undefined) isHeldByOther = true;
    }
    if (isHeldByOther) this.lease.checkAgain();
    else this.restIfIdle();
  }

  /** Makes an open operation this engine's own; undefined while another engine works on it, or when it is over. */
  async resume({ operationId }: OperationRecord): Promise<AnyRunner | undefined> {
    const { journal, clock } = this.options;
    await this.lease.hold();
    if (!(await journal.claim(operationId, this.owner, clock.now()))) return undefined;
    const [record] = await journal.find({ operationId }, 1);
    if (record === undefined || record.closed || this.stopped) return undefined;
    const known = this.runners.get(operationId);
    if (known !== undefined) return known;
    const serviceChanged = isOtherService(record, this.service);
    const runner = this.enlist({ ...record, owner: this.owner, ...(serviceChanged ? {} : { service: this.service }) });
    const isFirst = runner.holdsTurn && this.queues.join(queueKeys(record), operationId);
    runner.restore(serviceChanged);
    if (isFirst && UNSENT.has(runner.record.state.phase)) await this.giveTurn(operationId);
    return runner;
  }

  /** For a late result of an operation that is over: it is handled, and then forgotten again. */
  runnerOfClosed(record: OperationRecord & { kind: 'terminal' }): TerminalRunner {
    return new TerminalRunner(record, this.context);
  }

  /** It is this operation's turn. Its original may have changed while it waited. */
  private async giveTurn(operationId: string): Promise<void> {
    const runner = this.runners.get(operationId);
    if (runner === undefined || this.stopped) return;
    try {
      const { request, createdAt } = runner.record;
      runner.refreshOriginal(await this.collaborators.records.reversedBy(request, createdAt));
    } catch (error) {
      this.context.log('error', `${operationId}: ${String(error)}`);
    }
    runner.enqueue({ event: { type: 'turn' } });
  }

  private enlist(record: OperationRecord): AnyRunner {
    const runner =
      record.kind === 'terminal'
        ? new TerminalRunner(record, this.context)
        : new BackOfficeRunner(record, this.context);
    this.runners.set(record.operationId, runner);
    this.probing.add(runner);
    return runner;
  }

  private noteChange(runner: AnyRunner): void {
    const { operationId, state } = runner.record;
    this.collaborators.publish(runner.record);
    if (!runner.holdsTurn) this.queues.leave(operationId);
    if (state.phase === 'watching') this.probing.delete(runner);
    if (!runner.isOver || this.runners.get(operationId) !== runner) return;
    this.runners.delete(operationId);
    this.probing.delete(runner);
    this.restIfIdle();
  }

  private restIfIdle(): void {
    if (this.runners.size === 0) this.lease.rest();
  }
}
