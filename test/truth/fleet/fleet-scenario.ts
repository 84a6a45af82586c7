import { Draw } from '../draw.js';
import type { Scenario } from '../scenario.js';
import { type Fleet, STRIKE_KINDS, type Strike, type Unheard, type Victim } from './strikes.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Clocks are at most so far apart. */
const APART = 2 * MINUTE;

/** In some shops nodes throw. A stream of the seed's draws in which none of the seeds that are kept is drawn. */
const THROWING = { share: 0.06, stream: 92, likely: 0.3 };

/** The same day in a shop with several processes: what struck the one process and its disk strikes these instead. */
export function inFleet(scenario: Scenario): Scenario {
  const draw = new Draw(scenario.seed, 70);
  const isStruck = draw.chance(0.85);
  const span = Math.max(...scenario.messages.map(({ at }) => at));
  const engines = draw.pick([2, 3, 3, 3, 4]);
  const strikes = isStruck ? Array.from({ length: draw.int(1, 5) }, () => strikeIn(draw, span)) : [];
  const isApart = draw.chance(0.5);
  const fleet: Omit<Fleet, 'unheard'> = {
    engines,
    strikes,
    timely: isStruck && draw.chance(0.5) ? timely(draw) : undefined,
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
    fleet: { ...fleet, unheard: isStruck ? unheard(new Draw(scenario.seed, 74), fleet.latency) : undefined },
    calmAt: Math.max(Math.min(scenario.calmAt, 2 * HOUR), last),
    throwing: new Draw(scenario.seed, THROWING.stream).chance(THROWING.share) ? THROWING.likely : 0,
    upsets: [],
    deaths: isStruck ? scenario.deaths.map((death) => ('steps' in death ? { steps: death.steps * 10 } : death)) : [],
    elsewhereMs: undefined,
    fullDisk: [],
    diskMs: 0,
    downtimes: scenario.downtimes.map((ms) => Math.min(ms, 5 * MINUTE)),
  };
}

function timely(draw: Draw): Fleet['timely'] {
  const ms = draw.scale(20 * SECOND, 8 * MINUTE);
  const kind = draw.pick(['freeze', 'freeze', 'crash'] as const);
  return { transition: draw.scale(1, 30), strike: { at: 0, kind, victim: 'leader', ms } };
}

function unheard(draw: Draw, latency: number): Unheard | undefined {
  if (!draw.chance(0.15)) return undefined;
  const ms = draw.scale(5 * SECOND, 5 * MINUTE);
  return {
    order: draw.int(1, 4),
    after: draw.int(0, 4 * latency + 10),
    away: { at: 0, kind: 'database away', ms, isSilent: draw.chance(0.5) },
    closedAfter: draw.int(0, Math.min(ms, 2 * MINUTE)),
    closes: draw.pick(['deploy', 'deploy', 'restart'] as const),
    closedFor: draw.scale(100, 20 * SECOND),
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
