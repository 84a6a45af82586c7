import type { FaultKind } from '../../../src/simulator/index.js';
import type { ActorName } from '../actors/names.js';
import {
  BEGUN_DESPITE_429,
  BEGUN_DESPITE_EACH_429,
  IN_PART,
  oneByOne,
  onlyThese,
  type Situation,
  START,
  withMessages,
} from './parts.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const PERSONS: readonly ActorName[] = ['quick-person'];
/** Between two tries of a reversal somebody has more time. */
const REFUSED: FaultKind = 'server-error-before';

/** The flow was told "busy", and what kept the terminal busy was its own attempt. It is approved too late, and a person is quicker. */
const afterNo: Situation = (scenario, hostility, draw) => {
  const faults: FaultKind[] = ['repeated-request', REFUSED];
  const focus = { at: START, only: ['repeated-request'] as const, isRelentless: true as const };
  const busy = {
    ...onlyThese(scenario, hostility, faults, PERSONS),
    focus,
    faultRate: draw.pick([0, 0.3]),
    fumbles: true,
    callbacks: draw.chance(0.8),
    diskMs: 0,
  };
  const policies = {
    exclusiveTerminal: false,
    busyWaitMs: 0,
    deadlineMs: draw.int(8, 15) * SECOND,
    lateApproval: 'reverse' as const,
  };
  return withMessages(busy, oneByOne('sale', policies));
};

/** Of two charges for one message one goes back, and a person has given it back before. */
const second: Situation = (scenario, hostility, draw) => {
  const faults: FaultKind[] = ['repeated-request-throttled', 'callback-late'];
  const twice = {
    ...onlyThese(scenario, hostility, faults, PERSONS),
    focus: { ...draw.pick([BEGUN_DESPITE_429, BEGUN_DESPITE_EACH_429]), isRelentless: draw.chance(0.5) || undefined },
    isQuick: true as const,
    callbacks: draw.chance(0.8),
    diskMs: 0,
  };
  const policies = {
    exclusiveTerminal: false,
    busyWaitMs: draw.pick([0, MINUTE, 5 * MINUTE]),
    deadlineMs: undefined,
    lateApproval: draw.pick(['report', 'reverse'] as const),
  };
  return withMessages(twice, oneByOne('sale', policies));
};

/**
 * What comes too late, or in part, goes back. The result of an attempt before it comes when that is under way; nobody can read
 * it, and it has left no record.
 */
const unread: Situation = (scenario, hostility, draw) => {
  const faults: FaultKind[] = ['repeated-request-throttled', 'callback-late', 'result-unreadable-unrecorded'];
  const variants = { ...scenario.variants, acceptedStop: 'too-late' as const };
  const beside = {
    ...onlyThese(scenario, { ...hostility, variants }, faults, []),
    focus: {
      at: 'wording',
      alsoAt: 'callback',
      only: ['result-unreadable-unrecorded'] as const,
      isNeverTwice: true as const,
      isRelentless: true as const,
      isHardlyLate: true as const,
    },
    faultRate: 0.6,
    variants,
    isQuick: true as const,
    callbacks: true,
  };
  const isInPart = draw.chance(0.6);
  const policies = {
    exclusiveTerminal: false,
    busyWaitMs: draw.pick([MINUTE, 5 * MINUTE]),
    deadlineMs: isInPart ? undefined : draw.int(2, 5) * SECOND,
    lateApproval: 'reverse' as const,
    partialApproval: 'reverse' as const,
  };
  return withMessages(beside, (message, place) => ({
    ...oneByOne('sale', policies)(message, place),
    ...(isInPart && { amount: IN_PART }),
  }));
};

const EACH: readonly [Situation, ...Situation[]] = [afterNo, second, unread, unread];

/**
 * Reversals that end with a person: one who has dealt with the payment before the request leaves, or one who has to look, as
 * nobody can read what another attempt did.
 */
export const leftToPersons: Situation = (scenario, hostility, draw) => draw.pick(EACH)(scenario, hostility, draw);
