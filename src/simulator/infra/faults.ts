import type { Changes } from './changes.js';
import { READING_FAULT_MOMENTS } from './reading-faults.js';

/**
 * The fault plan. At the moments below the simulator asks whether something goes wrong; a fault is armed for the next
 * few of them, for a while, or decided each time by a function (a seed, a probability).
 */

/** Each kind of fault, and the moment at which it can strike. */
export const FAULT_MOMENTS = {
  /** Nothing arrives; the client waits in vain. */
  'request-lost': 'request',
  /** Certain: not a byte arrives. Over a real port it is a reset, because something does listen there. */
  'connection-refused': 'request',
  /** Arrives `ms` later (at most 20 s). */
  'request-delayed': 'request',
  /** Arrives twice, unless the first is refused; the client gets the first answer. */
  'request-duplicated': 'request',
  /** A 5xx (`status`, 500 unless told) instead of acting. */
  'server-error-before': 'request',
  'rate-limited': 'request',

  'answer-lost': 'answer',
  'answer-delayed': 'answer',
  /** A 5xx although it acted: the terminal has started. */
  'server-error-after': 'answer',
  'broken-json': 'answer',
  /** The terminal error of the answer in another shape (`variant`). */
  'error-shape': 'answer',
  /** The callback is there before the 202. */
  'callback-before-answer': 'answer',

  /** Another till uses it: 1001. */
  'terminal-busy': 'start',
  /** 1002. */
  'terminal-offline': 'start',

  /** Off for `ms`, for good when 0. Nothing was kept: the payment is forgotten. */
  'power-cut-awaiting-card': 'awaiting-card',
  /** Off for `ms`, for good when 0. Afterwards the terminal asks what became of the payment and delivers that. */
  'power-cut-processing': 'processing',
  /** Never reaches the gateway: `UNDEFINED`, no money moved. */
  'gateway-request-lost': 'processing',
  /** Reaches it, but the terminal never hears: `UNDEFINED`, money moved. */
  'gateway-answer-lost': 'processing',
  /** As before, and the terminal takes the payment back when it is connected again. */
  'gateway-answer-lost-then-reversed': 'processing',
  /** The chip card is pulled after the approval: forced reversal. */
  'chip-pulled': 'approved',
  /** The terminal cannot take back a refused partial approval: the charge stands. */
  'reversal-fails': 'terminal-reversal',
  /** After the result the terminal's application restarts `ms` later, and its retry loop with it. */
  'terminal-restart': 'result',

  /** The status service learns of it `ms` later than usual (at most 10 s behind). */
  'status-lag': 'publish',
  /** How the status service says that it has no record yet. What it has it never hides: nobody could recover then. */
  'status-404': 'status-without-record',
  'status-undefined': 'status-without-record',
  'status-empty': 'status-without-record',
  /** It has a record, and does not say how it ended. */
  'status-in-progress': 'status-with-record',

  'poll-404': 'poll',
  /** 200 with a body that is no result. */
  'poll-unreadable': 'poll',
  /** A 5xx (`status`). */
  'poll-fails': 'poll',

  /** This try does not arrive. */
  'callback-lost': 'callback',
  /** It arrives, the acknowledgement does not. */
  'callback-answer-lost': 'callback',
  /** Leaves `ms` later. */
  'callback-late': 'callback',
  'callback-twice': 'callback',
  /** This try fails in the handshake. */
  'callback-tls-refused': 'callback',
  /** Held back until a later body has been delivered, or `ms`. */
  'callback-reordered': 'callback',
} as const;

/** What goes wrong on the way, and what deployments make of their description. */
const ALL_MOMENTS = { ...FAULT_MOMENTS, ...READING_FAULT_MOMENTS };

export type FaultKind = keyof typeof ALL_MOMENTS;
export type Moment = (typeof ALL_MOMENTS)[FaultKind];
export const FAULT_KINDS = Object.keys(FAULT_MOMENTS) as (keyof typeof FAULT_MOMENTS)[];

/** How a 400 terminal error may look: nested, as JSON text inside the message, or told by the HTTP status alone. */
export type ErrorShape = 'flat' | 'nested' | 'text' | 'status';

export interface Fault {
  kind: FaultKind;
  ms?: number;
  status?: number;
  variant?: ErrorShape;
  /** False: a back-office answer of which nothing is true. Done unless told. */
  isDone?: boolean;
  /** A `finStatus` that no service has. */
  word?: string;
}

/** What is about to happen when the plan is asked. */
export interface Circumstance {
  moment: Moment;
  /** `POST /transactions`, `GET /transaction-result`... : method and first path segments, without ids. */
  endpoint?: string;
  serial?: string;
  operation?: string;
  /** The `transactionReference` of the request, where it has one. */
  reference?: string;
}

/** Which circumstances an armed fault is for: all of those named must be equal. */
export type Match = Partial<Omit<Circumstance, 'moment'>>;

export interface ArmedFault extends Fault {
  match?: Match;
  /** How many more times; 1 unless told. `Infinity` until cleared. */
  times?: number;
  /** Only within this many ms from arming. */
  forMs?: number;
}

/** Decides each time. Only a fault of the asked moment is taken. */
export type FaultPlan = (circumstance: Circumstance) => Fault | undefined;

interface Armed {
  fault: Fault;
  match: Match;
  left: number;
  until: number;
}

export class Faults {
  private waiting: Armed[] = [];
  private plan: FaultPlan | undefined;
  private readonly struck = new Map<FaultKind, number>();

  constructor(
    private readonly now: () => number,
    private readonly changes: Changes,
  ) {}

  arm({ match = {}, times = 1, forMs, ...fault }: ArmedFault): void {
    if (!(fault.kind in ALL_MOMENTS)) throw new Error(`no such fault: ${fault.kind}`);
    const until = forMs === undefined ? Number.POSITIVE_INFINITY : this.now() + forMs;
    this.waiting.push({ fault, match, left: forMs === undefined ? times : Number.POSITIVE_INFINITY, until });
    this.changes.tell();
  }

  /** Lets `plan` decide whenever no armed fault fits; undefined: nothing goes wrong. */
  decideBy(plan: FaultPlan | undefined): void {
    this.plan = plan;
  }

  /** Disarms everything. What has struck stays counted. */
  clear(): void {
    this.waiting = [];
    this.plan = undefined;
    this.changes.tell();
  }

  /** Disarms every fault of a kind. */
  disarm(kind: FaultKind): void {
    this.waiting = this.waiting.filter(({ fault }) => fault.kind !== kind);
    this.changes.tell();
  }

  armed(): ArmedFault[] {
    this.waiting = this.waiting.filter(({ until }) => until > this.now());
    return this.waiting.map(({ fault, match, left }) => ({ ...fault, match, times: left }));
  }

  /** How often each kind has struck. */
  counts(): Partial<Record<FaultKind, number>> {
    return Object.fromEntries(this.struck);
  }

  /** The fault that strikes now, if any. For the simulator's own parts. */
  at(moment: Moment, circumstance: Match = {}): Fault | undefined {
    if (this.waiting.length === 0 && this.plan === undefined) return undefined;
    const fault = this.takeArmed(moment, circumstance) ?? this.planned({ moment, ...circumstance });
    if (fault === undefined) return undefined;
    this.struck.set(fault.kind, (this.struck.get(fault.kind) ?? 0) + 1);
    this.changes.tell();
    return fault;
  }

  private takeArmed(moment: Moment, circumstance: Match): Fault | undefined {
    const found = this.waiting.find(
      ({ fault, match, until }) =>
        ALL_MOMENTS[fault.kind] === moment && until > this.now() && fits(match, circumstance),
    );
    if (found === undefined) return undefined;
    found.left--;
    if (found.left <= 0) this.waiting.splice(this.waiting.indexOf(found), 1);
    return found.fault;
  }

  private planned(circumstance: Circumstance): Fault | undefined {
    const fault = this.plan?.(circumstance);
    return fault !== undefined && ALL_MOMENTS[fault.kind] === circumstance.moment ? fault : undefined;
  }
}

function fits(match: Match, circumstance: Match): boolean {
  return (Object.keys(match) as (keyof Match)[]).every((name) => match[name] === circumstance[name]);
}
