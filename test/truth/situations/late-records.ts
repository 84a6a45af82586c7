import type { FaultKind } from '../../../src/simulator/index.js';
import type { Outage } from '../scenario.js';
import { BEGUN_DESPITE_EACH_429, oneByOne, onlyThese, type Situation, START, withMessages } from './parts.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const MISSING = 'status-record-missing';
/** How often answers are lost, or miss what they should show, anywhere. */
const RATES = [0.1, 0.25, 0.5] as const;

/**
 * Nobody hears how a payment ended, and the status service is away for as long as it is watched. What it says then is the last
 * question's answer: one that is lost, or from which the record is missing once, although the bank has charged.
 */
export const lateRecords: Situation = (scenario, hostility, draw) => {
  const isRepeated = draw.chance(0.4);
  const begun: readonly FaultKind[] = isRepeated
    ? ['repeated-request-throttled', 'callback-late', 'callback-lost']
    : [];
  const faults: FaultKind[] = ['answer-lost', MISSING, ...begun];
  const only = ['answer-lost', ...(isRepeated ? (['repeated-request-throttled'] as const) : [])] as const;
  const until = 48 * HOUR + draw.int(-10, 25) * MINUTE;
  const outage: Outage = { from: 0, until, kind: 'lost', target: 'status' };
  const late = {
    ...onlyThese(scenario, hostility, faults, []),
    focus: isRepeated
      ? { ...BEGUN_DESPITE_EACH_429, only, isRelentless: true as const }
      : { at: START, alsoAt: 'status-with-record', only },
    faultRate: draw.pick(RATES),
    outages: [outage],
    statusLagMs: draw.pick([1000, 10_000]),
    isQuick: true as const,
    callbacks: isRepeated,
  };
  const policies = {
    exclusiveTerminal: !isRepeated && draw.chance(0.5),
    busyWaitMs: draw.pick([0, MINUTE]),
    deadlineMs: undefined,
    lateApproval: draw.pick(['report', 'reverse'] as const),
  };
  return withMessages(late, oneByOne('sale', policies));
};
