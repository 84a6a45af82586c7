import type { HttpAnswer, HttpRequest } from '../../src/core/base/seams.js';
import type { Delivery } from '../../src/core/delivery/listener.js';
import type { CallbackAnswer } from '../../src/core/engine/callback-receiver.js';
import { serviceOf } from '../../src/core/engine/service/service-id.js';
import type { OperationRecord } from '../../src/core/journal/record.js';
import { BASE_URL, type FaultKind, type Simulator, seededIds, type Variants } from '../../src/simulator/index.js';
import { VirtualClock } from '../harness/virtual-clock.js';
import { Connection } from './connection.js';
import { Disk, type DiskOptions } from './disk.js';
import { Draw } from './draw.js';
import { chaos } from './fault-plan.js';
import { type Asked, Flow, type Heard, operationOf, type Request } from './flow.js';
import { Inspector } from './inspector.js';
import { CHARGING } from './ledger.js';
import type { Nodes } from './nodes.js';
import { stamp } from './notes.js';
import { OtherSystems } from './other-systems.js';
import type { Process } from './process.js';
import { FAULTS_OF_TODAY, readingsIn } from './readings.js';
import type { Outage, Scenario } from './scenario.js';
import { KEY, SECOND_KEY, simulatorFor } from './service.js';
import { Standstill } from './standstill.js';
import { Tally } from './tally.js';
import type { Meddler } from './traffic.js';
import { Uptime } from './uptime.js';
import { Witnesses } from './witnesses.js';

export const ENVIRONMENT = 'env';
export const START_AGAIN = 20_000;
/** A day on which a clock may well be wrong by decades. */
const EPOCH = 1_760_000_000_000;

const CLOCK_ACTORS = ['wrong-clock', 'unset-clock', 'jumping-clock', 'sleeper'];

/** After these nobody finds a record of the payment any more. */
const UNRECORDED: ReadonlySet<FaultKind> = new Set(['status-record-gone', 'result-unreadable-unrecorded'] as const);

/** The service, the disk and the people, and the processes of the flow, all under one clock. */
export abstract class World {
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
  /** Messages whose record the disk has lost, or has as it was some time before, with when that was first, epoch ms. */
  readonly forgotten = new Map<string, number>();
  /** When the database kept a process from starting that led already, epoch ms. It tries again a second later, then ever later. */
  readonly failedStarts: number[] = [];
  /** When the status service showed the record of a reference for the last time, or began to have none, epoch ms. */
  readonly gone = new Map<string, number>();
  /** Operations that a person has dealt with. */
  readonly handled = new Set<string>();
  /** When the run began, epoch ms. */
  readonly origin: number;
  readonly isHostile: boolean;
  /** What the seed has chosen: to ask the simulator would count as if a reading had decided something. */
  readonly variants: Partial<Variants>;
  /** How long the process stays away after each of its deaths, ms. */
  downtimes: readonly number[];
  /** When the process ended for good, epoch ms. */
  protected offSince: number | undefined;
  /** How far the wall clock is off at the start of a life, ms. */
  skewOf: (life: number) => number = () => 0;
  /** Writes a line of the timeline; absent where nobody reads it, so that nothing is spent on its text. */
  readonly note: ((line: string) => void) | undefined;
  /** The process that the flow runs in; of several, the one that leads, or led last. */
  abstract readonly process: Process;
  /** Undefined while none has started. */
  abstract readonly engine: object | undefined;
  abstract readonly nodes: Pick<Nodes, 'has'>;
  readonly uptime: Uptime;
  /** When the flows of a process were closed last, while it went on, by its life. Epoch ms. */
  readonly closedAt = new Map<number, number>();
  readonly outages: Outage[];
  protected readonly newId: () => string;
  protected readonly fates: Draw;
  protected readonly connection: Connection;
  private readonly tempers: Draw;

  constructor(
    protected readonly scenario: Scenario,
    /** Called with every line of the timeline. */
    write: ((line: string) => void) | undefined,
    readonly meddler?: Meddler,
    newDisk = (options: DiskOptions): Disk => new Disk(options),
  ) {
    const { seed, variants, faultRate, focus, diskMs, fullDisk, hostility, downtimes } = scenario;
    this.isHostile = hostility !== undefined;
    this.variants = variants;
    this.origin = this.isHostile ? EPOCH : 0;
    this.clock = new VirtualClock(this.origin);
    this.downtimes = downtimes;
    this.outages = [...scenario.outages];
    this.note = write && ((line) => write(`${stamp(this.time)} ${line}`));
    this.fates = new Draw(seed, 1);
    this.tempers = new Draw(seed, 361);
    this.connection = new Connection(this, scenario, this.fates, START_AGAIN);
    this.newId = seededIds(new Draw(seed, 2).random);
    const untried = readingsIn(variants);
    const tried = (name: string): void => {
      const reading = untried.get(name);
      if (reading !== undefined && untried.delete(name)) this.readings.add(reading);
    };
    this.simulator = simulatorFor(scenario, this.clock, (request) => this.deliver(request), tried);
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
      broken: new Uptime(() => clock.now()),
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
      ({ reference, transactionId }) =>
        transactionId || this.simulator.bank.entries(reference).find(({ kind }) => CHARGING.has(kind))?.transactionId,
      BASE_URL,
      [KEY, SECOND_KEY],
      now,
      () => !this.clockIsWrong,
      () => this.process.hasSleptUnseen,
    );
    this.standstill = new Standstill(this.simulator, now, () => this.disk);
    this.flow = new Flow(({ number: life, disturbedAt }) => ({
      at: now(),
      life,
      disturbedAt,
      ledger: this.simulator.bank.entries().length,
      answers: this.witnesses.answers,
    }));
  }

  /** See {@link Audience}. */
  readonly mishap = (): 'before' | 'after' | undefined => {
    if (!this.tempers.chance(this.scenario.throwing ?? 0)) return undefined;
    return this.tempers.chance(0.5) ? 'before' : 'after';
  };

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

  protected noteAsked(asked: Asked): Asked {
    this.asked.add(operationOf(asked));
    this.note?.(`${asked.id} ${operationOf(asked)} asked`);
    this.standstill.asked(asked);
    return asked;
  }

  abstract start(): void;

  /** A callback of the service arrives. */
  protected abstract deliver(request: HttpRequest): Promise<HttpAnswer>;

  /** Hands the engine what somebody posts to a callback address. Undefined where nobody listens. */
  abstract callback(attemptId: string, token: string | undefined, body: string): Promise<CallbackAnswer> | undefined;

  /** The flow sends a message into a node. */
  abstract ask(id: string, root: string, node: string, request: Request, submitted: (asked: Asked) => void): void;

  abstract cancel(asked: Asked): void;

  /** Stops the process for `ms`, while the world goes on. @param isAsleep its own time stands still as well */
  abstract freeze(ms: number, isAsleep?: boolean): void;

  abstract crash(): void;

  abstract switchOff(): void;

  abstract redeploy(nodesDeleted: boolean): Promise<void>;

  /** The next time that the process starts, it finds these records on its disk, and no others. */
  abstract replaceDiskAtStart(records: () => readonly OperationRecord[]): void;

  /** Several processes share the journal. */
  abstract readonly isShared: boolean;

  /** Number of the life that the process is in. */
  get life(): number {
    return this.process.number;
  }

  /** Whether a life of a process is over; of processes that share a journal, whether it was by a moment, epoch ms. */
  abstract hasEnded(life: number, by?: number): boolean;

  /** What was told last, and is told again, may not have been noted: its process died, or another took over from it. */
  abstract mayRepeat(told: Heard, before: Heard | undefined, asked: Asked): boolean;

  /** Nobody but the process that has told it can have told anything of its message. */
  hasToldAlone(_told: Heard, _asked: Asked): boolean {
    return true;
  }

  /** How often a result may be handed over once more. */
  abstract get mostRepeats(): number;

  /** Whether the process that gives up an operation has asked the status service about it before. */
  abstract hasAsked(told: Heard, reference: string): boolean;

  /** Until when what struck one of several processes before `time` kept the others from telling what it had to. Epoch ms. */
  abstract struckUntil(time: number): number;

  /** What is left where nothing should be. */
  abstract leftovers(): string[];

  /** Nothing more happens, though some timers go on for ever. */
  get isOver(): boolean {
    return false;
  }

  /** Some life of the process had a clock that was wrong, was moved, or stood still. */
  get clockIsWrong(): boolean {
    return CLOCK_ACTORS.some((name) => this.acts.of(name) > 0);
  }

  /** What became of a message only another service may know: something of it went there, or nothing went anywhere else. */
  isElsewhereAlone(id: string): boolean {
    const isOfAnother = this.disk.of(id)?.service !== serviceOf(this.connection.own);
    return this.inspector.sentElsewhere.has(id) || (isOfAnother && !this.inspector.maybeDoneHome(id));
  }

  /** Whether the environment pointed at another service at some moment since `time`, epoch ms. */
  wasElsewhereSince(time: number): boolean {
    return this.connection.wasElsewhereSince(time);
  }

  /** Called with every line of the engine's log. */
  onLog: ((text: string) => void) | undefined;

  /** Called with what the flow is told, after it was recorded. */
  readonly listeners: ((asked: Asked, telling: Delivery) => void)[] = [];
  /** Hear of a transition, named by its table and itself, once it is durable. */
  readonly transitionListeners: ((id: string, asked: Asked) => void)[] = [];

  private watched(plan: ReturnType<typeof chaos>): ReturnType<typeof chaos> {
    return (circumstance) => {
      const fault = plan(circumstance);
      if (fault !== undefined && UNRECORDED.has(fault.kind))
        this.gone.set(circumstance.reference ?? '', this.clock.now());
      if (fault !== undefined) this.note?.(`fault ${fault.kind} ${fault.ms} ${circumstance.endpoint ?? ''}`);
      return fault;
    };
  }
}
