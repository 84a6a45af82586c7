import type { Node, NodeAPI } from 'node-red';
import type { TerminalAddress } from '../../core/api/schema/fields.js';
import { ConfigurationError, StandbyError } from '../../core/base/errors.js';
import type { Timer } from '../../core/base/seams.js';
import type { Subscriber } from '../../core/delivery/dispatcher.js';
import type { Listener } from '../../core/delivery/listener.js';
import type { Door } from '../../core/engine/doors/door.js';
import type { EngineOptions, Unanswered } from '../../core/engine/options.js';
import type { Payments } from '../../core/engine/payments.js';
import type { DoorJournal, Journal } from '../../core/journal/journal.js';
import type { OperationRecord } from '../../core/journal/record.js';
import { systemClock } from '../../core/platform/system-clock.js';
import { abandon, journalChangeWarning, noteClosed, reclaim } from './abandoned.js';
import { Attachments } from './environment/attachments.js';
import { EnvironmentStatus } from './environment/environment-status.js';
import { type JournalPlace, journalPlace } from './environment/journal-place.js';
import { Pruning } from './environment/pruning.js';
import { ServiceConnection } from './environment/service-connection.js';
import { rateLimiters, turns } from './environment/shared-queues.js';
import { onFlowsStarted } from './flows-started.js';
import { EnvironmentReceipts } from './receipts/environment-receipts.js';
import type { EnvironmentSettings } from './settings/environment-settings.js';
import type { JournalSettings } from './settings/journal-settings.js';

/** How long to wait, in ms, before a journal that could not be opened is tried again. */
const RETRY_MS = 30_000;
/** How long to wait, in ms, before a journal that another Node-RED has is tried again. */
const STANDBY_MS = 10_000;

/** Who looks at operations, such as open editors. */
interface Spectators {
  areThere(): boolean;
  /** Called with every change of an operation. */
  onChange(record: OperationRecord): void;
}

/**
 * What an environment node offers to the other nodes: one engine, or a door to the one in another Node-RED. It starts with the
 * first payment, or with the flows where the journal may hold operations to resume.
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
  private readonly status: EnvironmentStatus;
  private readonly stopWaitingForFlows: () => void;
  private starting: Promise<Payments> | undefined;
  private running: Payments | undefined;
  private journal: Journal | DoorJournal | undefined;
  /** Runs while another Node-RED drives the payments. */
  private door: Door | undefined;
  /** What the engine or door left that ended because another Node-RED leads, or this one does now. */
  private unanswered: readonly Unanswered[] = [];
  /** The journal was lost, and what worked with it is about to end. */
  private leaving: Promise<void> | undefined;
  private preparing: Promise<void> | undefined;
  private retry: Timer | undefined;
  private haveFlowsStarted = false;
  private isClosed = false;

  constructor(
    RED: NodeAPI,
    private readonly node: Node,
    readonly settings: EnvironmentSettings,
    journal: JournalSettings,
    private readonly spectators: Spectators,
  ) {
    this.place = journalPlace(RED, journal);
    this.receipts = new EnvironmentReceipts(settings, (error) => this.node.error(error));
    this.connection = new ServiceConnection(node.id, settings, () => this.engine());
    this.pruning = new Pruning(journal.keepDays, (error) => this.node.error(error));
    this.status = new EnvironmentStatus(node);
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
  engine(): Promise<Payments> {
    // Nobody would stop an engine that starts now, and nobody would deliver its results.
    if (this.isClosed) return Promise.reject(new ConfigurationError('the environment was closed by a deploy'));
    this.starting ??= this.start().catch((error) => {
      this.starting = undefined;
      throw error;
    });
    return this.starting;
  }

  /** The engine where it runs or is starting. Starts none. */
  async engineIfAny(): Promise<Payments | undefined> {
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
    await (this.door?.end() ?? this.running?.stop());
    await this.noteUnfinished(isRemoved).catch((error) => this.node.error(error));
    await this.receipts.settled();
    await this.journal?.close();
    await this.connection.close(isRemoved);
  }

  private async start(): Promise<Payments> {
    await this.leaving;
    try {
      return await this.startEngine(await this.place.open(this.journalEvents()));
    } catch (error) {
      if (!(error instanceof StandbyError) || this.place.openDoor === undefined) throw error;
      const door = await this.startDoor(await this.place.openDoor(this.journalEvents()));
      this.node.log(error.message);
      return door;
    }
  }

  private async startEngine(journal: Journal): Promise<Payments> {
    const core = await import('../../core/index.js');
    const engine = await this.run(journal, (options) => new core.Engine({ ...options, journal }));
    void this.pruning.start(journal);
    return engine;
  }

  private async startDoor(journal: DoorJournal): Promise<Payments> {
    const core = await import('../../core/index.js');
    this.door = await this.run(journal, (options) => {
      return new core.Door({ ...options, journal, isObserved: () => this.spectators.areThere() });
    });
    return this.door;
  }

  private async run<P extends Payments>(
    journal: Journal | DoorJournal,
    make: (options: Omit<EngineOptions, 'journal'>) => P,
  ): Promise<P> {
    let payments: P | undefined;
    try {
      const receipts = await this.receipts.use(journal);
      payments = make({ ...(await this.engineOptions()), ...(receipts === undefined ? {} : { receipts }) });
      payments.observe((record) => this.spectators.onChange(record));
      // Before it starts, so that no node misses what the engine resumes.
      this.use(payments);
      await payments.start();
    } catch (error) {
      this.use(undefined);
      await payments?.stop();
      await journal.close();
      throw error;
    }
    this.journal = journal;
    if (this.haveFlowsStarted) payments.releaseUnclaimed();
    return payments;
  }

  /** All that an engine needs but its journal. */
  private async engineOptions(): Promise<Omit<EngineOptions, 'journal'>> {
    const core = await import('../../core/index.js');
    const { kind, apiKey, secondApiKey, requestsPerSecond, countReads } = this.settings;
    return {
      environment: this.id,
      ...(await this.connection.open()),
      apiKey,
      secondApiKey,
      requestsPerSecond,
      countReads,
      clock: core.systemClock,
      newId: core.newId,
      rateLimiters,
      unanswered: this.unanswered,
      ...(kind === 'simulator' ? {} : { turns }),
      log: (level, text) => this.log(level, text),
    };
  }

  private use(payments: Payments | undefined): void {
    this.running = payments;
    this.attachments.use(payments);
  }

  private journalEvents() {
    return {
      onDamage: (damage: string) => this.onDamage(damage),
      onLost: () => this.onLost(),
      onReachable: (error?: Error) => this.onReachable(error),
      log: (text: string) => this.node.warn(text),
    };
  }

  private onFlowsStarted(): void {
    this.haveFlowsStarted = true;
    this.running?.releaseUnclaimed();
    this.warn(journalChangeWarning(this.id, this.place.name));
    if (this.running === undefined || this.door !== undefined) this.prepare();
  }

  /**
   * Starts the engine to resume operations of an earlier process. Where there are none it only tries the journal, so that a
   * full disk shows before the first payment. Retries until that works.
   */
  private prepare(reported = ''): void {
    const prepared = this.place.mayHoldOperations() ? this.engine() : this.place.tryOut();
    this.preparing = prepared.then(
      () => this.showRole(),
      (error) => {
        if (this.isClosed) return;
        this.status.showUnusable(error, String(error) !== reported);
        this.retry = systemClock.after(RETRY_MS, () => this.prepare(String(error)));
      },
    );
  }

  private showRole(): void {
    if (this.isClosed) return;
    this.status.showRole(this.door !== undefined);
    if (this.door !== undefined) this.leadLater(this.door);
  }

  private leadLater(door: Door): void {
    this.retry?.cancel();
    this.retry = systemClock.after(STANDBY_MS, () => {
      this.preparing = this.tryToLead(door);
    });
  }

  /** Drives the payments from now on, where no other Node-RED does. */
  private async tryToLead(door: Door): Promise<void> {
    const { journal: doorJournal } = this;
    const journal = await this.place.open(this.journalEvents()).catch(() => undefined);
    if (journal === undefined || this.isClosed || this.door !== door) {
      await journal?.close();
      if (!this.isClosed && this.door === door) this.leadLater(door);
      return;
    }
    [this.door, this.unanswered] = [undefined, door.unanswered];
    this.starting = door.stop().then(() => this.startEngine(journal));
    // The engine answers what the door has asked and nobody has answered.
    void door.settled().then(() => doorJournal?.close());
    await this.starting.then(
      () => {
        this.node.log('has taken over the journal, and takes the payments from now on');
        this.showRole();
      },
      async (error) => {
        this.starting = undefined;
        this.status.showUnusable(error, true);
        this.retry = systemClock.after(RETRY_MS, () => this.prepare(String(error)));
      },
    );
  }

  /** A database that goes away shows before the next payment does. */
  private onReachable(error?: Error): void {
    if (this.isClosed) return;
    if (error !== undefined) this.status.showUnusable(error, true);
    else {
      this.node.log('the journal can be reached again');
      this.showRole();
    }
  }

  /** Another Node-RED goes on with everything: this one stands by from now on. */
  private onLost(): void {
    if (this.isClosed) return;
    this.node.warn('another Node-RED has taken over the journal, and goes on with what is open');
    const { running, journal } = this;
    this.use(undefined);
    this.starting = undefined;
    this.journal = undefined;
    this.leaving = (async () => {
      await running?.stop();
      this.unanswered = running?.unanswered ?? [];
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
    // The Node-RED that drives them goes on with them.
    if (this.door !== undefined) return;
    const unfinished = { place: this.place.name, open: (await this.running?.open()) ?? [] };
    if (isRemoved) this.warn(abandon(this.id, unfinished));
    else noteClosed(this.id, unfinished);
  }

  private warn(warning: string | undefined): void {
    if (warning !== undefined) this.node.warn(warning);
  }

  private log(level: 'info' | 'warn' | 'error', text: string): void {
    this.node[level === 'info' ? 'log' : level](text);
  }
}
