import type { FaultKind } from '../../../src/simulator/index.js';
import type { ActorName } from '../actors/names.js';
import type { Focus, Message, Outage, Scenario } from '../scenario.js';
import {
  BEGUN_DESPITE_EACH_429,
  LOSSES,
  oneByOne,
  onlyThese,
  type Situation,
  START,
  UNPROVEN,
  upsetsEvery,
  withMessages,
} from './parts.js';

/**
 * Where less can be proved than elsewhere: nobody knows the original, nobody can be asked, or results name no transaction.
 * Drawn apart from all other situations, so that the other seeds play what they played before these came.
 */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The bank approves a part of it. */
const PARTLY = '3757';
/** The bank declines it, minor units. */
const DECLINED = 3779;

const CHANGED: readonly [Changed, ...Changed[]] = [
  ['POST /reversal', 'sale'],
  ['POST /reversal', 'preAuthorization'],
  ['POST /reversal', 'moToSale'],
  ['POST /moto/reversal', 'moToSale'],
  ['POST /moto/refund', 'moToSale'],
  ['POST /preauthorization/capture', 'preAuthorization'],
  ['POST /transactions/tip-adjustment', 'sale'],
];
type Changed = [endpoint: string, operation: Message['operation']];

/** What is asked for, what of, and what goes wrong with it. */
const UNASKED: readonly [Unasked, ...Unasked[]] = [
  ...UNPROVEN,
  ['POST /moto/sale', 'saleAndTokenizeCard', ...LOSSES],
  ['POST /moto/refund', 'saleAndTokenizeCard', ...LOSSES],
];
type Unasked = [endpoint: string, operation: Message['operation'], ...faults: FaultKind[]];

const changed =
  (operation: Message['operation']) =>
  (message: Message): Message => ({ ...message, operation, amount: '2500', followUps: 3 });

export const UNPROVEN_SITUATIONS: readonly [Situation, ...Situation[]] = [
  /** The answer to a change of a payment that the journal does not know is lost, while something happens to the process. */
  (scenario, hostility, draw) => {
    const [at, operation] = draw.pick(CHANGED);
    const actors = draw.pick<ActorName[]>([[], [], ['restored-backup'], ['long-downtime'], ['burst', 'two-at-once']]);
    const only: Focus['only'] = draw.chance(0.4) ? ['rate-limited'] : LOSSES;
    const lost = onlyThese(scenario, hostility, only, actors);
    const upset = draw.pick(['crash', 'redeploy', undefined] as const);
    const unknown: Scenario = {
      ...lost,
      focus: { at, only },
      callbacks: true,
      retainsNothing: true,
      upsets: upset === undefined ? [] : upsetsEvery(draw.int(5, 40) * SECOND, 12, upset),
      elsewhereMs: draw.chance(0.4) ? draw.scale(MINUTE, HOUR) : undefined,
    };
    return withMessages(unknown, changed(operation));
  },
  /** What was asked and not answered waits for the rate limit again, and then the environment points at another service. */
  (scenario, hostility, draw) => {
    const asking = {
      ...onlyThese(scenario, hostility, LOSSES, ['burst', 'two-at-once', 'other-till-batch']),
      focus: { at: 'POST /batch/summary', only: LOSSES },
      callbacks: true,
      upsets: upsetsEvery(draw.int(30, 150) * SECOND, 4, 'redeploy'),
      elsewhereMs: draw.scale(MINUTE, HOUR),
    };
    return withMessages(asking, changed('sale'));
  },
  /** What became of a change, or of a payment by token that the issuer may decline, is known to nobody for a while. */
  (scenario, hostility, draw) => {
    const [at, operation, ...faults] = draw.pick(UNASKED);
    const from = draw.scale(SECOND, 2 * MINUTE);
    const outage: Outage = { from, until: from + draw.int(8, 60) * MINUTE, kind: 'lost', target: 'status' };
    const unasked = {
      ...onlyThese(scenario, hostility, faults, []),
      focus: { at },
      tokenAmount: draw.pick([300, DECLINED]),
      callbacks: true,
      outages: [outage],
    };
    return withMessages(unasked, changed(operation));
  },
  /** Several attempts begin although they are answered 429, and some of their results name no transaction. */
  (scenario, hostility, draw) => {
    const only: Focus['only'] = ['repeated-request-throttled'];
    const faults: FaultKind[] = [...only, 'result-without-id', 'callback-late', 'callback-before-answer'];
    const outages: Outage[] = draw.chance(0.5) ? [{ from: 0, until: 40 * HOUR, kind: 'lost', target: 'status' }] : [];
    const focus: Focus = { ...BEGUN_DESPITE_EACH_429, alsoAt: draw.pick(['callback', 'wording']), only };
    const unnamed = { ...onlyThese(scenario, hostility, faults, []), focus, outages, callbacks: true, faultRate: 0.2 };
    const policies = {
      exclusiveTerminal: false,
      busyWaitMs: 5 * MINUTE,
      deadlineMs: draw.chance(0.3) ? 20 * SECOND : undefined,
      lateApproval: draw.pick(['report', 'reverse'] as const),
    };
    return withMessages(unnamed, oneByOne('sale', policies));
  },
  /** A payment was approved too late, and while it goes back the environment points at another service, or is a backup. */
  (scenario, hostility, draw) => {
    const actors = draw.pick<ActorName[]>([[], ['restored-backup'], ['long-downtime']]);
    const late = {
      ...onlyThese(scenario, hostility, [...LOSSES, 'callback-late', 'repeated-request'], actors),
      callbacks: true,
      fumbles: true,
      focus: { at: 'POST /reversal', alsoAt: START },
      upsets: actors.length > 0 ? [] : upsetsEvery(draw.int(25, 120) * SECOND, 20, draw.pick(['crash', 'redeploy'])),
      elsewhereMs: draw.chance(0.7) ? draw.scale(MINUTE, HOUR) : undefined,
    };
    const policies = {
      busyWaitMs: draw.pick([0, 5 * MINUTE]),
      deadlineMs: 15 * SECOND,
      lateApproval: 'reverse' as const,
      exclusiveTerminal: draw.chance(0.5),
    };
    const amount = draw.pick(['2500', PARTLY]);
    return withMessages(late, (message, place) => ({ ...oneByOne('sale', policies)(message, place), amount }));
  },
  /** The flow takes orders back while their next attempts wait for the rate limit. */
  (scenario, hostility, draw) => {
    const only: Focus['only'] = ['rate-limited', 'repeated-request-throttled'];
    const throttled = { ...onlyThese(scenario, hostility, only, ['burst']), focus: { at: START, only } };
    const policies = { busyWaitMs: 5 * MINUTE, deadlineMs: undefined, exclusiveTerminal: false };
    return withMessages({ ...throttled, callbacks: draw.chance(0.5) }, (message, place) => {
      // The token that the first one brings is charged so often that the others wait.
      const isFirst = place === 0;
      const operation = isFirst ? 'saleAndTokenizeCard' : 'sale';
      return {
        ...oneByOne(operation, policies)(message, place),
        at: place * 15 * SECOND,
        ...(!isFirst && { cancelAfter: draw.int(1, 60) * SECOND }),
      };
    });
  },
];
