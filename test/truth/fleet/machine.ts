import { NotSentError } from '../../../src/core/base/errors.js';
import type { HttpAnswer, HttpRequest } from '../../../src/core/base/seams.js';
import { Heard } from '../../../src/core/delivery/heard.js';
import { Door } from '../../../src/core/engine/doors/door.js';
import { Engine } from '../../../src/core/engine/engine.js';
import type { EngineOptions } from '../../../src/core/engine/options.js';
import type { Payments } from '../../../src/core/engine/payments.js';
import type { DoorJournal, Journal } from '../../../src/core/journal/journal.js';
import { SharedStores } from '../../../src/core/journal/shared-stores.js';
import { Attachments } from '../../../src/nodes/runtime/environment/attachments.js';
import { type Leftovers, Role } from '../../../src/nodes/runtime/environment/role.js';
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

/** Where a machine stands. */
export interface Place extends Sides, Audience {
  readonly clock: VirtualClock;
  readonly database: SharedDatabase;
  readonly closedAt: Map<number, number>;
  readonly failedStarts: number[];
  readonly disk: Disk;
  readonly engineOptions: Omit<EngineOptions, 'journal' | 'send' | 'clock' | 'rateLimiters' | 'log'>;
  skewOf(place: number): number;
  deathOf(life: number): Death | undefined;
  downtimeOf(life: number): number;
  /** The number of the next life of a machine's process. */
  nextLife(place: number): number;
  linkOf(process: Process): Link;
  noteRoles(): void;
  noteDeath(machine: Machine, byItself: boolean): void;
}

/**
 * One machine of a fleet: its process starts again after each of its deaths. In it an engine drives the payments, or a door
 * stands in for one.
 */
export class Machine {
  process: Process;
  link: Link;
  /** Undefined while the process is away. */
  private role: Role | undefined;
  /** The role has begun with it. */
  private begun: Engine | Door | undefined;
  private journal: Journal | undefined;
  private memberships!: SharedStores<Membership>;
  private heard!: Heard;
  private leftovers!: Leftovers;
  /** The process is being closed in order. */
  private isClosing = false;
  private nodes!: Nodes;
  private traffic!: Traffic;

  /** @param place among all machines */
  constructor(
    private readonly world: Place,
    readonly place: number,
  ) {
    this.process = this.newProcess(place);
    this.link = this.newLink();
  }

  /** Undefined while the process starts, or cannot. */
  get payments(): Engine | Door | undefined {
    return this.begun;
  }

  get mayAct(): boolean {
    return this.process.alive && this.journal?.mayAct() === true;
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
    this.memberships = new SharedStores();
    this.heard = new Heard();
    this.leftovers = { doors: new Set(), ending: new Set(), unanswered: [] };
    this.traffic = new Traffic(this.sides());
    this.enter();
  }

  take(asked: Asked, message: { node: string; request: Request }, submitted: (asked: Asked) => void): void {
    const { process } = this;
    const submit = (payments: Payments): void => {
      if (process.alive) this.nodes.submit(payments, asked, message, submitted);
    };
    const refuse = (error: Error): void => {
      if (!process.alive) return;
      asked.rejected = error;
      this.note(`${asked.id} rejected: ${error}`);
    };
    process.whenThawed(() => void this.role?.begun().then(submit, refuse));
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
    await this.close();
    this.world.clock.after(ms, () => {
      if (!process.alive || process !== this.process) return;
      this.isClosing = false;
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
    this.world.closedAt.set(this.process.number, this.world.clock.now());
    this.world.noteRoles();
    this.nodes.detach();
    await this.role?.stop();
    await this.role?.close();
    this.begun = undefined;
    this.world.noteRoles();
  }

  private enter(): void {
    const { process, leftovers } = this;
    const attachments = new Attachments(() => undefined, this.heard, leftovers.doors);
    this.nodes.attach(attachments, process);
    const role = new Role({
      ...{ attachments, leftovers, clock: process.clock },
      place: { mayHoldOperations: () => true, tryOut: async () => undefined },
      open: () => this.open(() => this.lose(role)),
      openDoor: () => this.openDoor(),
      engineOn: async (journal, unanswered) => new Engine({ ...this.options(), unanswered, journal }),
      doorTo: async (journal, unanswered) => new Door({ ...this.options(), unanswered, journal }),
      onBegun: (payments) => {
        if (process.alive) this.noteRole(payments as Engine | Door);
      },
      onReady: () => undefined,
      onUnusable: (error) => {
        this.note(`cannot begin: ${error}`);
        if (this.leads) this.world.failedStarts.push(this.world.clock.now());
      },
      onError: (error) => this.note(`${error}`),
      log: (text) => this.note(text),
    });
    this.role = role;
    role.prepare();
  }

  private async open(onLost: () => void): Promise<Journal> {
    const { store, leave } = await this.join();
    try {
      this.journal = await store.lead(onLost, leave);
      return this.journal;
    } catch (error) {
      await leave();
      throw error;
    }
  }

  private async openDoor(): Promise<DoorJournal> {
    const { store, leave } = await this.join();
    return store.stand(leave);
  }

  private join() {
    const { world, link, process } = this;
    const replica = { id: link.id, host: `machine-${this.place}` };
    const log = (text: string): void => this.note(text);
    const onKeyNoted = (keyId: string): void => void world.disk.notedKeys.add(keyId);
    return this.memberships.join('', () =>
      Membership.join(world.database, link, replica, process, { log, onKeyNoted }),
    );
  }

  /** Another process has taken over. */
  private lose(role: Role): void {
    this.note('has lost the journal');
    if (role === this.role && !this.isClosing) this.begun = undefined;
    role.lose();
    this.world.noteRoles();
  }

  private noteRole(payments: Engine | Door): void {
    this.begun = payments;
    this.note(payments instanceof Engine ? 'leads' : 'is a door');
    this.world.noteRoles();
    if (payments instanceof Engine) this.world.standstill.begun();
    payments.releaseUnclaimed();
    for (const door of this.leftovers.doors) door.releaseUnclaimed();
  }

  private options(): Omit<EngineOptions, 'journal'> {
    const { process, traffic, world } = this;
    return {
      ...world.engineOptions,
      send: process.send((request) => {
        this.mustLead(request);
        return traffic.send(request);
      }),
      clock: process.clock,
      rateLimiters: process.rateLimiters,
      heard: this.heard,
      log: (level, text) => this.note(`log ${level}: ${text}`),
    };
  }

  /** Two processes that order payments would not know of each other's. */
  private mustLead({ method, body = '' }: HttpRequest): void {
    const { database, violations } = this.world;
    if (method === 'POST' && database.leader?.owner !== this.link.id)
      violations.push(`a process that leads no more sent ${body}`);
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
    [this.role, this.begun, this.journal] = [undefined, undefined, undefined];
    world.noteRoles();
    world.clock.after(ms, () => {
      this.isClosing = false;
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
    const { clock, flow, standstill, tellings, violations, note, listeners, mishap } = this.world;
    const { process } = this;
    const named = note && ((line: string) => this.note(line));
    return { clock, flow, standstill, process, tellings, violations, note: named, listeners, mishap };
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
