import type { FaultKind } from '../../../src/simulator/index.js';
import type { ActorName } from '../actors/names.js';
import { Draw } from '../draw.js';
import type { Focus, Message, Outage, Scenario, Upset } from '../scenario.js';
import { undisturbed } from '../undisturbed.js';
import { answersAfterResults } from './answers-after-results.js';
import { crowdedFollowUps, crowdedKeys, crowdedUnknownHolds } from './crowded-keys.js';
import { doubtfulReversals } from './doubtful-reversals.js';
import { forgottenRefusals } from './forgotten-refusals.js';
import { forgottenReversals } from './forgotten-reversals.js';
import { forgottenTellings } from './forgotten-tellings.js';
import { givenBackMeanwhile } from './given-back-meanwhile.js';
import { givenBackTwice } from './given-back-twice.js';
import { lateRecords } from './late-records.js';
import { laterCharges } from './later-charges.js';
import { leftToPersons } from './left-to-persons.js';
import { lostResults } from './lost-results.js';
import { missedAttempts } from './missed-attempts.js';
import { answeredCopies, contradictedBatches, deliveredTwice, mixedUpAnswers } from './mixed-up-answers.js';
import { otherMerchants } from './other-merchants.js';
import { OVERLAPPING_SITUATIONS } from './overlapping.js';
import { APART, BEGUN_DESPITE_429, LOSSES, type Situation, START, UNPROVEN } from './parts.js';
import { paymentsByToken } from './payments-by-token.js';
import { RARE_SITUATIONS } from './rare.js';
import { refusedAfterCharge } from './refused-after-charge.js';
import { SCARCE_SITUATIONS } from './scarce.js';
import { secondCharges } from './second-charges.js';
import { strikesAfter429, strikesAfter429OfUnknown } from './strikes-after-429.js';
import { throwingNodes } from './throwing-nodes.js';
import { toldAgain } from './told-again.js';
import { unaskedAttempts } from './unasked-attempts.js';
import { unheardAttempts } from './unheard-attempts.js';
import { UNPROVEN_SITUATIONS } from './unproven.js';
import { unsetClocks } from './unset-clocks.js';
import { vanishingAttempts, vanishingRecords } from './vanishing-records.js';

/**
 * What takes several things at once, and would hardly ever be met by chance. A seed that is in a situation has nothing else
 * go wrong. They are drawn apart, so that all other seeds play what they played before a situation was added.
 */

/** Of the seeds of today's world. */
const SHARE_TODAY = 0.02;

const IN_NO_HURRY = { calmAt: 4 * 24 * 60 * 60_000, callbacks: false, fumbles: true, statusLagMs: 10_000 };

const withPolicies = (scenario: Scenario, policies: Partial<Message['policies']>): Scenario => ({
  ...scenario,
  messages: scenario.messages.map((message) => ({ ...message, policies: { ...message.policies, ...policies } })),
});

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Faults pile up at one place, and at no other, on terminals that nobody else uses; one payment comes after the other. */
function piledUp(scenario: Scenario, focus: Focus, faults: readonly FaultKind[]): Scenario {
  const messages = scenario.messages.map((message, place) => ({ ...message, at: place * APART }));
  const alone = undisturbed({ ...scenario, ...IN_NO_HURRY, messages, focus }, faults, true);
  return withPolicies(alone, { exclusiveTerminal: true });
}

/** What the status service knows, a reversal takes back, and no bank approves in part. */
const asSale = (message: Message): Message => ({
  ...message,
  operation: message.operation === 'preAuthorization' ? 'preAuthorization' : 'sale',
  amount: '2500',
});

/** How a change of a payment is asked for, and what it works on. */
const CHANGES: readonly [Change, ...Change[]] = [
  ['POST /reversal', 'sale'],
  ['POST /reversal', 'moToSale'],
  ['POST /transactions/tip-adjustment', 'sale'],
  ['POST /preauthorization/capture', 'preAuthorization'],
];
type Change = [endpoint: string, operation: Message['operation']];

/** They add up, so that they are sent once, and what became of them is a question for the chain alone. */
const ONCE: readonly [Change, ...Change[]] = [
  ['POST /preauthorization/increase', 'preAuthorization'],
  ['POST /moto/refund', 'moToSale'],
];

/** Cardholders come at once, and the flow asks for three changes of each payment. */
function inNoHurry(scenario: Scenario, operation: Message['operation']): Scenario {
  const messages = scenario.messages.map((message) => {
    const { cancelAfter: _cancelAfter, ...rest } = message;
    return { ...rest, operation, amount: '2500', extras: {}, followUps: 3 };
  });
  return { ...scenario, messages, callbacks: true, fumbles: false };
}

const HASTY: Partial<Message['policies']> = { deadlineMs: 20_000, lateApproval: 'report' };

const PATIENT: Partial<Message['policies']> = { busyWaitMs: 5 * 60_000, deadlineMs: undefined };

/** Results of earlier attempts come while a later one runs. */
export const LATE_CALLBACKS: readonly FaultKind[] = ['callback-late', 'callback-lost'];

/** Orders begin although they are answered 429, on terminals that others use too. */
function begunDespite429(scenario: Scenario, later: readonly FaultKind[]): Scenario {
  const alone = piledUp(scenario, BEGUN_DESPITE_429, ['repeated-request-throttled', ...later]);
  const repeated = withPolicies(alone, { ...PATIENT, exclusiveTerminal: false });
  const messages = repeated.messages.map((message) => ({ ...asSale(message), cancelAfter: undefined, followUps: 0 }));
  return { ...repeated, messages, fumbles: false };
}

const SITUATIONS: readonly [Situation, ...Situation[]] = [
  /** Orders reach their terminals after a stop has said that nothing runs there. */
  (scenario) => {
    const focus: Focus = {
      at: START,
      only: ['acts-late'],
      isSlow: true,
      isHasty: true,
      sparesStops: true,
    };
    return withPolicies(piledUp(scenario, focus, ['acts-late']), HASTY);
  },
  /** A payment ends right before somebody asks whether anything runs, and does not show yet. */
  (scenario) => {
    const focus: Focus = { at: START, only: ['answer-lost'], isSlow: true, sparesStops: true };
    return piledUp(scenario, focus, ['answer-lost']);
  },
  /** The terminal says what nobody can read, and nobody else says anything. */
  (scenario) => {
    const focus: Focus = { at: 'wording', only: ['result-unreadable-unrecorded'] };
    return piledUp(scenario, focus, ['result-unreadable-unrecorded']);
  },
  /** Orders begin although they are answered 429, on terminals that others use too: which attempts have charged is a question. */
  (scenario, _hostility, draw) => {
    return { ...begunDespite429(scenario, LATE_CALLBACKS), callbacks: draw.chance(0.6) };
  },
  /** A change of a payment is lost, or answered with an error, while another till works on it, or the machine sleeps. */
  (scenario, hostility, draw) => {
    const [at, operation] = draw.pick(CHANGES);
    const focus: Focus = { at, alsoAt: 'status-with-record', only: LOSSES };
    const faults: FaultKind[] = [...LOSSES, 'status-record-missing'];
    const lost = inNoHurry(piledUp(scenario, focus, faults), operation);
    const actors = new Set<ActorName>(['sleeper', 'other-till-back-office']);
    return { ...lost, hostility: { ...hostility, faults, actors } };
  },
  /** A change of a payment is lost, nobody can be asked for hours, and then the process is away for days. */
  (scenario, hostility, draw) => {
    const [at, operation] = draw.pick(CHANGES);
    const lost = inNoHurry(piledUp(scenario, { at, only: LOSSES }, LOSSES), operation);
    const actors = new Set<ActorName>(['long-downtime']);
    const outages: Outage[] = [{ from: 0, until: 4 * HOUR, kind: 'lost', target: 'status' }];
    return { ...lost, outages, hostility: { ...hostility, faults: LOSSES, actors } };
  },
  /** A change of a payment is lost, nobody can be asked for a while, and then the payment itself is missing from answers. */
  (scenario, hostility, draw) => {
    const [at, operation] = draw.pick(ONCE);
    const only = ['answer-lost', 'server-error-after'] as const;
    const focus: Focus = { at, alsoAt: 'status-with-record', only, isDarkAfter: true };
    const faults: FaultKind[] = ['answer-lost', 'server-error-after', 'status-record-missing'];
    const lost = inNoHurry(piledUp(scenario, focus, faults), operation);
    return { ...lost, hostility: { ...hostility, faults, actors: new Set<ActorName>() } };
  },
  /** The result of an attempt that began although it was answered 429 comes while the next one is charged. */
  (scenario) => {
    return { ...begunDespite429(scenario, ['callback-late']), callbacks: true };
  },
  /** The back office answers 200, and that proves nothing. */
  (scenario, _hostility, draw) => {
    const [at, operation, ...only] = draw.pick(UNPROVEN);
    return inNoHurry(piledUp(scenario, { at, only }, only), operation);
  },
  /** The deadline passes while the card is awaited, and the stop that is accepted comes too late. */
  (scenario, hostility) => {
    const variants = { ...scenario.variants, acceptedStop: 'too-late' } as const;
    const late = { ...scenario, variants, hostility: { ...hostility, variants } };
    return withPolicies(piledUp(late, { at: 'nowhere' }, []), HASTY);
  },
];

/** Nobody is asked to look where slow cardholders are all there is. */
const slowCardholders = (scenario: Scenario): Scenario => ({
  ...withPolicies(undisturbed({ ...scenario, ...IN_NO_HURRY, focus: undefined }, []), { deadlineMs: undefined }),
  elsewhereMs: undefined,
});

/** Nobody can be asked for an hour, and the process dies again and again meanwhile. */
function dyingOften(scenario: Scenario, draw: Draw): Scenario {
  const alone = undisturbed({ ...scenario, callbacks: false, calmAt: HOUR, focus: undefined }, []);
  const pace = draw.int(15, 100) * SECOND;
  const upsets: Upset[] = Array.from({ length: Math.ceil((20 * MINUTE) / pace) }, (_, place) => ({
    at: 3 * SECOND + (place + 1) * pace,
    kind: 'crash',
    nodesDeleted: false,
  }));
  const outages: Outage[] = [{ from: draw.int(0, 3) * SECOND, until: HOUR, kind: 'lost', target: 'both' }];
  const operations = ['sale', 'sale', 'moToSale', 'printReceipt', 'cardPan'] as const;
  const messages = scenario.messages.map((message): Message => {
    const operation = draw.pick(operations);
    const { amount: _amount, cancelAfter: _cancelAfter, ...rest } = message;
    const isPrint = operation === 'printReceipt';
    const hasAmount = !isPrint && operation !== 'cardPan';
    return {
      ...rest,
      operation,
      ...(hasAmount && { amount: '2500' }),
      extras: isPrint ? { receipt: '<p>Thank you</p>' } : {},
      followUps: 0,
    };
  });
  return { ...alone, upsets, outages, messages, elsewhereMs: undefined, downtimes: [5 * SECOND] };
}

interface Group {
  /** Of the hostile seeds that no group before it has taken. */
  share: number;
  situation: Situation;
  /** A stream of the seed's draws that nothing else uses; of a new group one in which none of the seeds that are kept is drawn. */
  stream: number;
}

const anyOf =
  (situations: readonly [Situation, ...Situation[]]): Situation =>
  (scenario, hostility, draw) =>
    draw.pick(situations)(scenario, hostility, draw);

/** In the order in which a seed tries them. */
const GROUPS = {
  unasked: { share: 0.02, stream: 83, situation: unaskedAttempts },
  scarce: { share: 0.02, stream: 68, situation: anyOf(SCARCE_SITUATIONS) },
  unheard: { share: 0.06, stream: 67, situation: unheardAttempts },
  unproven: { share: 0.03, stream: 66, situation: anyOf(UNPROVEN_SITUATIONS) },
  overlapping: { share: 0.03, stream: 65, situation: anyOf(OVERLAPPING_SITUATIONS) },
  rare: { share: 0.05, stream: 64, situation: anyOf(RARE_SITUATIONS) },
  frequent: { share: 0.15, stream: 62, situation: anyOf(SITUATIONS) },
  byToken: { share: 0.015, stream: 148, situation: paymentsByToken },
  merchants: { share: 0.015, stream: 69, situation: otherMerchants },
  vanishing: { share: 0.02, stream: 131, situation: vanishingRecords },
  late: { share: 0.02, stream: 96, situation: lateRecords },
  lost: { share: 0.05, stream: 97, situation: lostResults },
  missedAttempts: { share: 0.015, stream: 152, situation: missedAttempts },
  vanishingAttempts: { share: 0.015, stream: 151, situation: vanishingAttempts },
  secondCharges: { share: 0.01, stream: 162, situation: secondCharges },
  doubtfulReversals: { share: 0.01, stream: 163, situation: doubtfulReversals },
  forgottenTellings: { share: 0.01, stream: 165, situation: forgottenTellings },
  forgottenReversals: { share: 0.01, stream: 191, situation: forgottenReversals },
  unsetClocks: { share: 0.01, stream: 171, situation: unsetClocks },
  toldAgain: { share: 0.01, stream: 188, situation: toldAgain },
  refusedAfterCharge: { share: 0.01, stream: 215, situation: refusedAfterCharge },
  leftToPersons: { share: 0.01, stream: 192, situation: leftToPersons },
  forgottenRefusals: { share: 0.01, stream: 222, situation: forgottenRefusals },
  answersAfterResults: { share: 0.01, stream: 220, situation: answersAfterResults },
  laterCharges: { share: 0.01, stream: 225, situation: laterCharges },
  crowdedKeys: { share: 0.02, stream: 230, situation: crowdedKeys },
  strikesAfter429: { share: 0.01, stream: 232, situation: strikesAfter429 },
  givenBackMeanwhile: { share: 0.01, stream: 240, situation: givenBackMeanwhile },
  mixedUpAnswers: { share: 0.02, stream: 322, situation: mixedUpAnswers },
  contradictedBatches: { share: 0.005, stream: 263, situation: contradictedBatches },
  answeredCopies: { share: 0.01, stream: 342, situation: answeredCopies },
  strikesAfter429OfUnknown: { share: 0.005, stream: 344, situation: strikesAfter429OfUnknown },
  crowdedFollowUps: { share: 0.005, stream: 346, situation: crowdedFollowUps },
  crowdedUnknownHolds: { share: 0.005, stream: 351, situation: crowdedUnknownHolds },
  deliveredTwice: { share: 0.01, stream: 341, situation: deliveredTwice },
  throwingNodes: { share: 0.01, stream: 360, situation: throwingNodes },
  givenBackTwice: { share: 0.01, stream: 386, situation: givenBackTwice },
} satisfies Record<string, Group>;

type SituationName = keyof typeof GROUPS;
export const SITUATION_NAMES = Object.keys(GROUPS) as readonly SituationName[];

/** @param only every hostile seed is in a situation of this group; absent: some are in one of any */
export function inSituation(scenario: Scenario, only?: string): Scenario {
  const { hostility, seed } = scenario;
  if (hostility === undefined) {
    const draw = new Draw(seed, 62);
    if (!draw.chance(SHARE_TODAY)) return scenario;
    return draw.chance(0.4) ? slowCardholders(scenario) : dyingOften(scenario, draw);
  }
  for (const name of SITUATION_NAMES) {
    const { share, stream, situation } = GROUPS[name];
    const draw = new Draw(seed, stream);
    const isDrawn = draw.chance(share);
    if (only === undefined ? isDrawn : only === name) return situation(scenario, hostility, draw);
  }
  return scenario;
}
