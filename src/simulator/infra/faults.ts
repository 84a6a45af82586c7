import type { Changes } from './changes.js';
import { READING_FAULT_MOMENTS } from './reading-faults.js';

/**
 * The fault plan. At each moment below, the simulator asks the plan whether a fault strikes. A fault is armed for the
 * next few of these moments, or for a period; or a function decides each time (by a seed or a probability).
 */

/** Each kind of fault, and the moment at which it can strike. */
export const FAULT_MOMENTS = {
  /** The request does not arrive, and the client times out. */
  'request-lost': 'request',
  /**
   * Not a byte arrives, and the client can be sure of it. Over a real port this is a reset, because a server does
   * listen there.
   */
  'connection-refused': 'request',
  /** The request arrives `ms` later (at most 20 s). */
  'request-delayed': 'request',
  /** The request arrives twice, unless the first copy is refused. The client gets the response to the first. */
  'request-duplicated': 'request',
  /** The service responds with a 5xx (`status`, 500 by default) and does not act. */
  'server-error-before': 'request',
  'rate-limited': 'request',

  'answer-lost': 'answer',
  'answer-delayed': 'answer',
  /** The service responds with a 5xx although it acted: the terminal has started. */
  'server-error-after': 'answer',
  'broken-json': 'answer',
  /** The terminal error in the response has another shape (`variant`). */
  'error-shape': 'answer',
  /** The callback arrives before the 202. */
  'callback-before-answer': 'answer',

  /** Another till is using the terminal: error 1001. */
  'terminal-busy': 'start',
  /** The terminal is offline: error 1002. */
  'terminal-offline': 'start',

  /** The terminal is off for `ms`; 0: until it is switched on. It has stored nothing, so the payment is forgotten. */
  'power-cut-awaiting-card': 'awaiting-card',
  /**
   * The terminal is off for `ms`; 0: until it is switched on. Then it asks the gateway for the outcome and delivers
   * that.
   */
  'power-cut-processing': 'processing',
  /** The request does not reach the gateway: the result is `UNDEFINED`, and no money moved. */
  'gateway-request-lost': 'processing',
  /** The gateway acts, but its response is lost: the result is `UNDEFINED`, and money moved. */
  'gateway-answer-lost': 'processing',
  /** As above; the terminal reverses the payment when it is connected again. */
  'gateway-answer-lost-then-reversed': 'processing',
  /** The card is pulled out of the chip slot after the approval: the terminal reverses. */
  'chip-pulled': 'approved',
  /** The terminal cannot reverse a refused partial approval: the charge stays. */
  'reversal-fails': 'terminal-reversal',
  /** `ms` after the result the terminal's application restarts, and its callback schedule begins again. */
  'terminal-restart': 'result',

  /** The status service shows the change `ms` later than usual (at most 10 s behind the gateway). */
  'status-lag': 'publish',
  /** Ways to say "no record yet". A record that exists is never hidden: no client could recover then. */
  'status-404': 'status-without-record',
  'status-undefined': 'status-without-record',
  'status-empty': 'status-without-record',
  /** There is a record, but it does not show the outcome. */
  'status-in-progress': 'status-with-record',

  'poll-404': 'poll',
  /** A 200 whose body is not a result. */
  'poll-unreadable': 'poll',
  /** A 5xx (`status`). */
  'poll-fails': 'poll',

  /** This delivery attempt does not arrive. */
  'callback-lost': 'callback',
  /** The callback arrives; its acknowledgement is lost. */
  'callback-answer-lost': 'callback',
  /** The callback is sent `ms` later. */
  'callback-late': 'callback',
  'callback-twice': 'callback',
  /** The TLS handshake of this delivery attempt fails. */
  'callback-tls-refused': 'callback',
  /** Held back until a later body was delivered, or for `ms`. */
  'callback-reordered': 'callback',
} as const;

/** What goes wrong on the way, and what deployments make of their description. */
const ALL_MOMENTS = { ...FAULT_MOMENTS, ...READING_FAULT_MOMENTS };

export type FaultKind = keyof typeof ALL_MOMENTS;
export type Moment = (typeof ALL_MOMENTS)[FaultKind];
export const FAULT_KINDS = Object.keys(FAULT_MOMENTS) as (keyof typeof FAULT_MOMENTS)[];

/** Shapes of a terminal error: flat or nested JSON, JSON as text inside the message, or only an HTTP status. */
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

/** Describes the moment for which the plan is asked. */
export interface Circumstance {
  moment: Moment;
  /** Method and first path segments, without ids: `POST /transactions`, `GET /transaction-result`. */
  endpoint?: string;
  serial?: string;
  operation?: string;
  /** The `transactionReference` of the request, if it has one. */
  reference?: string;
}

/** Selects the circumstances for which an armed fault strikes: every field given here must be equal. */
export type Match = Partial<Omit<Circumstance, 'moment'>>;

export interface ArmedFault extends Fault {
  match?: Match;
  /** How often the fault still strikes; 1 by default, `Infinity` until cleared. */
  times?: number;
  /** Strikes only within this many ms after arming. */
  forMs?: number;
}

/** Decides at each moment. A fault of another moment is ignored. */
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

  /** Lets `plan` decide whenever no armed fault matches; undefined: no faults. */
  decideBy(plan: FaultPlan | undefined): void {
    this.plan = plan;
  }

  /** Disarms every fault. The counts remain. */
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

  /** The fault that strikes now, if any; called by the simulator's own parts. */
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
