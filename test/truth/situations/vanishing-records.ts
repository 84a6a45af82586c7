import type { FaultKind } from '../../../src/simulator/index.js';
import type { ActorName } from '../actors/names.js';
import type { Focus } from '../scenario.js';
import {
  BEGUN_DESPITE_EACH_429,
  oneByOne,
  onlyThese,
  type Situation,
  START,
  upsetsEvery,
  withMessages,
} from './parts.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const FAULTS: readonly FaultKind[] = ['answer-lost', 'status-record-gone', 'callback-late', 'callback-lost'];

/**
 * The status service shows a payment, and never again: an archive that is emptied, a merchant that moves. Whoever has no result
 * of the terminal's own knows in the end only what was shown long ago.
 */
export const vanishingRecords: Situation = (scenario, hostility, draw) => {
  const actors = draw.pick<ActorName[]>([[], [], ['long-downtime'], ['sleeper']]);
  const upset = draw.pick(['crash', 'redeploy', undefined, undefined] as const);
  const focus: Focus = { at: START, alsoAt: 'status-with-record', only: ['answer-lost'] };
  const vanishing = {
    ...onlyThese(scenario, hostility, FAULTS, actors),
    focus,
    faultRate: draw.pick([0.05, 0.2]),
    statusLagMs: draw.pick([1000, 10_000]),
    isQuick: true as const,
    callbacks: draw.chance(0.4),
    upsets: upset === undefined ? [] : upsetsEvery(draw.int(30, 600) * SECOND, 10, upset),
  };
  const policies = {
    exclusiveTerminal: draw.chance(0.5),
    deadlineMs: draw.chance(0.3) ? 20 * SECOND : undefined,
    lateApproval: draw.pick(['report', 'report', 'reverse'] as const),
  };
  return withMessages(vanishing, oneByOne(draw.pick(['sale', 'preAuthorization'] as const), policies));
};

/** Attempts begin although they are answered 429, and the records of some of them vanish, while processes die. */
export const vanishingAttempts: Situation = (scenario, hostility, draw) => {
  const faults: FaultKind[] = ['repeated-request-throttled', 'status-record-gone', 'callback-late', 'callback-lost'];
  const upset = draw.pick(['crash', 'redeploy', undefined] as const);
  const focus: Focus = { ...BEGUN_DESPITE_EACH_429, alsoAt: draw.pick(['status-with-record', 'callback']) };
  const vanishing = {
    ...onlyThese(scenario, hostility, faults, []),
    focus,
    faultRate: draw.pick([0.2, 0.5]),
    statusLagMs: draw.pick([1000, 10_000]),
    isQuick: true as const,
    callbacks: draw.chance(0.6),
    upsets: upset === undefined ? [] : upsetsEvery(draw.int(15, 120) * SECOND, 30, upset),
  };
  const policies = {
    exclusiveTerminal: false,
    busyWaitMs: draw.pick([0, MINUTE]),
    deadlineMs: draw.chance(0.3) ? 20 * SECOND : undefined,
    lateApproval: draw.pick(['report', 'reverse'] as const),
  };
  return withMessages(vanishing, oneByOne(draw.pick(['sale', 'preAuthorization'] as const), policies));
};
