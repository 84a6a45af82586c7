import { ConfigurationError, JournalError, LeaseLostError, StandbyError } from '../../../core/base/errors.js';
import type { Clock, Timer } from '../../../core/base/seams.js';
import type { Door } from '../../../core/engine/doors/door.js';
import type { Engine } from '../../../core/engine/engine.js';
import type { Unanswered } from '../../../core/engine/options.js';
import type { Payments } from '../../../core/engine/payments.js';
import type { DoorJournal, Journal } from '../../../core/journal/journal.js';
import type { Attachments } from './attachments.js';
import type { JournalPlace } from './journal-place.js';

/** How long to wait, in ms, before a journal that another process has is tried again. */
const STANDBY_MS = 10_000;

/** What a deploy leaves to the role that follows it. */
export interface Leftovers {
  /** Doors that deploys have ended, and that may have something to tell still. */
  readonly doors: Set<Door>;
  /** Roles that deploys have ended, and that may have something to record still: Node-RED does not wait for long. */
  readonly ending: Set<Promise<void>>;
  /** Of an engine: another process may have told the end, so that the journal says nothing of what the flow heard here. */
  unanswered: readonly Unanswered[];
}

/** Who has the role, and who wants to know of it. */
export interface RoleSetting {
  readonly clock: Clock;
  readonly attachments: Attachments;
  readonly leftovers: Leftovers;
  readonly place: Pick<JournalPlace, 'mayHoldOperations' | 'tryOut'>;
  /** See `JournalPlace.open`. */
  open(): Promise<Journal>;
  /** See `JournalPlace.openDoor`. */
  openDoor?(): Promise<DoorJournal>;
  /** Not started yet. */
  engineOn(journal: Journal, unanswered: readonly Unanswered[]): Promise<Engine>;
  doorTo(journal: DoorJournal, unanswered: readonly Unanswered[]): Promise<Door>;
  /** They can tell something, though an engine may have to wait until the journal can be written. */
  onBegun(payments: Payments): void;
  /** The journal is this process's. */
  onDriving?(journal: Journal): void;
  /** It drives the payments, is a door, or has only tried the journal. */
  onReady(): void;
  /** No payment is possible for now. It is tried again. */
  onUnusable(error: Error, isNews: boolean): void;
  onError(error: Error): void;
  log(text: string): void;
}

/**
 * Whether a process drives the payments of an environment or is a door to the process that does, from a deploy to the next one.
 * It starts with the first payment, or where the journal may hold operations to resume.
 */
export class Role {
  private starting: Promise<Payments> | undefined;
  private running: Payments | undefined;
  private journal: Journal | DoorJournal | undefined;
  /** Runs while another process drives the payments. */
  private door: Door | undefined;
  /** Starts an engine once more that could not write when it was started. It is not ended: its flows hear of that in time. */
  private startAgain: (() => Promise<Payments>) | undefined;
  /** Of the engine or door that ended because another process leads, or this one does now. */
  private unanswered: readonly Unanswered[];
  /** The journal was lost, and what worked with it is about to end. */
  private leaving: Promise<void> | undefined;
  private preparing: Promise<void> | undefined;
  private retry: Timer | undefined;
  private isClosed = false;

  constructor(private readonly setting: RoleSetting) {
    const { doors, unanswered } = setting.leftovers;
    for (const door of doors) if (door.isOver) doors.delete(door);
    this.unanswered = unanswered;
  }

  /** The engine or door, where it runs. */
  get payments(): Payments | undefined {
    return this.running;
  }

  get isDoor(): boolean {
    return this.door !== undefined;
  }

  /** The engine or door, started where needed. @throws JournalError, ConfigurationError: no payment is possible for now */
  begun(): Promise<Payments> {
    // Nobody would stop an engine that starts now, and nobody would deliver its results.
    if (this.isClosed) return Promise.reject(closedByDeploy());
    this.starting ??= this.begin().catch((error) => {
      this.starting = undefined;
      throw error;
    });
    return this.starting.then((payments) => {
      if (this.isClosed) throw closedByDeploy();
      return payments;
    });
  }

  /** The engine or door where it runs or is starting. Starts none. */
  async begunIfAny(): Promise<Payments | undefined> {
    return this.starting?.catch(() => undefined);
  }

  /**
   * Begins, to resume operations of an earlier process. Where there are none it only tries the journal, so that a full disk
   * shows before the first payment. Retries until that works.
   */
  prepare(reported = '', failures = 0): void {
    const { place } = this.setting;
    const prepared = place.mayHoldOperations() ? this.begun() : place.tryOut();
    this.preparing = prepared.then(
      () => this.ready(),
      (error) => {
        if (this.isClosed) return;
        this.setting.onUnusable(error, String(error) !== reported);
        this.later(retryMs(failures), () => this.prepare(String(error), failures + 1));
      },
    );
  }

  /** Another process goes on with everything: this one stands by from now on. */
  lose(): void {
    if (this.isClosed) return;
    const { running, journal } = this;
    this.use(undefined);
    [this.starting, this.startAgain, this.journal, this.door] = [undefined, undefined, undefined, undefined];
    this.leaving = (async () => {
      await running?.stop();
      this.unanswered = running?.unanswered ?? [];
      await journal?.close();
    })().catch((error) => this.setting.onError(error));
    this.prepare();
  }

  /** Begins with nothing more. Resolves once nothing more is recorded. */
  stop(): Promise<void> {
    this.isClosed = true;
    const { ending } = this.setting.leftovers;
    const stopping = this.settle().finally(() => ending.delete(stopping));
    ending.add(stopping);
    return stopping;
  }

  private async settle(): Promise<void> {
    await this.starting?.catch(() => undefined);
    await this.preparing;
    await this.leaving;
    this.retry?.cancel();
    if (this.door !== undefined) {
      await this.end(this.door);
      return;
    }
    await this.running?.stop();
    this.setting.leftovers.unanswered = this.running?.unanswered ?? this.unanswered;
  }

  /** After {@link stop}. */
  async close(): Promise<void> {
    await this.journal?.close();
  }

  /** The door goes on without the flows that are deployed, where it does not know yet what became of what it has asked. */
  private async end(door: Door): Promise<void> {
    const { journal, setting } = this;
    this.journal = undefined;
    setting.leftovers.doors.add(door);
    setting.leftovers.unanswered = [];
    let isSettled = false;
    const closed = door.settled
      .then(() => {
        isSettled = true;
        return journal?.close();
      })
      .catch((error) => setting.onError(error));
    await door.end();
    if (isSettled) await closed;
  }

  private async begin(): Promise<Payments> {
    await this.leaving;
    if (this.startAgain !== undefined) return this.startAgain();
    const { setting } = this;
    try {
      return await this.drive(await setting.open());
    } catch (error) {
      if (!(error instanceof StandbyError) || setting.openDoor === undefined) throw error;
      const door = await this.open(await setting.openDoor());
      setting.log(error.message);
      return door;
    }
  }

  private async drive(journal: Journal): Promise<Payments> {
    const { setting } = this;
    const engine = await this.made(journal, setting.engineOn(journal, this.unanswered));
    const start = async (): Promise<Payments> => {
      const ending = [...setting.leftovers.ending];
      await engine.start();
      this.startAgain = undefined;
      if (ending.length > 0) void Promise.allSettled(ending).then(() => this.takeUpLate(engine));
      setting.onBegun(engine);
      setting.onDriving?.(journal);
      return engine;
    };
    try {
      return await start();
    } catch (error) {
      if (isUnwritable(error)) {
        this.startAgain = start;
        setting.onBegun(engine);
      } else await this.giveUp(engine, journal);
      throw error;
    }
  }

  /** Takes up what the role before this one recorded after the engine had started. Retries until that works. */
  private async takeUpLate(engine: Engine, failures = 0): Promise<void> {
    if (this.isClosed || this.running !== engine) return;
    try {
      await engine.resume();
    } catch (error) {
      this.setting.onError(error as Error);
      this.setting.clock.after(retryMs(failures), () => void this.takeUpLate(engine, failures + 1));
    }
  }

  private async open(journal: DoorJournal): Promise<Payments> {
    const door = await this.made(journal, this.setting.doorTo(journal, this.unanswered));
    try {
      await door.start();
    } catch (error) {
      await this.giveUp(door, journal);
      throw error;
    }
    this.door = door;
    this.setting.onBegun(door);
    return door;
  }

  /** Attached before it starts, so that no node misses what an engine resumes. */
  private async made<P extends Payments>(journal: Journal | DoorJournal, making: Promise<P>): Promise<P> {
    try {
      const payments = await making;
      this.use(payments);
      this.journal = journal;
      return payments;
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  private async giveUp(payments: Payments, journal: Journal | DoorJournal): Promise<void> {
    this.use(undefined);
    this.journal = undefined;
    await payments.stop();
    await journal.close();
  }

  private use(payments: Payments | undefined): void {
    this.running = payments;
    this.setting.attachments.use(payments);
  }

  /** The role is known, or was shown to be out of reach and is not any more. */
  ready(): void {
    if (this.isClosed) return;
    this.setting.onReady();
    if (this.door !== undefined) this.leadLater(this.door);
  }

  private leadLater(door: Door): void {
    this.later(STANDBY_MS, () => {
      this.preparing = this.tryToLead(door);
    });
  }

  /** Drives the payments from now on, where no other process does. */
  private async tryToLead(door: Door): Promise<void> {
    const { journal: doorJournal } = this;
    const journal = await this.setting.open().catch(() => undefined);
    if (journal === undefined || this.isClosed || this.door !== door) {
      await journal?.close();
      if (!this.isClosed && this.door === door) this.leadLater(door);
      return;
    }
    [this.door, this.unanswered] = [undefined, door.unanswered];
    this.starting = door.stop().then(() => this.drive(journal));
    // The engine answers what the door has asked and nobody has answered.
    void door.settled.then(() => doorJournal?.close());
    await this.starting.then(
      () => {
        this.setting.log('has taken over the journal, and takes the payments from now on');
        this.ready();
      },
      (error) => {
        this.starting = undefined;
        this.setting.onUnusable(error, true);
        this.later(retryMs(0), () => this.prepare(String(error), 1));
      },
    );
  }

  private later(ms: number, run: () => void): void {
    this.retry?.cancel();
    this.retry = this.setting.clock.after(ms, run);
  }
}

/**
 * How long to wait, in ms, before a journal that could not be opened is tried again: from a second on, so that a database that
 * was away for a moment costs no open payment half a minute.
 * @param failures in a row before this one
 */
function retryMs(failures: number): number {
  return Math.min(1000 * 2 ** failures, 30_000);
}

/** Made only where it is thrown: every payment asks whether the environment is closed, and an error costs 30 µs for its stack. */
function closedByDeploy(): ConfigurationError {
  return new ConfigurationError('the environment was closed by a deploy');
}

/** Nothing can be written for now, and no other process has the journal. */
function isUnwritable(error: unknown): boolean {
  return error instanceof JournalError && !(error instanceof StandbyError) && !(error instanceof LeaseLostError);
}
