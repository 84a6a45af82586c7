import type { Node, NodeAPI } from 'node-red';
import type { TerminalAddress } from '../../core/api/schema/fields.js';
import { JournalError } from '../../core/base/errors.js';
import { TransientSet } from '../../core/base/transient.js';
import type { Subscriber } from '../../core/delivery/dispatcher.js';
import { Heard } from '../../core/delivery/heard.js';
import type { Listener } from '../../core/delivery/listener.js';
import type { EngineOptions } from '../../core/engine/options.js';
import type { Payments } from '../../core/engine/payments.js';
import type { DoorJournal, Journal } from '../../core/journal/journal.js';
import type { OperationRecord } from '../../core/journal/record.js';
import { systemClock } from '../../core/platform/system-clock.js';
import { abandon, countAbandoned, journalChangeWarning, journalGone, noteClosed, reclaim } from './abandoned.js';
import { Attachments } from './environment/attachments.js';
import { type JournalPlace, journalPlace } from './environment/journal-place.js';
import { Pruning } from './environment/pruning.js';
import { type Leftovers, Role } from './environment/role.js';
import { ServiceConnection } from './environment/service-connection.js';
import { rateLimiters, turns } from './environment/shared-queues.js';
import { areFlowsUp, onDeploy } from './flows-started.js';
import { loadCore } from './load.js';
import type { PendingOrder } from './pending-order.js';
import { EnvironmentReceipts } from './receipts/environment-receipts.js';
import type { EnvironmentSettings } from './settings/environment-settings.js';
import type { JournalSettings } from './settings/journal-settings.js';

const heard = new Heard();

/** By environment. */
const leftovers = new Map<string, Leftovers>();

/** Their doors hold back with every deploy, also where it takes the environment away and leaves its nodes. */
function leftoversOf(RED: NodeAPI, environment: string): Leftovers {
  const known = leftovers.get(environment);
  if (known !== undefined) return known;
  const doors: Leftovers['doors'] = new Set();
  const made: Leftovers = { doors, ending: new Set(), unanswered: [] };
  leftovers.set(environment, made);
  onDeploy(RED, {
    begins: () => {
      for (const door of doors) door.hold();
    },
    ends: () => {
      for (const door of doors) door.releaseUnclaimed();
    },
  });
  return made;
}

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
  /** Messages that nodes of this environment are taking, where they move money: a cancel waits a moment for those before it. */
  readonly submissions = new TransientSet<PendingOrder>();
  /** Cancels on their way to the engine: a message that comes after one waits for it, so that it is not cancelled too. */
  readonly cancels = new TransientSet<Promise<void>>();
  readonly receipts: EnvironmentReceipts;
  private readonly place: JournalPlace;
  private readonly attachments: Attachments;
  private readonly leftovers: Leftovers;
  private readonly role: Role;
  private readonly connection: ServiceConnection;
  private readonly pruning: Pruning;
  private readonly stopWaitingForFlows: () => void;
  /** The latest engine or door, which may not have begun yet. */
  private made: Payments | undefined;
  /** Identity of the journal that was opened last. */
  private opened: string | undefined;
  private isClosed = false;
  private isUnusable = false;

  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    readonly settings: EnvironmentSettings,
    journal: JournalSettings,
    private readonly spectators: Spectators,
  ) {
    this.place = journalPlace(RED, journal);
    this.leftovers = leftoversOf(RED, node.id);
    this.attachments = new Attachments(({ payload }) => this.receipts.note(payload), heard, this.leftovers.doors);
    this.role = this.newRole();
    this.receipts = new EnvironmentReceipts(settings, (error) => this.node.error(error));
    this.connection = new ServiceConnection(node.id, settings, () => this.engine());
    this.pruning = new Pruning(journal.keepDays, (error) => this.node.error(error));
    this.stopWaitingForFlows = onDeploy(RED, {
      begins: () => this.made?.hold(),
      ends: () => this.onFlowsUp(),
    });
    reclaim(this.id, this.journal);
  }

  /** The id of its node. */
  get id(): string {
    return this.node.id;
  }

  /** How people know it. */
  get name(): string {
    return this.node.name || this.settings.kind;
  }

  /** Where it records its payments, for people. */
  get journal(): string {
    return this.place.name;
  }

  /** Whether it records its payments there, by whatever name. */
  uses(place: JournalPlace): boolean {
    if (place.name === this.place.name) return true;
    const identity = place.identity?.();
    return identity !== undefined && identity === this.place.identity?.();
  }

  /** Whether its journal certainly holds no payment of it. */
  async hasNoPayments(): Promise<boolean> {
    const payments = await this.engineIfAny();
    if (payments === undefined) return !this.place.isMade();
    const latest = await payments.recent(1).catch(() => undefined);
    return latest?.length === 0;
  }

  /** The engine, started where needed. @throws JournalError, ConfigurationError: no payment is possible for now */
  engine(): Promise<Payments> {
    return this.role.begun();
  }

  /** The engine where it runs or is starting. Starts none. */
  engineIfAny(): Promise<Payments | undefined> {
    return this.role.begunIfAny();
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

  /** See {@link ServiceConnection.isForged}. */
  isForgedCallback(attemptId: string, token: string | undefined): boolean {
    return this.connection.isForged(attemptId, token);
  }

  /** @param isRemoved the environment does not come back with this deploy */
  async close(isRemoved: boolean): Promise<void> {
    this.isClosed = true;
    this.stopWaitingForFlows();
    this.connection.stopCallbacks();
    this.pruning.stop();
    await this.role.stop();
    await this.noteUnfinished(isRemoved).catch((error) => this.node.error(error));
    await this.receipts.settled();
    await this.role.close();
    await this.connection.close(isRemoved);
  }

  private newRole(): Role {
    const { attachments, place, leftovers } = this;
    const openDoor = place.openDoor?.bind(place);
    return new Role({
      ...{ attachments, leftovers, place, clock: systemClock },
      open: async () => {
        const journal = await place.open(this.journalEvents());
        this.opened = place.identity?.();
        return journal;
      },
      ...(openDoor && { openDoor: () => openDoor(this.journalEvents()) }),
      engineOn: async (journal, unanswered) => {
        const core = loadCore();
        return this.observed(new core.Engine({ ...(await this.options(journal)), unanswered, journal }));
      },
      doorTo: async (journal, unanswered) => {
        const core = loadCore();
        const isObserved = (): boolean => this.spectators.areThere();
        return this.observed(new core.Door({ ...(await this.options(journal)), unanswered, journal, isObserved }));
      },
      onBegun: (payments) => {
        if (areFlowsUp(this.RED)) payments.releaseUnclaimed();
      },
      onDriving: (journal) => void this.pruning.start(journal),
      onReady: () => this.showRole(),
      onUnusable: (error, isNews) => this.showUnusable(error, isNews),
      onError: (error) => this.node.error(error),
      log: (text) => this.node.log(text),
    });
  }

  private observed<P extends Payments>(payments: P): P {
    if (!areFlowsUp(this.RED)) payments.hold();
    this.made = payments;
    payments.observe((record) => this.spectators.onChange(record));
    return payments;
  }

  /** All that an engine or a door needs but its journal. */
  private async options(journal: Journal | DoorJournal): Promise<Omit<EngineOptions, 'journal'>> {
    const core = loadCore();
    const receipts = await this.receipts.use(journal);
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
      heard,
      ...(receipts === undefined ? {} : { receipts }),
      ...(kind === 'simulator' ? {} : { turns }),
      log: (level, text) => this.log(level, text),
    };
  }

  private journalEvents() {
    return {
      onDamage: (damage: string) => this.onDamage(damage),
      onLastingDamage: (damage: string) => this.node.error(damage),
      onLost: () => this.onLost(),
      onReachable: (error?: Error) => this.onReachable(error),
      log: (text: string) => this.node.warn(text),
    };
  }

  private onFlowsUp(): void {
    this.made?.releaseUnclaimed();
    this.warn(journalChangeWarning(this.id, { place: this.place.name, nodeRed: this.RED }));
    if (this.role.payments === undefined || this.role.isDoor) this.role.prepare();
  }

  /** To be called when payments of this environment were found that nobody follows. That it cannot be used is said first. */
  showUnfollowed(): void {
    if (!this.isUnusable) this.showRole();
  }

  private showRole(): void {
    this.isUnusable = false;
    const unfollowed = countAbandoned(this.id);
    if (unfollowed > 0) this.node.status({ fill: 'red', shape: 'ring', text: `status.unfollowed ${unfollowed}` });
    else if (this.role.isDoor) this.node.status({ fill: 'green', shape: 'ring', text: 'status.standby' });
    else this.node.status({ fill: 'green', shape: 'dot', text: 'status.recording' });
  }

  /** A database that goes away shows before the next payment does. */
  private onReachable(error?: Error): void {
    if (this.isClosed) return;
    if (error !== undefined) this.showUnusable(error, true);
    else {
      this.node.log('the journal can be reached again');
      this.role.ready();
    }
  }

  private showUnusable(error: Error, isNews: boolean): void {
    this.isUnusable = true;
    if (isNews) this.node.error(error);
    const text = error instanceof JournalError ? 'status.journal-unusable' : 'status.environment-unusable';
    this.node.status({ fill: 'red', shape: 'ring', text });
  }

  /** Another Node-RED goes on with everything: this one stands by from now on. */
  private onLost(): void {
    if (this.isClosed) return;
    this.node.warn('another Node-RED has taken over the journal, and goes on with what is open');
    this.role.lose();
  }

  /** Takes up at once what a mended index shows again. */
  private onDamage(damage: string): void {
    this.node.error(damage);
    this.role.payments?.start().catch((error) => this.node.error(error));
  }

  private async noteUnfinished(isRemoved: boolean): Promise<void> {
    // The Node-RED that drives them goes on with them.
    if (this.role.isDoor) return;
    const { payments } = this.role;
    if (payments === undefined) return;
    const unfinished = { place: this.place.name, open: await payments.open(), nodeRed: this.RED };
    if (this.opened !== undefined && this.opened !== this.place.identity?.()) this.node.error(journalGone(unfinished));
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
