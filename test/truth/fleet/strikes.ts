import { Draw } from '../draw.js';
import type { Scenario } from '../scenario.js';

/** What a seed decides about several processes that share a journal. Times in ms from the beginning. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Whom a strike hits: the process that leads then, or one of the others. */
export type Victim = 'leader' | 'door';

export type Strike =
  | { at: number; kind: 'crash'; victim: Victim; ms: number }
  /** The process stands still, and goes on. */
  | { at: number; kind: 'freeze'; victim: Victim; ms: number }
  /** The network between a process and the database is cut. */
  | { at: number; kind: 'cut'; victim: Victim; ms: number; isSilent: boolean }
  /** Nobody reaches the database. */
  | { at: number; kind: 'database away'; ms: number; isSilent: boolean }
  /** The flows are deployed: the process closes its journal, and opens it again. */
  | { at: number; kind: 'deploy'; victim: Victim; ms: number }
  /** The process ends in order, and another one starts. */
  | { at: number; kind: 'restart'; victim: Victim; ms: number };

export const STRIKE_KINDS = ['crash', 'freeze', 'cut', 'deploy', 'restart'] as const;

/** What can happen to a fleet, as the coverage of many seeds counts it. */
export const STRIKES: readonly string[] = [
  ...['leader crashes', 'leader crashes at a step', 'door crashes', 'door crashes at a step'],
  ...STRIKE_KINDS.filter((kind) => kind !== 'crash').flatMap((kind) => [`leader: ${kind}`, `door: ${kind}`]),
  ...['database away', 'database call lost', 'database answer lost', 'commit unknown', 'notification lost'],
  ...['clocks apart', 'taken over', 'order at the leader', 'order at a door', 'cancel at a door', 'check'],
  ...['callback at the leader', 'callback at a door', 'callback twice'],
];

export interface Fleet {
  engines: number;
  strikes: Strike[];
  /** How far the clock of each machine is ahead, ms. */
  skews: number[];
  /** What the way to the database takes at most, and back, ms. */
  latency: number;
  /** How likely a call of the database is lost on its way, its answer, and a notification. */
  lost: { call: number; answer: number; notification: number };
  /** How likely a callback comes to two processes. */
  twice: number;
}

/** Clocks are at most so far apart. */
const APART = 2 * MINUTE;

/** The same day in a shop with several processes: what struck the one process and its disk strikes these instead. */
export function inFleet(scenario: Scenario): Scenario {
  const draw = new Draw(scenario.seed, 70);
  const isStruck = draw.chance(0.85);
  const span = Math.max(...scenario.messages.map(({ at }) => at));
  const engines = draw.pick([2, 3, 3, 3, 4]);
  const strikes = isStruck ? Array.from({ length: draw.int(1, 5) }, () => strikeIn(draw, span)) : [];
  const isApart = draw.chance(0.5);
  const fleet: Fleet = {
    engines,
    strikes,
    skews: Array.from({ length: engines }, () => (isApart ? draw.int(-APART / 2, APART / 2) : 0)),
    latency: draw.pick([0, 2, 5, 50]),
    lost: {
      call: isStruck ? draw.pick([0, 0, 0.002, 0.02]) : 0,
      answer: isStruck ? draw.pick([0, 0, 0.002, 0.02]) : 0,
      notification: draw.pick([0, 0, 0.1, 1]),
    },
    twice: draw.pick([0, 0.1, 0.5]),
  };
  const last = Math.max(0, ...strikes.map(({ at, ms }) => at + ms));
  return {
    ...scenario,
    fleet,
    calmAt: Math.max(Math.min(scenario.calmAt, 2 * HOUR), last),
    upsets: [],
    deaths: isStruck ? scenario.deaths.map((death) => ('steps' in death ? { steps: death.steps * 10 } : death)) : [],
    elsewhereMs: undefined,
    fullDisk: [],
    diskMs: 0,
    downtimes: scenario.downtimes.map((ms) => Math.min(ms, 5 * MINUTE)),
  };
}

function strikeIn(draw: Draw, span: number): Strike {
  const at = draw.int(0, span) + draw.scale(10, draw.chance(0.5) ? 20 * SECOND : 5 * MINUTE);
  const victim: Victim = draw.chance(0.6) ? 'leader' : 'door';
  // Around the length of a lease most happens.
  const ms = draw.chance(0.6) ? draw.int(10 * SECOND, 90 * SECOND) : draw.scale(SECOND, 10 * MINUTE);
  const isSilent = draw.chance(0.5);
  if (draw.chance(0.2)) return { at, kind: 'database away', ms, isSilent };
  const kind = draw.pick(STRIKE_KINDS);
  if (kind === 'cut') return { at, kind, victim, ms, isSilent };
  const isShort = kind === 'deploy' || kind === 'restart';
  return { at, kind, victim, ms: isShort ? draw.scale(100, 20 * SECOND) : ms };
}
