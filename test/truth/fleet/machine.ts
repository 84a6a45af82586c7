import { NotSentError, StandbyError } from '../../../src/core/base/errors.js';
import type { HttpAnswer, HttpRequest } from '../../../src/core/base/seams.js';
import { Door } from '../../../src/core/engine/doors/door.js';
import { Engine } from '../../../src/core/engine/engine.js';
import type { EngineOptions } from '../../../src/core/engine/options.js';
import type { DoorJournal, Journal } from '../../../src/core/journal/journal.js';
import type { OperationRecord } from '../../../src/core/journal/record.js';
import { Attachments } from '../../../src/nodes/runtime/environment/attachments.js';
import type { VirtualClock } from '../../harness/virtual-clock.js';
import type { Disk } from '../disk.js';
import type { Asked, Request } from '../flow.js';
import { type Audience, Nodes } from '../nodes.js';
import { Process } from '../process.js';
import type { Death } from '../scenario.js';
import { type Sides, Traffic } from '../traffic.js';
import type { Link } from './link.js';
import { Membership } from './membership.js';
import type { SharedDatabase } from './shared-database.js';

/** As the environment's node has them, ms. */
const RETRY = 30_000;
const STANDBY = 10_000;

/** Where a machine stands. */
export interface Place extends Sides, Audience {
  readonly clock: VirtualClock;
  readonly database: SharedDatabase;
  readonly disk: Disk;
  readonly engineOptions: Omit<EngineOptions, 'journal' | 'send' | 'clock' | 'rateLimiters' | 'log'>;
  skewOf(place: number): number;
  deathOf(life: number): Death | undefined;
  downtimeOf(life: number): number;
  /** The number of the next life of a machine's process. */
  nextLife(place: number): number;
  linkOf(process: Process): Link;
  noteRoles(): void;
  /** Its process forgets what it was asked, as far as the journal does not have it. */
  noteClosing(process: Process): void;
  noteDeath(machine: Machine, byItself: boolean): void;
}

/**
 * One machine of a fleet: its process starts again after each of its deaths. In it an engine drives the payments, or a door
 * stands in for one, as the environment's node decides it (`src/nodes/runtime/environment-runtime.ts`).
 */
export class Machine {
  process: Process;
  link: Link;
  /** Undefined while the process starts, or cannot. */
  payments: Engine | Door | undefined;
  private unanswered: readonly OperationRecord[] = [];
  private membership: Membership | undefined;
  private journal: Journal | DoorJournal | undefined;
  /** The process is being closed in order. */
  private isClosing = false;
  private roleChange: Promise<void> = Promise.resolve();
  private nodes!: Nodes;
  private attachments!: Attachments;
  private traffic!: Traffic;
  private awaiting: { submit: (payments: Engine | Door) => void; refuse: (error: Error) => void }[] = [];

  /** @param place among all machines */
  constructor(
    private readonly world: Place,
    readonly place: number,
  ) {
    this.process = this.newProcess(place);
    this.link = this.newLink();
  }

  get isUp(): boolean {
    return this.process.alive && !this.isClosing;
  }

  /** It drives the payments, as far as it knows. */
  get leads(): boolean {
    return this.payments instanceof Engine;
  }

  /** It drives them, and nothing keeps it from it. */
  get serves(): boolean {
    return this.leads && this.isUp && !this.process.isFrozen && this.link.isThrough;
  }

  start(): void {
    this.nodes = new Nodes(this.audience());
    this.attachments = new Attachments(() => undefined);
    this.traffic = new Traffic(this.sides());
    this.nodes.attach(this.attachments, this.process);
    this.enter();
  }

  take(asked: Asked, message: { node: string; request: Request }, submitted: (asked: Asked) => void): void {
    const { process } = this;
    const submit = (payments: Engine | Door): void => this.nodes.submit(payments, asked, message, submitted);
    const refuse = (error: Error): void => {
      asked.rejected = error;
      this.note(`${asked.id} rejected: ${error}`);
    };
    process.whenThawed(() => {
      if (!process.alive) return;
      if (this.payments === undefined) this.awaiting.push({ submit, refuse });
      else submit(this.payments);
    });
  }

  /** Asks for something about an operation, which may fail. */
  request(work: (payments: Engine | Door) => Promise<unknown> | boolean): void {
    const { process } = this;
    process.whenThawed(() => {
      if (!process.alive || this.payments === undefined) return;
      Promise.resolve(work(this.payments)).catch((error) => this.note(`a request fails: ${error}`));
    });
  }

  callback(request: HttpRequest): Promise<HttpAnswer> {
    return this.isUp ? this.traffic.deliver(request) : Promise.reject(new NotSentError('nobody listens'));
  }

  freeze(ms: number): void {
    this.process.freeze(ms);
  }

  crash(): void {
    this.process.kill();
  }

  /** The flows are deployed: closes everything, and begins anew after `ms`. */
  async deploy(ms: number): Promise<void> {
    const { process } = this;
    this.world.noteClosing(process);
    await this.close();
    this.world.clock.after(ms, () => {
      if (!process.alive || process !== this.process) return;
      this.isClosing = false;
      this.link = this.newLink();
      this.nodes.attach(this.attachments, process);
      this.enter();
    });
  }

  /** The process ends in order, and another one starts after `ms`. */
  async restart(ms: number): Promise<void> {
    const { process } = this;
    await this.close();
    if (!process.alive) return;
    process.end();
    this.startAgain(ms);
  }

  private async close(): Promise<void> {
    this.isClosing = true;
    this.world.noteRoles();
    await this.roleChange;
    const { payments } = this;
    this.nodes.detach();
    await (payments instanceof Door ? payments.end() : payments?.stop());
    await this.journal?.close();
    await this.membership?.leave();
    this.payments = undefined;
    this.journal = undefined;
    this.membership = undefined;
    this.world.noteRoles();
  }

  private enter(): void {
    this.roleChange = this.roleChange.then(() => this.begin());
  }

  private async begin(): Promise<void> {
    const { process } = this;
    if (!this.isUp) return;
    try {
      this.membership ??= await this.join();
      await this.takeRole(this.membership);
    } catch (error) {
      if (!process.alive) return;
      this.note(`does not start: ${error}`);
      for (const { refuse } of this.awaiting.splice(0)) refuse(error as Error);
      this.later(RETRY, () => this.enter());
    }
  }

  /** Not where the process closes before. */
  private later(ms: number, run: () => void): void {
    const { process, link } = this;
    process.clock.after(ms, () => this.isUp && link === this.link && run());
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
    const engine = new Engine({ ...this.options(), journal });
    this.attachments.use(engine);
    try {
      await engine.start();
    } catch (error) {
      this.attachments.use(undefined);
      await engine.stop();
      await journal.close();
      throw error;
    }
    this.use(engine, journal);
    this.world.standstill.begun();
  }

  private async stand(membership: Membership): Promise<void> {
    const journal = membership.stand();
    const door = new Door({ ...this.options(), journal });
    this.attachments.use(door);
    await door.start();
    this.use(door, journal);
    this.leadLater(door);
  }

  private use(payments: Engine | Door, journal: Journal | DoorJournal): void {
    if (!this.process.alive) return;
    this.journal = journal;
    this.payments = payments;
    this.note(payments instanceof Engine ? 'leads' : 'is a door');
    this.world.noteRoles();
    payments.releaseUnclaimed();
    for (const { submit } of this.awaiting.splice(0)) submit(payments);
  }

  private leadLater(door: Door): void {
    this.later(STANDBY, () => {
      if (this.payments === door) this.roleChange = this.roleChange.then(() => this.tryToLead(door));
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
    await door.stop();
    void door.settled().then(() => doorJournal?.close());
    try {
      await this.drive(journal);
    } catch (error) {
      if (!this.process.alive) return;
      this.note(`cannot lead: ${error}`);
      this.later(RETRY, () => this.enter());
    }
  }

  /** Another process has taken over: this one is a door from now on. */
  private onLost(): void {
    this.note('has lost the journal');
    const { payments, journal } = this;
    this.attachments.use(undefined);
    this.payments = undefined;
    this.journal = undefined;
    this.world.noteRoles();
    this.roleChange = this.roleChange.then(async () => {
      await payments?.stop();
      this.unanswered = payments instanceof Engine ? payments.unanswered : [];
      await journal?.close();
      await this.begin();
    });
  }

  private join(): Promise<Membership> {
    const { process, link, world } = this;
    const replica = { id: `process-${process.number}`, host: `machine-${this.place}` };
    return Membership.join(world.database, link, replica, process, {
      onLost: () => this.onLost(),
      log: (text) => this.note(text),
      onKeyNoted: (keyId) => void world.disk.notedKeys.add(keyId),
    });
  }

  private options(): Omit<EngineOptions, 'journal'> {
    const { process, traffic, world } = this;
    return {
      ...world.engineOptions,
      unanswered: this.unanswered,
      send: process.send((request) => traffic.send(request)),
      clock: process.clock,
      rateLimiters: process.rateLimiters,
      log: (level, text) => this.note(`log ${level}: ${text}`),
    };
  }

  private newProcess(number: number): Process {
    const process = new Process(number, this.world.clock, this.world.deathOf(number), (byItself) =>
      this.died(byItself),
    );
    process.startClock(this.world.skewOf(this.place));
    return process;
  }

  private newLink(): Link {
    return this.world.linkOf(this.process);
  }

  private died(byItself: boolean): void {
    this.note('dies');
    this.world.noteDeath(this, byItself);
    this.startAgain(this.world.downtimeOf(this.process.number));
  }

  private startAgain(ms: number): void {
    const { world, place } = this;
    this.payments = undefined;
    this.journal = undefined;
    this.membership = undefined;
    this.awaiting = [];
    world.noteRoles();
    world.clock.after(ms, () => {
      this.isClosing = false;
      this.roleChange = Promise.resolve();
      this.process = this.newProcess(world.nextLife(place));
      this.link = this.newLink();
      this.note('starts');
      this.start();
    });
  }

  private note(text: string): void {
    this.world.note?.(`[${this.place}] ${text}`);
  }

  private audience(): Audience {
    const { flow, standstill, tellings, violations, note, listeners } = this.world;
    const { process } = this;
    const named = note && ((line: string) => this.note(line));
    return { flow, standstill, process, tellings, violations, note: named, listeners };
  }

  private sides(): Sides {
    const { world, process } = this;
    const { clock, simulator, inspector, standstill, witnesses, faults, asked, outages, note } = world;
    const named = note && ((line: string) => this.note(line));
    const payments = (): Engine | Door | undefined => this.payments;
    return {
      ...{ clock, simulator, inspector, standstill, witnesses, faults, asked, outages, process, note: named },
      get time() {
        return world.time;
      },
      get engine() {
        return payments();
      },
    };
  }
}
