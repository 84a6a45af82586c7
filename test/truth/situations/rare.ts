import type { FaultKind } from '../../../src/simulator/index.js';
import type { ActorName } from '../actors/names.js';
import type { Draw } from '../draw.js';
import type { Hostility } from '../hostility.js';
import type { Focus, Message, Scenario } from '../scenario.js';
import { BEGUN_DESPITE_429, LOSSES, onlyThese, type Situation, upsetsEvery, withMessages } from './parts.js';

/**
 * What takes even more things at once than the situations in `situations.ts`, from which these are drawn apart: the seeds
 * that are in one of those play what they played before these came.
 */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How something is asked for that nobody may know the end of, and what it works on. */
const ASKED_FOR: readonly [Asked, ...Asked[]] = [
  ['POST /batch/close', 'sale'],
  ['POST /batch/summary', 'sale'],
  ['POST /reversal', 'sale'],
  ['POST /reversal', 'moToSale'],
  ['POST /moto/reversal', 'moToSale'],
  ['POST /preauthorization/increase', 'moToPreAuthorization'],
  ['POST /preauthorization/capture', 'moToPreAuthorization'],
  ['POST /preauthorization/capture', 'preAuthorization'],
];
type Asked = [endpoint: string, operation: Message['operation']];

/** What the flow asks for about its payments is lost half of the time, while something happens to the process. */
function lostChanges(scenario: Scenario, hostility: Hostility, draw: Draw, actors: readonly ActorName[]): Scenario {
  const [at, operation] = draw.pick(ASKED_FOR);
  const focus: Focus = { at, only: LOSSES };
  const lost = { ...onlyThese(scenario, hostility, LOSSES, actors), focus, callbacks: true };
  return withMessages(lost, (message) => ({ ...message, operation, amount: '2500', followUps: 3 }));
}

export const RARE_SITUATIONS: readonly [Situation, ...Situation[]] = [
  /** A backup is taken while payments are under way, whose approval goes back where it is late, and restored much later. */
  (scenario, hostility, draw) => {
    const backup = { ...onlyThese(scenario, hostility, [], ['restored-backup']), fumbles: true, callbacks: false };
    const goesBack = { deadlineMs: 3 * MINUTE, lateApproval: 'reverse', partialApproval: 'reverse' } as const;
    return withMessages(backup, (message, place) => ({
      ...message,
      at: place * 30 * SECOND,
      operation: 'sale',
      amount: draw.pick(['2500', '3757']),
      policies: { ...message.policies, ...goesBack, busyWaitMs: 5 * MINUTE },
      followUps: 0,
    }));
  },
  /** The same, of attempts that began although they were answered 429. */
  (scenario, hostility, draw) => {
    const faults: FaultKind[] = ['repeated-request-throttled', 'callback-late', 'callback-lost'];
    const backup = { ...onlyThese(scenario, hostility, faults, ['restored-backup']), focus: BEGUN_DESPITE_429 };
    return withMessages({ ...backup, callbacks: draw.chance(0.5) }, (message) => ({
      ...message,
      operation: 'sale',
      amount: '2500',
      policies: { ...message.policies, deadlineMs: undefined, busyWaitMs: 5 * MINUTE, exclusiveTerminal: false },
      followUps: 0,
    }));
  },
  /** The environment points at another service while what was lost is looked for, or is to be sent again. */
  (scenario, hostility, draw) => ({
    ...lostChanges(scenario, hostility, draw, []),
    upsets: upsetsEvery(draw.int(5, 30) * SECOND, 8, draw.pick(['crash', 'redeploy'])),
    elsewhereMs: draw.scale(MINUTE, HOUR),
  }),
  /** Redeploys while many requests wait for the rate limit, some of them sent before. */
  (scenario, hostility, draw) => ({
    ...lostChanges(scenario, hostility, draw, ['burst', 'two-at-once']),
    upsets: upsetsEvery(draw.int(5, 20) * SECOND, 12, 'redeploy'),
  }),
  /** A backup of a moment in which something was to be sent again. */
  (scenario, hostility, draw) => lostChanges(scenario, hostility, draw, ['restored-backup']),
  /** Nobody can be asked for a while what became of what was lost. */
  (scenario, hostility, draw) => {
    const from = draw.scale(5 * SECOND, 2 * MINUTE);
    const target = draw.pick(['both', 'service', 'status'] as const);
    return {
      ...lostChanges(scenario, hostility, draw, []),
      outages: [{ from, until: from + draw.scale(10 * SECOND, 20 * MINUTE), kind: 'lost', target }],
    };
  },
  /** One attempt after the other begins although it is answered 429, and their results are late, or lost. */
  (scenario, hostility, draw) => {
    const faults: FaultKind[] = [
      'repeated-request-throttled',
      'answer-delayed',
      'callback-late',
      'callback-lost',
      'status-record-missing',
    ];
    const focus: Focus = { ...BEGUN_DESPITE_429, only: ['repeated-request-throttled', 'answer-delayed'] };
    const actors: ActorName[] = draw.chance(0.3) ? ['restored-backup'] : [];
    const upsets = draw.chance(0.3) ? upsetsEvery(draw.int(3, 60) * SECOND, 20, 'crash') : [];
    const many = {
      ...onlyThese(scenario, hostility, faults, actors),
      focus,
      upsets,
      faultRate: 0.05,
      statusLagMs: 10_000,
    };
    const isHasty = draw.chance(0.3);
    return withMessages({ ...many, callbacks: true }, (message, place) => ({
      ...message,
      at: place * 10 * MINUTE,
      operation: draw.pick(['sale', 'preAuthorization']),
      amount: draw.pick(['2500', '3757']),
      policies: {
        ...message.policies,
        deadlineMs: isHasty ? 20 * SECOND : undefined,
        lateApproval: draw.pick(['report', 'reverse']),
        busyWaitMs: 5 * MINUTE,
        exclusiveTerminal: false,
      },
      followUps: 0,
    }));
  },
];
