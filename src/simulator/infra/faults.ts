import { BANK_ANSWER_MOMENTS } from './bank-answers.js';
import type { Changes } from './changes.js';
import { MISHAP_MOMENTS } from './mishaps.js';
import { MIX_UP_MOMENTS } from './mix-ups.js';
import { READING_FAULT_MOMENTS } from './reading-faults.js';

/**
 * The fault plan. At each of its moments, the simulator asks the plan whether a fault strikes. A fault is armed for the
 * next few of these moments, or for a period; or a function decides each time (by a seed or a probability).
 */

/** Each kind of fault, and the moment at which it can strike. */
export const FAULT_MOMENTS = {
  ...BANK_ANSWER_MOMENTS,
  ...MISHAP_MOMENTS,
  ...READING_FAULT_MOMENTS,
  ...MIX_UP_MOMENTS,
};

export type FaultKind = keyof typeof FAULT_MOMENTS;
export type Moment = (typeof FAULT_MOMENTS)[FaultKind];
export const FAULT_KINDS = Object.keys(FAULT_MOMENTS) as FaultKind[];

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
    if (!(fault.kind in FAULT_MOMENTS)) throw new Error(`no such fault: ${fault.kind}`);
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
        FAULT_MOMENTS[fault.kind] === moment && until > this.now() && fits(match, circumstance),
    );
    if (found === undefined) return undefined;
    found.left--;
    if (found.left <= 0) this.waiting.splice(this.waiting.indexOf(found), 1);
    return found.fault;
  }

  private planned(circumstance: Circumstance): Fault | undefined {
    const fault = this.plan?.(circumstance);
    return fault !== undefined && FAULT_MOMENTS[fault.kind] === circumstance.moment ? fault : undefined;
  }
}

function fits(match: Match, circumstance: Match): boolean {
  return (Object.keys(match) as (keyof Match)[]).every((name) => match[name] === circumstance[name]);
}
