import { TRANSACTION_OPERATIONS } from '../../src/core/api/schema/operation-rules.js';
import type { Delivery } from '../../src/core/delivery/listener.js';
import { BACK_OFFICE_TRANSITIONS } from '../../src/core/lifecycle/back-office/transitions.js';
import { TERMINAL_TRANSITIONS } from '../../src/core/lifecycle/terminal/transitions.js';
import { BACK_OFFICE_OPERATIONS } from '../../src/core/operation/back-office-order.js';
import { OUTCOMES } from '../../src/core/operation/outcome.js';
import { FAULT_KINDS, MISHAP_KINDS } from '../../src/simulator/index.js';
import { STRIKES } from './fleet/strikes.js';
import type { WorldName } from './hostility.js';

/** How often something happened, by name. */
export class Tally {
  private readonly counts = new Map<string, number>();

  add(name: string, times = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + times);
  }

  addAll(other: Tally): void {
    for (const [name, times] of other.counts) this.add(name, times);
  }

  of(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  /** With a zero for each of the `expected` that never happened. */
  toObject(expected: readonly string[] = []): Record<string, number> {
    const names = [...new Set([...expected, ...this.counts.keys()])].sort();
    return Object.fromEntries(names.map((name) => [name, this.of(name)]));
  }
}

/** What this test does to a process and a disk that are alone. */
const TO_A_LONE_PROCESS = [
  'crash at a step',
  'crash at a moment',
  'crash in a journal write',
  'redeploy',
  'node deleted',
  'another service',
  'journal write failed',
  'journal write slow',
] as const;

/** What it does to the network, the terminals and the flow, beside the simulator's own faults. */
const AROUND_IT = [
  'outage refused',
  'outage lost',
  'terminal power-cut',
  'terminal offline',
  'terminal restart',
  'cancel',
] as const;

const OWN_FAULTS = [...TO_A_LONE_PROCESS, ...AROUND_IT];

export type OwnFault = (typeof OWN_FAULTS)[number];

export const FAULTS_EXPECTED: Record<WorldName, readonly string[]> = {
  today: [...MISHAP_KINDS, ...OWN_FAULTS],
  hostile: [...FAULT_KINDS, ...OWN_FAULTS, 'journal read-only', 'journal folder gone'],
  fleet: [...MISHAP_KINDS, ...AROUND_IT, ...STRIKES],
};

/** The two tables of the lifecycle. */
export const TRANSITIONS = { terminal: TERMINAL_TRANSITIONS, 'back-office': BACK_OFFICE_TRANSITIONS };

type Table = keyof typeof TRANSITIONS;

/** Every phase from which every transition can be taken. */
const ALL_EDGES: readonly string[] = [
  ...TERMINAL_TRANSITIONS.flatMap(({ id, from }) => from.map((phase) => edge('terminal', phase, id))),
  ...BACK_OFFICE_TRANSITIONS.flatMap(({ id, from }) => from.map((phase) => edge('back-office', phase, id))),
];

/** Only a service that repeats a request, or another system at work on the same payment, leads to these. */
const NEEDS_HOSTILITY =
  /^terminal (pausing: (approved|late-approval-reversal|only-attempt-ended|partial-approval)|listening: |.*: (another-charge-|answer-awaited|(busy-)?attempt-approved-among|answered-beside|began-all|earlier-attempt-|later-attempt-|other-attempts-|reversal-takes-long|second-charge|second-approval|partly-refunded))/;

/** In the hostile world an environment has one key. */
const NEEDS_TWO_KEYS = /: key-replaced/;

/** Nobody can tell a backup of some minutes from the present, so that the world restores older ones alone. */
const NEEDS_YOUNG_BACKUP = /: sent-by-another/;
/** What the chain denies goes again at once: hardly any backup is of that moment. */
const NEEDS_EXACT_BACKUP = /^back-office retrying: perhaps-sent$/;

export const EDGES_EXPECTED: Record<WorldName, readonly string[]> = {
  today: ALL_EDGES.filter((name) => !NEEDS_HOSTILITY.test(name) && !NEEDS_YOUNG_BACKUP.test(name)),
  hostile: ALL_EDGES.filter(
    (name) => !NEEDS_TWO_KEYS.test(name) && !NEEDS_YOUNG_BACKUP.test(name) && !NEEDS_EXACT_BACKUP.test(name),
  ),
  fleet: [],
};

export function edge(table: Table, phase: string, transition: string): string {
  return `${table} ${phase}: ${transition}`;
}

/** Everything that is asked of the service, by the flow or by the engine itself, which never pings. */
export const ALL_ASKED: readonly string[] = [...TRANSACTION_OPERATIONS, ...BACK_OFFICE_OPERATIONS].filter(
  (operation) => operation !== 'pingDevice',
);

/** What a flow can be told, and how. */
export const ALL_TELLINGS: readonly string[] = [
  ...OUTCOMES,
  'as a correction',
  'once more after a crash',
  'by callback-in',
  'as a mistake',
];

/** Counts what the flow was told, and how. */
export function tallyOf(tellings: Tally, { payload, exit }: Delivery, by: 'node' | 'callback-in'): void {
  tellings.add(payload.outcome);
  if (payload.correction) tellings.add('as a correction');
  if (payload.redelivered) tellings.add('once more after a crash');
  if (by === 'callback-in') tellings.add('by callback-in');
  if (exit === 'mistake') tellings.add('as a mistake');
}
