import { NotSentError } from '../../../src/core/base/errors.js';
import type { HttpAnswer, HttpRequest } from '../../../src/core/base/seams.js';
import type { Door } from '../../../src/core/engine/doors/door.js';
import { Engine } from '../../../src/core/engine/engine.js';
import type { EngineOptions } from '../../../src/core/engine/options.js';
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
import { Role } from './role.js';
import type { SharedDatabase } from './shared-database.js';

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
 * stands in for one.
 */
export class Machine {
  process: Process;
  link: Link;
  private role: Role | undefined;
  /** The process is being closed in order. */
  private isClosing = false;
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

  /** Undefined while the process starts, or cannot. */
  get payments(): Engine | Door | undefined {
    return this.role?.payments;
  }

  get mayAct(): boolean {
    return this.role?.mayAct === true;
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
    this.nodes.detach();
    await this.role?.close();
    this.world.noteRoles();
  }

  private enter(): void {
    const { process, link, world, attachments } = this;
    const replica = { id: link.id, host: `machine-${this.place}` };
    const note = (text: string): void => this.note(text);
    const onKeyNoted = (keyId: string): void => void world.disk.notedKeys.add(keyId);
    this.role = new Role({
      process,
      attachments,
      join: (onLost) => Membership.join(world.database, link, replica, process, { onLost, log: note, onKeyNoted }),
      options: (unanswered) => ({ ...this.options(), unanswered }),
      onRole: (payments) => this.noteRole(payments),
      onFailed: (error) => {
        for (const { refuse } of this.awaiting.splice(0)) refuse(error);
      },
      note,
    });
    this.role.enter();
  }

  private noteRole(payments: Engine | Door | undefined): void {
    this.world.noteRoles();
    if (payments instanceof Engine) this.world.standstill.begun();
    payments?.releaseUnclaimed();
    if (payments !== undefined) for (const { submit } of this.awaiting.splice(0)) submit(payments);
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
    this.role = undefined;
    this.awaiting = [];
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
