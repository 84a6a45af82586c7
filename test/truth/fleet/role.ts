import { StandbyError } from '../../../src/core/base/errors.js';
import { Door } from '../../../src/core/engine/doors/door.js';
import { Engine } from '../../../src/core/engine/engine.js';
import type { EngineOptions, Unanswered } from '../../../src/core/engine/options.js';
import type { DoorJournal, Journal } from '../../../src/core/journal/journal.js';
import type { Attachments } from '../../../src/nodes/runtime/environment/attachments.js';
import type { Process } from '../process.js';
import type { Membership } from './membership.js';

/** As the environment's node has them, ms. */
const RETRY = 30_000;
const STANDBY = 10_000;

/** The process that has a role, and who wants to know of it. */
interface Setting {
  readonly process: Process;
  readonly attachments: Attachments;
  join(onLost: () => void): Promise<Membership>;
  options(unanswered: readonly Unanswered[]): Omit<EngineOptions, 'journal'>;
  /** It is the leader's or a door's from now on, or none. */
  onRole(payments: Engine | Door | undefined): void;
  /** It could not be taken, and is tried again. */
  onFailed(error: Error): void;
  note(text: string): void;
}

/**
 * Whether a process leads or is a door, as the environment's node decides it (`src/nodes/runtime/environment-runtime.ts`): from
 * its start, or a deploy, to its end, or the next deploy.
 */
export class Role {
  /** Undefined while it is taken, or cannot be. */
  payments: Engine | Door | undefined;
  private membership: Membership | undefined;
  private journal: Journal | DoorJournal | undefined;
  private unanswered: readonly Unanswered[] = [];
  private change: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(private readonly setting: Setting) {}

  /** It leads, and may send and tell. */
  get mayAct(): boolean {
    return (
      this.setting.process.alive && this.journal !== undefined && 'mayAct' in this.journal && this.journal.mayAct()
    );
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.change;
    const { payments } = this;
    await (payments instanceof Door ? payments.end() : payments?.stop());
    await this.journal?.close();
    await this.membership?.leave();
    this.payments = undefined;
  }

  private get isUp(): boolean {
    return this.setting.process.alive && !this.isClosed;
  }

  enter(): void {
    this.change = this.change.then(() => this.begin());
  }

  private async begin(): Promise<void> {
    if (!this.isUp) return;
    try {
      this.membership ??= await this.setting.join(() => this.onLost());
      await this.takeRole(this.membership);
    } catch (error) {
      if (!this.setting.process.alive) return;
      this.setting.note(`does not start: ${error}`);
      this.setting.onFailed(error as Error);
      this.later(RETRY, () => this.enter());
    }
  }

  /** Not where the process closes before. */
  private later(ms: number, run: () => void): void {
    this.setting.process.clock.after(ms, () => this.isUp && run());
  }

  private async takeRole(membership: Membership): Promise<void> {
    try {
      await this.drive(await membership.lead());
    } catch (error) {
      if (!(error instanceof StandbyError)) throw error;
      await this.stand(membership);
    }
  }

  private async drive(journal: Journal): Promise<void> {
    const engine = new Engine({ ...this.setting.options(this.unanswered), journal });
    this.setting.attachments.use(engine);
    try {
      await engine.start();
    } catch (error) {
      this.setting.attachments.use(undefined);
      await engine.stop();
      await journal.close();
      throw error;
    }
    this.use(engine, journal);
  }

  private async stand(membership: Membership): Promise<void> {
    const journal = membership.stand();
    const door = new Door({ ...this.setting.options(this.unanswered), journal });
    this.setting.attachments.use(door);
    await door.start();
    this.use(door, journal);
    this.leadLater(door);
  }

  private use(payments: Engine | Door, journal: Journal | DoorJournal): void {
    if (!this.setting.process.alive) return;
    this.journal = journal;
    this.payments = payments;
    this.setting.note(payments instanceof Engine ? 'leads' : 'is a door');
    this.setting.onRole(payments);
  }

  private leadLater(door: Door): void {
    this.later(STANDBY, () => {
      if (this.payments === door) this.change = this.change.then(() => this.tryToLead(door));
    });
  }

  private async tryToLead(door: Door): Promise<void> {
    const { membership, journal: doorJournal } = this;
    const journal = await membership?.lead().catch(() => undefined);
    if (journal === undefined || this.payments !== door) {
      await journal?.close();
      if (this.payments === door && this.isUp) this.leadLater(door);
      return;
    }
    this.payments = undefined;
    this.unanswered = door.unanswered;
    await door.stop();
    void door.settled().then(() => doorJournal?.close());
    try {
      await this.drive(journal);
    } catch (error) {
      if (!this.setting.process.alive) return;
      this.setting.note(`cannot lead: ${error}`);
      this.later(RETRY, () => this.enter());
    }
  }

  /** Another process has taken over: this one is a door from now on. */
  private onLost(): void {
    this.setting.note('has lost the journal');
    const { payments, journal } = this;
    this.setting.attachments.use(undefined);
    this.payments = undefined;
    this.journal = undefined;
    this.setting.onRole(undefined);
    this.change = this.change.then(async () => {
      await payments?.stop();
      this.unanswered = payments?.unanswered ?? [];
      await journal?.close();
      await this.begin();
    });
  }
}
