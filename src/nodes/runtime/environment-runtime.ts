import type { Node, NodeAPI } from 'node-red';
import type { TerminalAddress } from '../../core/api/schema/fields.js';
import { RateLimiterRegistry } from '../../core/api/transport/rate-limiter.js';
import { ConfigurationError, JournalError, StandbyError } from '../../core/base/errors.js';
import type { Timer } from '../../core/base/seams.js';
import type { Subscriber } from '../../core/delivery/dispatcher.js';
import type { Listener } from '../../core/delivery/listener.js';
import type { Engine } from '../../core/engine/engine.js';
import { TurnQueues } from '../../core/engine/turn-queues.js';
import type { Journal } from '../../core/journal/journal.js';
import type { OperationRecord } from '../../core/journal/record.js';
import { systemClock } from '../../core/platform/system-clock.js';
import { abandon, journalChangeWarning, noteClosed, reclaim } from './abandoned.js';
import { Attachments } from './environment/attachments.js';
import { type JournalPlace, journalPlace } from './environment/journal-place.js';
import { Pruning } from './environment/pruning.js';
import { ServiceConnection } from './environment/service-connection.js';
import { onFlowsStarted } from './flows-started.js';
import { EnvironmentReceipts } from './receipts/environment-receipts.js';
import type { EnvironmentSettings } from './settings/environment-settings.js';
import type { JournalSettings } from './settings/journal-settings.js';

/** One queue for each API key, shared by all environments of this process. */
export const rateLimiters = new RateLimiterRegistry(systemClock);

/** One queue for each terminal, shared by all environments of this process. Every simulated service has terminals of its own. */
const turns = new TurnQueues();

/** How long to wait, in ms, before a journal that could not be opened is tried again. */
const RETRY_MS = 30_000;
/** The same for one that another Node-RED has. */
const STANDBY_MS = 10_000;

/**
 * What an environment node offers to the other nodes: one engine. It starts with the first payment, or with the flows where
 * the journal may hold operations to resume.
 */
export class EnvironmentRuntime {
  /** Messages that nodes of this environment are taking: a cancel waits for those before it. */
  readonly submissions = new Set<Promise<void>>();
  /** Cancels on their way to the engine: a message that comes after one waits for it, so that it is not cancelled too. */
  readonly cancels = new Set<Promise<void>>();
  readonly receipts: EnvironmentReceipts;
  private readonly place: JournalPlace;
  private readonly attachments = new Attachments(({ payload }) => this.receipts.note(payload));
  private readonly connection: ServiceConnection;
  private readonly pruning: Pruning;
  private readonly stopWaitingForFlows: () => void;
  private starting: Promise<Engine> | undefined;
  private running: Engine | undefined;
  private journal: Journal | undefined;
  /** The journal was lost, and what worked with it is about to end. */
  private leaving: Promise<void> | undefined;
  private preparing: Promise<void> | undefined;
  private retry: Timer | undefined;
  /** Another Node-RED had the journal when it was last seen. */
  private isStandby = false;
  private haveFlowsStarted = false;
  private isClosed = false;

  /** @param onChange called with every change of an operation */
  constructor(
    RED: NodeAPI,
    private readonly node: Node,
    readonly settings: EnvironmentSettings,
    journal: JournalSettings,
    private readonly onChange: (record: OperationRecord) => void,
  ) {
    this.place = journalPlace(RED, journal);
    this.receipts = new EnvironmentReceipts(settings, (error) => this.node.error(error));
    this.connection = new ServiceConnection(node.id, settings, () => this.engine());
    this.pruning = new Pruning(journal.keepDays, (error) => this.node.error(error));
    this.stopWaitingForFlows = onFlowsStarted(RED, () => this.onFlowsStarted());
    reclaim(this.id);
  }

  /** The id of its node. */
  get id(): string {
    return this.node.id;
  }

  /** How people know it. */
  get name(): string {
    return this.node.name || this.settings.kind;
  }

  /** The engine, started where needed. @throws JournalError, ConfigurationError: no payment is possible for now */
  engine(): Promise<Engine> {
    // Nobody would stop an engine that starts now, and nobody would deliver its results.
    if (this.isClosed) return Promise.reject(new ConfigurationError('the environment was closed by a deploy'));
    this.starting ??= this.start().catch((error) => {
      this.starting = undefined;
      throw error;
    });
    return this.starting;
  }

  /** The engine where it runs or is starting. Starts none. */
  async engineIfAny(): Promise<Engine | undefined> {
    return this.starting?.catch(() => undefined);
  }

  /** Delivers to a node the results of its messages. Returns how to detach it. */
  attach(node: string, listener: Listener): () => void {
    return this.attachments.attach(node, listener);
  }

  /** Reports every result of the environment. Returns how to unsubscribe. */
  subscribe(subscriber: Subscriber): () => void {
    return this.attachments.subscribe(subscriber);
  }

  /** The terminal for messages that name none: the simulator's first one. */
  defaultTerminal(): Promise<TerminalAddress | undefined> {
    return this.connection.defaultTerminal();
  }

  /** @param isRemoved the environment does not come back with this deploy */
  async close(isRemoved: boolean): Promise<void> {
    this.isClosed = true;
    this.stopWaitingForFlows();
    this.connection.stopCallbacks();
    this.pruning.stop();
    await this.starting?.catch(() => undefined);
    await this.preparing;
    await this.leaving;
    this.retry?.cancel();
    await this.running?.stop();
    await this.noteUnfinished(isRemoved).catch((error) => this.node.error(error));
    await this.receipts.settled();
    await this.journal?.close();
    await this.connection.close(isRemoved);
  }

  private async start(): Promise<Engine> {
    await this.leaving;
    const core = await import('../../core/index.js');
    const { kind, apiKey, secondApiKey, requestsPerSecond, countReads } = this.settings;
    const service = await this.connection.open();
    this.journal ??= await this.place.open({
      onDamage: (damage) => this.onDamage(damage),
      onLost: () => this.onLost(),
      log: (text) => this.node.warn(text),
    });
    const receipts = await this.receipts.use(this.journal);
    const engine = new core.Engine({
      environment: this.id,
      ...service,
      apiKey,
      secondApiKey,
      requestsPerSecond,
      countReads,
      clock: core.systemClock,
      newId: core.newId,
      rateLimiters,
      ...(kind === 'simulator' ? {} : { turns }),
      journal: this.journal,
      ...(receipts === undefined ? {} : { receipts }),
      log: (level, text) => this.log(level, text),
    });
    engine.observe(this.onChange);
    // Before it starts, so that no node misses what the engine resumes.
    this.run(engine);
    try {
      await engine.start();
    } catch (error) {
      this.run(undefined);
      await engine.stop();
      throw error;
    }
    if (this.haveFlowsStarted) engine.releaseUnclaimed();
    void this.pruning.start(this.journal);
    return engine;
  }

  private run(engine: Engine | undefined): void {
    this.running = engine;
    this.attachments.use(engine);
  }

  private onFlowsStarted(): void {
    this.haveFlowsStarted = true;
    this.running?.releaseUnclaimed();
    this.warn(journalChangeWarning(this.id, this.place.name));
    if (this.running === undefined) this.prepare();
  }

  /**
   * Starts the engine to resume operations of an earlier process. Where there are none it only tries the journal, so that a
   * full disk shows before the first payment. Retries until that works.
   */
  private prepare(reported = ''): void {
    const prepared = this.place.mayHoldOperations() ? this.engine() : this.place.tryOut();
    this.preparing = prepared.then(
      () => {
        if (this.isStandby) this.node.log('has taken over the journal, and takes the payments from now on');
        this.isStandby = false;
        this.node.status({ fill: 'green', shape: 'dot', text: 'status.recording' });
      },
      (error) => {
        if (this.isClosed) return;
        const isNews = String(error) !== reported;
        if (error instanceof StandbyError) this.showStandby(error, isNews);
        else this.showUnusable(error, isNews);
        this.retry = systemClock.after(this.isStandby ? STANDBY_MS : RETRY_MS, () => this.prepare(String(error)));
      },
    );
  }

  private showStandby(error: Error, isNews: boolean): void {
    this.isStandby = true;
    if (isNews) this.node.log(error.message);
    this.node.status({ fill: 'yellow', shape: 'ring', text: 'status.standby' });
  }

  private showUnusable(error: Error, isNews: boolean): void {
    if (isNews) this.node.error(error);
    const text = error instanceof JournalError ? 'status.journal-unusable' : 'status.environment-unusable';
    this.node.status({ fill: 'red', shape: 'ring', text });
  }

  /** Another Node-RED goes on with everything: this one stands by from now on. */
  private onLost(): void {
    if (this.isClosed) return;
    this.node.warn('another Node-RED has taken over the journal, and goes on with what is open');
    const { running, journal } = this;
    this.run(undefined);
    this.starting = undefined;
    this.journal = undefined;
    this.leaving = (async () => {
      await running?.stop();
      await journal?.close();
    })().catch((error) => this.node.error(error));
    this.prepare();
  }

  /** Takes up at once what a mended index shows again. */
  private onDamage(damage: string): void {
    this.node.error(damage);
    this.running?.start().catch((error) => this.node.error(error));
  }

  private async noteUnfinished(isRemoved: boolean): Promise<void> {
    const unfinished = { place: this.place.name, open: (await this.running?.open()) ?? [] };
    if (isRemoved) this.warn(abandon(this.id, unfinished));
    else noteClosed(this.id, unfinished);
  }

  private warn(warning: string | undefined): void {
    if (warning !== undefined) this.node.warn(warning);
  }

  private log(level: 'info' | 'warn' | 'error', text: string): void {
    if (level === 'info') this.node.log(text);
    else if (level === 'warn') this.node.warn(text);
    else this.node.error(text);
  }
}
