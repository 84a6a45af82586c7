import type { FaultKind } from '../../../src/simulator/index.js';
import type { ActorName } from '../actors/names.js';
import type { Focus, Message, Outage } from '../scenario.js';
import {
  APART,
  BEGUN_DESPITE_EACH_429,
  LOSSES,
  oneByOne,
  onlyThese,
  type Situation,
  START,
  upsetsEvery,
  withMessages,
} from './parts.js';

/**
 * Attempts, reversals and people that get into each other's way. Drawn apart from all other situations, so that the other
 * seeds play what they played before these came.
 */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const SHARED: Partial<Message['policies']> = { exclusiveTerminal: false };

export const OVERLAPPING_SITUATIONS: readonly [Situation, ...Situation[]] = [
  /** Any number of attempts begin one after the other, their results come before the answers to them, late, or unreadable. */
  (scenario, hostility, draw) => {
    const only: Focus['only'] = ['repeated-request-throttled', 'answer-delayed', 'answer-delayed'];
    const faults: FaultKind[] = [...only, 'callback-before-answer', 'callback-late', 'body-objects-for-texts'];
    const actors = draw.pick<ActorName[]>([[], [], ['restored-backup'], ['long-downtime']]);
    const alsoAt = draw.pick(['callback', 'POST /reversal']);
    const focus: Focus = { ...BEGUN_DESPITE_EACH_429, alsoAt, only };
    const outages: Outage[] = draw.chance(0.3) ? [{ from: 0, until: 2 * HOUR, kind: 'lost', target: 'status' }] : [];
    const many = { ...onlyThese(scenario, hostility, faults, actors), focus, outages, callbacks: true };
    const policies = {
      ...SHARED,
      busyWaitMs: 5 * MINUTE,
      deadlineMs: draw.chance(0.3) ? 20 * SECOND : undefined,
      lateApproval: draw.pick(['report', 'reverse'] as const),
    };
    return withMessages(many, oneByOne(draw.pick(['sale', 'preAuthorization']), policies));
  },
  /** What a flow was told is busy is approved after all, and the reversal by policy is slow, or a person is quicker. */
  (scenario, hostility, draw) => {
    const only: Focus['only'] = ['repeated-request'];
    const faults: FaultKind[] = [...only, ...LOSSES, 'answer-delayed'];
    const actors = draw.pick<ActorName[]>([[], ['person'], ['restored-backup'], ['long-downtime']]);
    const busy = { ...onlyThese(scenario, hostility, faults, actors), callbacks: draw.chance(0.7), fumbles: true };
    const outages: Outage[] = draw.chance(0.3) ? [{ from: 0, until: 24 * HOUR, kind: 'lost', target: 'status' }] : [];
    const focus: Focus = { at: START, alsoAt: 'POST /reversal', only };
    const policies = { ...SHARED, busyWaitMs: 0, deadlineMs: 15 * SECOND, lateApproval: 'reverse' } as const;
    return withMessages({ ...busy, focus, outages }, oneByOne('sale', policies));
  },
  /** A payment is approved too late, and its reversal is lost again and again, or a person steps in. */
  (scenario, hostility, draw) => {
    const faults: FaultKind[] = [...LOSSES, 'answer-delayed'];
    const actors: ActorName[] = draw.chance(0.7) ? ['person'] : [];
    const late = { ...onlyThese(scenario, hostility, faults, actors), callbacks: draw.chance(0.7), fumbles: true };
    const focus: Focus = { at: 'POST /reversal' };
    const policies = { exclusiveTerminal: true, deadlineMs: 15 * SECOND, lateApproval: 'reverse' } as const;
    return withMessages({ ...late, focus }, oneByOne(draw.pick(['sale', 'preAuthorization']), policies));
  },
  /** The same, and for about two minutes the service cannot be reached: until a person is asked to look. */
  (scenario, hostility, draw) => {
    const late = { ...onlyThese(scenario, hostility, ['answer-delayed'], []), callbacks: true, fumbles: true };
    const outages = late.messages.map((_message, place): Outage => {
      const from = place * APART + 10 * SECOND;
      return { from, until: from + draw.int(120, 170) * SECOND, kind: 'refused', target: 'service' };
    });
    const policies = { exclusiveTerminal: true, deadlineMs: 15 * SECOND, lateApproval: 'reverse' } as const;
    return withMessages({ ...late, focus: { at: 'POST /reversal' }, outages }, oneByOne('sale', policies));
  },
  /** Redeploys while the next attempts wait for the rate limit. */
  (scenario, hostility, draw) => {
    const only: Focus['only'] = ['rate-limited'];
    const throttled = { ...onlyThese(scenario, hostility, only, ['burst']), focus: { at: START, only } };
    const upsets = upsetsEvery(draw.int(3, 20) * SECOND, 30, 'redeploy');
    return withMessages({ ...throttled, upsets, callbacks: draw.chance(0.5) }, (message, place) => ({
      ...oneByOne('sale', { busyWaitMs: 5 * MINUTE, deadlineMs: undefined })(message, place),
      at: place * 15 * SECOND,
    }));
  },
];
