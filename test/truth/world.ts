import type { Delivery } from '../../src/core/delivery/listener.js';
import type { CallbackAnswer } from '../../src/core/engine/callback-receiver.js';
import { Engine } from '../../src/core/engine/engine.js';
import { serviceOf } from '../../src/core/engine/service/service-id.js';
import type { OperationRecord } from '../../src/core/journal/record.js';
import { BASE_URL, type Simulator, seededIds } from '../../src/simulator/index.js';
import { VirtualClock } from '../harness/virtual-clock.js';
import { Connection } from './connection.js';
import { Disk, type DiskOptions } from './disk.js';
import { Draw } from './draw.js';
import { chaos } from './fault-plan.js';
import { type Asked, Flow, operationOf, type Request } from './flow.js';
import { Inspector } from './inspector.js';
import { Nodes } from './nodes.js';
import { stamp } from './notes.js';
import { OtherSystems } from './other-systems.js';
import { Process } from './process.js';
import { FAULTS_OF_TODAY, readingsIn } from './readings.js';
import type { Outage, Scenario } from './scenario.js';
import { KEY, SECOND_KEY, simulatorFor } from './service.js';
import { Standstill } from './standstill.js';
import { Tally } from './tally.js';
import { CALLBACK, type Meddler, Traffic } from './traffic.js';
import { Uptime } from './uptime.js';
import { Witnesses } from './witnesses.js';

const ENVIRONMENT = 'env';
const START_AGAIN = 20_000;
/** A day on which a clock may well be wrong by decades. */
const EPOCH = 1_760_000_000_000;

/** The flow's process, the service, the disk and the people, all under one clock. */
export class World {
  readonly clock: VirtualClock;
  readonly simulator: Simulator;
  readonly others: OtherSystems;
  readonly standstill: Standstill;
  readonly flow: Flow;
  readonly inspector: Inspector;
  readonly witnesses = new Witnesses(this);
  readonly violations: string[] = [];
  readonly faults = new Tally();
  readonly edges = new Tally();
  readonly tellings = new Tally();
  readonly asked = new Tally();
  readonly readings = new Tally();
  /** How often each actor did something. */
  readonly acts = new Tally();
  crashes = 0;
  disk: Disk;
  /** Messages whose record the disk has lost, or has as it was some time before. */
  readonly forgotten = new Set<string>();
  /** When the run began, epoch ms. */
  readonly origin: number;
  readonly isHostile: boolean;
  /** How long the process stays away after each of its deaths, ms. */
  downtimes: readonly number[];
  private offSince: number | undefined;
  /** What the disk holds when the process starts the next time; undefined where nobody has touched it. */
  private replacement: (() => readonly OperationRecord[]) | undefined;
  /** How far the wall clock is off at the start of a life, ms. */
  skewOf: (life: number) => number = () => 0;
  /** Writes a line of the timeline; absent where nobody reads it, so that nothing is spent on its text. */
  readonly note: ((line: string) => void) | undefined;
  process: Process;
  engine: Engine | undefined;
  readonly uptime: Uptime;
  readonly outages: Outage[];
  private readonly traffic = new Traffic(this);
  private awaiting: ((engine: Engine) => void)[] = [];
  private readonly newId: () => string;
  private readonly fates: Draw;
  private readonly lateness: Draw;
  private readonly connection: Connection;
  readonly nodes = new Nodes(this);

  constructor(
    private readonly scenario: Scenario,
    /** Called with every line of the timeline. */
    write: ((line: string) => void) | undefined,
    readonly meddler?: Meddler,
    newDisk = (options: DiskOptions): Disk => new Disk(options),
  ) {
    const { seed, variants, faultRate, focus, diskMs, fullDisk, hostility, downtimes } = scenario;
    this.isHostile = hostility !== undefined;
    this.origin = this.isHostile ? EPOCH : 0;
    this.clock = new VirtualClock(this.origin);
    this.downtimes = downtimes;
    this.outages = [...scenario.outages];
    this.note = write && ((line) => write(`${stamp(this.time)} ${line}`));
    this.fates = new Draw(seed, 1);
    this.lateness = new Draw(seed, 12);
    this.connection = new Connection(this, scenario, this.fates, START_AGAIN);
    this.newId = seededIds(new Draw(seed, 2).random);
    this.simulator = simulatorFor(scenario, this.clock, (request) => this.traffic.deliver(request));
    for (const reading of readingsIn(variants)) this.readings.add(reading);
    this.others = new OtherSystems(this.simulator);
    const plan = chaos(new Draw(seed, 6), faultRate, focus, hostility?.faults ?? FAULTS_OF_TODAY);
    this.simulator.faults.decideBy(this.others.spared(this.watched(plan)));
    const { clock, origin, faults, edges } = this;
    const draw = new Draw(seed, 7);
    this.uptime = new Uptime(() => clock.now());
    const onTransition = (id: string, { origin: { message } }: OperationRecord): void => {
      const asked = this.flow.asked.get(String(message._msgid));
      if (asked !== undefined) for (const hear of this.transitionListeners) hear(id, asked);
    };
    const violate = (what: string): number => this.violations.push(what);
    this.disk = newDisk({
      clock,
      origin,
      draw,
      slowness: diskMs,
      fullWhile: fullDisk,
      faults,
      edges,
      onTransition,
      violate,
    });
    const now = (): number => this.clock.now();
    this.inspector = new Inspector(
      () => this.disk,
      BASE_URL,
      [KEY, SECOND_KEY],
      now,
      () => !this.clockIsWrong,
    );
    this.standstill = new Standstill(this.simulator, now, () => this.disk);
    this.flow = new Flow(() => ({
      at: now(),
      life: this.process.number,
      disturbedAt: this.process.disturbedAt,
      ledger: this.simulator.bank.entries().length,
    }));
    this.process = this.newProcess(0);
  }

  /** When the process ended for good, or now, epoch ms. */
  get endedAt(): number {
    return this.offSince ?? this.clock.now();
  }

  /** Nobody starts the process again. */
  get isOffForGood(): boolean {
    return this.offSince !== undefined;
  }

  /** Time that has passed since the beginning, ms. */
  get time(): number {
    return this.clock.now() - this.origin;
  }

  start(): void {
    this.process.startClock(this.skewOf(0));
    this.connection.start();
    void this.boot();
  }

  /** Hands the engine what somebody posts to a callback address. */
  callback(attemptId: string, token: string | undefined, body: string): Promise<CallbackAnswer> | undefined {
    return this.process.alive ? this.engine?.callback(attemptId, token, body) : undefined;
  }

  /** The flow sends a message into a node. */
  ask(id: string, root: string, node: string, request: Request, submitted: (asked: Asked) => void): void {
    if (!this.process.alive || !this.nodes.has(node)) return;
    const asked = this.flow.ask(id, root, node, request);
    this.asked.add(operationOf(asked));
    this.note?.(`${id} ${operationOf(asked)} asked`);
    const submit = (engine: Engine): void => this.nodes.submit(engine, asked, { node, request }, submitted);
    this.standstill.asked(asked);
    const { process } = this;
    process.whenThawed(() => {
      if (!process.alive) return;
      if (this.engine === undefined) this.awaiting.push(submit);
      else submit(this.engine);
    });
  }

  /** Some life of the process had a clock that was wrong, was moved, or stood still. */
  get clockIsWrong(): boolean {
    return this.acts.of('wrong-clock') + this.acts.of('jumping-clock') + this.acts.of('sleeper') > 0;
  }

  /** Number of the life that the process is in. */
  get life(): number {
    return this.process.number;
  }

  /** What became of a message only another service may know: something of it went there, or nothing went anywhere else. */
  isElsewhereAlone(id: string): boolean {
    const isOfAnother = this.disk.of(id)?.service !== serviceOf(this.connection.own);
    return this.inspector.sentElsewhere.has(id) || (isOfAnother && !this.inspector.maybeDoneHome(id));
  }

  cancel({ id, operationId }: Asked): void {
    this.process.whenThawed(() => {
      if (operationId === undefined || this.engine === undefined) return;
      this.note?.(`${id} cancel asked`);
      this.faults.add('cancel');
      this.engine.cancel(operationId);
    });
  }

  /** Stops the process for `ms`, while the world goes on. @param isAsleep its own time stands still as well */
  freeze(ms: number, isAsleep = false): void {
    const { engine, process } = this;
    if (isAsleep) process.sleep(ms);
    else process.freeze(ms);
    this.uptime.end();
    process.whenThawed(() => {
      if (engine !== undefined && engine === this.engine) this.uptime.begin();
    });
  }

  switchOff(): void {
    this.offSince = this.clock.now();
    this.process.kill();
  }

  /** The next time that the process starts, it finds these records on its disk, and no others. */
  replaceDiskAtStart(records: () => readonly OperationRecord[]): void {
    this.replacement = records;
  }

  private replaceDisk(): void {
    const records = this.replacement?.();
    if (records === undefined) return;
    this.replacement = undefined;
    for (const { origin } of this.disk.durable.values()) this.forgotten.add(String(origin.message._msgid));
    this.disk = this.disk.replacedBy(records);
    this.disk.crash();
  }

  crash(): void {
    if (!this.process.alive) return;
    this.faults.add('crash at a moment');
    this.process.kill();
  }

  async redeploy(nodesDeleted: boolean): Promise<void> {
    const { engine, process } = this;
    if (!process.alive || engine === undefined) return;
    this.connection.maybeGoElsewhere();
    this.note?.(`redeploy${nodesDeleted ? ', node-b deleted' : ''}`);
    this.faults.add('redeploy');
    if (nodesDeleted) this.faults.add('node deleted');
    this.engine = undefined;
    this.uptime.end();
    this.nodes.detach();
    await engine.stop();
    if (!process.alive) return;
    this.nodes.deploy(nodesDeleted);
    await this.boot();
  }

  /** Called with every line of the engine's log. */
  onLog: ((text: string) => void) | undefined;

  /** Called with what the flow is told, after it was recorded. */
  readonly listeners: ((asked: Asked, telling: Delivery) => void)[] = [];
  /** Hear of a transition, named by its table and itself, once it is durable. */
  readonly transitionListeners: ((id: string, asked: Asked) => void)[] = [];

  private async boot(): Promise<void> {
    const { process } = this;
    const engine = new Engine({
      environment: ENVIRONMENT,
      ...this.connection.now,
      send: process.send((request) => this.traffic.send(request)),
      clock: process.clock,
      newId: this.newId,
      journal: process.journal(this.disk),
      rateLimiters: process.rateLimiters,
      countReads: this.scenario.countReads,
      log: (level, text) => {
        this.note?.(`log ${level}: ${text}`);
        this.onLog?.(text);
      },
      ...(this.scenario.callbacks ? { callback: CALLBACK } : {}),
    });
    const isReady = this.fates.chance(this.scenario.focus?.isBlind ? 0.2 : 0.7);
    if (isReady) this.nodes.attach(engine, process);
    try {
      await engine.start();
    } catch (error) {
      this.note?.(`the engine does not start: ${error}`);
      await engine.stop();
      this.clock.after(START_AGAIN, () => process.alive && void this.boot());
      return;
    }
    if (!isReady) await this.late();
    if (!process.alive) return;
    if (!isReady) this.nodes.attach(engine, process);
    // It can die of what it hands over to a node that has come.
    if (!process.alive) return;
    this.engine = engine;
    this.standstill.begun();
    this.uptime.begin();
    for (const submit of this.awaiting.splice(0)) submit(engine);
    engine.releaseUnclaimed();
  }

  /** The nodes of a large flow are made some time after the engine has begun to ask. */
  private late(): Promise<void> {
    if (!this.scenario.focus?.isBlind) return Promise.resolve();
    const ms = this.lateness.scale(1, 20_000);
    return new Promise((resolve) => {
      this.clock.after(ms, resolve);
    });
  }

  private newProcess(number: number): Process {
    const process = new Process(number, this.clock, this.scenario.deaths[number], (byItself) => this.died(byItself));
    if (number > 0) process.startClock(this.skewOf(number));
    return process;
  }

  private died(byItself: boolean): void {
    if (byItself) this.faults.add('crash at a step');
    if (this.process.hasSpun) {
      this.violations.push('the process goes round in circles at one moment');
      this.offSince = this.clock.now();
    }
    const { number } = this.process;
    const { downtimes } = this;
    const downtime = downtimes[number % downtimes.length] ?? START_AGAIN;
    this.crashes++;
    this.note?.(`the process dies; the next starts in ${downtime} ms`);
    this.engine = undefined;
    this.uptime.end();
    this.connection.maybeGoElsewhere();
    this.awaiting = [];
    this.disk.crash();
    this.clock.after(downtime, () => {
      if (this.isOffForGood) return;
      this.replaceDisk();
      this.process = this.newProcess(number + 1);
      this.note?.('the process starts');
      void this.boot();
    });
  }

  private watched(plan: ReturnType<typeof chaos>): ReturnType<typeof chaos> {
    return (circumstance) => {
      const fault = plan(circumstance);
      if (fault !== undefined) this.note?.(`fault ${fault.kind} ${fault.ms} ${circumstance.endpoint ?? ''}`);
      return fault;
    };
  }
}
