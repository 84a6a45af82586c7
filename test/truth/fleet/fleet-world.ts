import { NotSentError } from '../../../src/core/base/errors.js';
import type { HttpAnswer, HttpRequest } from '../../../src/core/base/seams.js';
import type { CallbackAnswer } from '../../../src/core/engine/callback-receiver.js';
import { Door } from '../../../src/core/engine/doors/door.js';
import { Engine } from '../../../src/core/engine/engine.js';
import type { EngineOptions } from '../../../src/core/engine/options.js';
import { Draw } from '../draw.js';
import type { Asked, Heard, Request } from '../flow.js';
import type { Process } from '../process.js';
import { type Death, NODES, type Scenario } from '../scenario.js';
import { CALLBACK } from '../traffic.js';
import { ENVIRONMENT, World } from '../world.js';
import { Link } from './link.js';
import { Machine } from './machine.js';
import { SharedDatabase } from './shared-database.js';
import { SharedDisk } from './shared-disk.js';
import { StrikeTimes } from './strike-times.js';
import type { Fleet, Strike, Unheard, Victim } from './strikes.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** The process that gives an operation up has asked about it no longer ago than that, whichever tells it. ms. */
const ASKED = 10 * MINUTE;
/** Nothing is asked for any more, and nothing has been under way for so long. */
const QUIET = 10 * MINUTE;
/** Between two looks whether everything is over, ms. */
const LOOK = 30 * SECOND;
const UNAVAILABLE = 503;

/** Among those that share the database. */
const linkIdOf = (life: number): string => `process-${life}`;

/** Several processes that share a journal, any of which can be struck. */
export class FleetWorld extends World {
  readonly database: SharedDatabase;
  readonly machines: Machine[];
  private readonly strikes: Draw;
  private readonly balance: Draw;
  private readonly endsOfLives = new Map<number, number>();
  private readonly lives: number[];
  private readonly struck = new StrikeTimes();
  private lastLeader: Machine | undefined;
  private ordersAtDoors = 0;
  private quietSince = Number.POSITIVE_INFINITY;
  private lookAt = 0;

  constructor(
    scenario: Scenario,
    private readonly fleet: Fleet,
    write?: (line: string) => void,
  ) {
    super(scenario, write, undefined, (options) => new SharedDisk(options));
    const { clock } = this;
    const disk = this.disk as SharedDisk;
    this.strikes = new Draw(scenario.seed, 71);
    this.balance = new Draw(scenario.seed, 72);
    this.database = new SharedDatabase(
      clock,
      (record) => disk.see(record),
      new Draw(scenario.seed, 73),
      fleet.lost.notification,
      () => this.faults.add('notification lost'),
      () => !this.wasStruck(clock.now(), clock.now()) && this.leftovers().length === 0,
    );
    disk.join({
      keepsCallback: (attemptId) => this.database.inbox.some((entry) => entry.attemptId === attemptId),
      wasStruckSince: (time) => this.wasStruck(time, clock.now()),
    });
    this.skewOf = (place) => fleet.skews[place] ?? 0;
    if (this.clockIsWrong) this.faults.add('clocks apart');
    this.lives = Array.from({ length: fleet.engines }, (_, place) => place);
    this.machines = this.lives.map((place) => new Machine(this, place));
  }

  private get leader(): Machine | undefined {
    return this.machines.find(({ leads, isUp }) => leads && isUp) ?? this.lastLeader;
  }

  override get process(): Process {
    return (this.leader ?? (this.machines[0] as Machine)).process;
  }

  override get engine(): Engine | Door | undefined {
    return this.leader?.payments;
  }

  override readonly isShared = true;

  override readonly nodes = { has: (node: string): boolean => (NODES as readonly string[]).includes(node) };

  override get clockIsWrong(): boolean {
    return this.fleet.skews.some((ms) => ms !== 0);
  }

  /** What an engine or a door of any machine needs, but what its process gives it. */
  get engineOptions(): Omit<EngineOptions, 'journal' | 'send' | 'clock' | 'rateLimiters' | 'log'> {
    const { connection, newId, scenario } = this;
    return {
      environment: ENVIRONMENT,
      ...connection.now,
      newId,
      countReads: scenario.countReads,
      ...(scenario.callbacks ? { callback: CALLBACK } : {}),
    };
  }

  override start(): void {
    this.connection.start();
    for (const machine of this.machines) machine.start();
    const { strikes, timely, firstTelling } = this.fleet;
    for (const strike of strikes) this.clock.after(strike.at, () => this.strike(strike));
    this.listeners.push(({ heard }) => {
      if (firstTelling !== undefined && heard.length === 1) this.strike(firstTelling);
    });
    let transitions = 0;
    this.transitionListeners.push(() => {
      if (timely !== undefined && ++transitions === timely.transition) this.strike(timely.strike);
    });
  }

  linkOf(process: Process): Link {
    const { scenario, database, faults, fleet } = this;
    const draw = new Draw(scenario.seed, 1000 + process.number);
    return new Link(database, linkIdOf(process.number), process, draw, faults, fleet, scenario.calmAt);
  }

  deathOf(life: number): Death | undefined {
    return this.scenario.deaths[life];
  }

  downtimeOf(life: number): number {
    return this.downtimes[life % this.downtimes.length] ?? SECOND;
  }

  /** The number of the next life of a machine's process: no two lives have the same. */
  nextLife(place: number): number {
    const last = this.lives[place] ?? 0;
    this.endsOfLives.set(last, this.endsOfLives.get(last) ?? this.clock.now());
    this.lives[place] = last + this.fleet.engines;
    return last + this.fleet.engines;
  }

  noteDeath({ process, leads }: Machine, byItself: boolean): void {
    this.crashes++;
    this.endsOfLives.set(process.number, this.clock.now());
    this.faults.add(`${leads ? 'leader' : 'door'} crashes${byItself ? ' at a step' : ''}`);
    this.noteStrike(this.downtimeOf(process.number));
    if (process.hasSpun) this.violations.push('the process goes round in circles at one moment');
  }

  /** A machine has another role, or none. */
  noteRoles(): void {
    const leader = this.machines.find(({ leads, isUp }) => leads && isUp);
    if (leader !== undefined && leader !== this.lastLeader) {
      if (this.lastLeader !== undefined) {
        this.faults.add('taken over');
        this.noteStrike(0);
      }
      this.lastLeader = leader;
    }
    if (this.machines.filter(({ mayAct }) => mayAct).length > 1) this.violations.push('two processes lead at once');
    this.noteService();
  }

  /** Whether the flow is served: by a process that leads, and that nothing keeps from it. */
  private noteService(): void {
    if (this.machines.some(({ serves }) => serves)) this.uptime.begin();
    else this.uptime.end();
  }

  private noteStrike(ms: number): void {
    this.struck.note(this.clock.now(), ms);
    this.database.wake();
    this.noteService();
    this.clock.after(ms, () => this.noteService());
  }

  /** Whether the effects of a strike lasted at some moment between these, epoch ms. */
  wasStruck(since: number, until: number): boolean {
    return this.struck.lastedBetween(since, until);
  }

  override struckUntil(time: number): number {
    return this.struck.overAt(time);
  }

  private strike(strike: Strike): void {
    const { at: _at, ...what } = strike;
    if (strike.kind === 'database away') {
      this.note?.(`STRIKE ${JSON.stringify(what)}`);
      this.faults.add(strike.kind);
      this.database.awayUntil = this.clock.now() + strike.ms;
      this.database.isSilent = strike.isSilent;
      this.noteStrike(strike.ms);
      return;
    }
    const machine = this.victim(strike.victim);
    if (machine === undefined) return;
    this.note?.(`STRIKE [${machine.place}] ${JSON.stringify(what)}`);
    const role = machine.leads ? 'leader' : 'door';
    if (strike.kind !== 'crash') this.faults.add(`${role}: ${strike.kind}`);
    if (strike.kind === 'crash') machine.crash();
    else if (strike.kind === 'freeze') machine.freeze(strike.ms);
    else if (strike.kind === 'cut') machine.link.cut(strike.ms, strike.isSilent);
    else if (strike.kind === 'deploy') void machine.deploy(strike.ms);
    else void machine.restart(strike.ms);
    this.noteStrike(strike.ms);
  }

  private victim(victim: Victim): Machine | undefined {
    const up = this.machines.filter(({ isUp, process }) => isUp && !process.isFrozen);
    const leader = up.find(({ leads }) => leads);
    const [first, ...others] = up.filter((machine) => machine !== leader);
    if (victim === 'leader') return leader;
    return first === undefined ? undefined : this.strikes.pick([first, ...others]);
  }

  /** The machine that a balancer chooses, and after it the others. */
  private inTurn(): Machine[] {
    const start = this.balance.int(0, this.machines.length - 1);
    return [...this.machines.slice(start), ...this.machines.slice(0, start)];
  }

  override ask(id: string, root: string, node: string, request: Request, submitted: (asked: Asked) => void): void {
    const machine = this.inTurn().find(({ isUp }) => isUp);
    if (machine === undefined) return;
    const asked = this.noteAsked(this.flow.ask(id, root, node, request, machine.process));
    this.faults.add(machine.leads ? 'order at the leader' : 'order at a door');
    this.quietSince = Number.POSITIVE_INFINITY;
    machine.take(asked, { node, request }, submitted);
    const { unheard } = this.fleet;
    if (!machine.leads && ++this.ordersAtDoors === unheard?.order) this.loseOrderOf(machine, unheard);
  }

  private loseOrderOf(machine: Machine, { after, away, closedAfter, closes, closedFor }: Unheard): void {
    const { clock } = this;
    clock.after(after, () => this.strike(away));
    clock.after(after + closedAfter, () => {
      if (!machine.isUp || machine.process.isFrozen) return;
      this.faults.add('door closed while its order is on its way');
      this.note?.(`STRIKE [${machine.place}] ${closes}`);
      void machine[closes](closedFor);
      this.noteStrike(closedFor);
    });
  }

  override cancel(asked: Asked): void {
    const { operationId } = asked;
    const machine = this.inTurn().find(({ isUp }) => isUp);
    if (machine === undefined || operationId === undefined) return;
    this.note?.(`${asked.id} cancel asked of [${machine.place}]`);
    this.faults.add(machine.leads ? 'cancel' : 'cancel at a door');
    machine.request((payments) => payments.cancelTarget({ operationId }));
    if (this.balance.chance(0.5)) return;
    this.faults.add('check');
    machine.request((payments) => payments.checkNow(operationId));
  }

  protected override async deliver(request: HttpRequest): Promise<HttpAnswer> {
    const machines = this.inTurn();
    if (this.balance.chance(this.fleet.twice)) {
      this.faults.add('callback twice');
      machines
        .pop()
        ?.callback(request)
        .catch(() => undefined);
    }
    for (const [place, machine] of machines.entries()) {
      const isLast = place === machines.length - 1;
      const { leads } = machine;
      try {
        const answer = await machine.callback(request);
        if (answer.status === 200) this.faults.add(leads ? 'callback at the leader' : 'callback at a door');
        if (answer.status !== UNAVAILABLE || isLast) return answer;
      } catch (error) {
        if (isLast || !(error instanceof NotSentError)) throw error;
      }
    }
    throw new Error('there is no machine');
  }

  override callback(): Promise<CallbackAnswer> | undefined {
    return undefined;
  }

  override freeze(ms: number): void {
    this.leader?.freeze(ms);
  }

  override crash(): void {
    this.leader?.crash();
  }

  override switchOff(): void {
    throw new Error('a fleet is not switched off');
  }

  override replaceDiskAtStart(): void {
    throw new Error('the database of a fleet is not replaced');
  }

  override async redeploy(): Promise<void> {
    await this.leader?.deploy(0);
  }

  override hasEnded(life: number, by = Number.POSITIVE_INFINITY): boolean {
    return (this.endsOfLives.get(life) ?? Number.POSITIVE_INFINITY) < by;
  }

  override mayRepeat({ at }: Heard, before: Heard | undefined, asked: Asked): boolean {
    return this.wasStruck(before?.at ?? asked.at, at);
  }

  /** It came in by that process, which never counted as dead, and the same one has led all the while. */
  override hasToldAlone({ life }: Heard, asked: Asked): boolean {
    const { countedDead, leader } = this.database;
    return life === asked.life && !countedDead.has(linkIdOf(life)) && leader !== undefined && leader.since <= asked.at;
  }

  override get mostRepeats(): number {
    // By the one that takes over, and by the process itself once it is back.
    return 2 * this.struck.count;
  }

  override hasAsked({ at }: Heard, reference: string): boolean {
    return this.witnesses.wasAskedSince(at - ASKED, reference);
  }

  override leftovers(): string[] {
    return this.database.leftovers();
  }

  override get isOver(): boolean {
    const now = this.clock.now();
    if (now < this.lookAt) return false;
    this.lookAt = now + LOOK;
    if (!this.isQuiet()) this.quietSince = Number.POSITIVE_INFINITY;
    else if (this.quietSince === Number.POSITIVE_INFINITY) this.quietSince = now;
    return now - this.quietSince >= QUIET;
  }

  private isQuiet(): boolean {
    const { messages } = this.scenario;
    const last = Math.max(...messages.map(({ at }) => at), ...this.fleet.strikes.map(({ at, ms }) => at + ms));
    if (this.time < last || this.wasStruck(this.clock.now(), this.clock.now())) return false;
    if (!this.machines.every(({ payments }) => payments instanceof Engine || payments instanceof Door)) return false;
    if (this.leftovers().length > 0) return false;
    return (this.disk as SharedDisk).isClosed;
  }
}
