import type { FaultKind } from '../../../src/simulator/index.js';
import type { ActorName } from '../actors/names.js';
import { type Focus, type Message, type Scenario, TERMINALS } from '../scenario.js';
import { LOSSES, oneByOne, onlyThese, type Situation, START, withMessages } from './parts.js';

type MixedUp = [at: Focus['at'], operation: Message['operation'], FaultKind, ...FaultKind[]];

/** Where answers and results are about something else, and on which changes of what. */
const MIXED_UP: readonly [MixedUp, ...MixedUp[]] = [
  ['POST /reversal', 'sale', 'answer-of-another', 'answer-other-original', 'answer-id-of-original'],
  ['POST /moto/reversal', 'moToSale', 'answer-of-another', 'answer-other-original', 'answer-id-of-original'],
  ['POST /moto/refund', 'moToSale', 'answer-of-another', 'answer-other-original', 'answer-id-of-original'],
  ['POST /moto/refund', 'saleAndTokenizeCard', 'answer-of-another'],
  ['POST /moto/sale', 'saleAndTokenizeCard', 'answer-of-another'],
  ['POST /preauthorization/capture', 'preAuthorization', 'answer-of-another', 'answer-other-original'],
  ['POST /preauthorization/capture', 'preAuthorization', 'answer-id-of-original', 'capture-took-less'],
  ['POST /preauthorization/increase', 'preAuthorization', 'answer-of-another', 'increase-took-less'],
  ['POST /preauthorization/increase', 'preAuthorization', 'answer-other-original', 'answer-id-of-original'],
  ['wording', 'sale', 'result-other-reference'],
  ['wording', 'preAuthorization', 'result-other-reference'],
  ['callback', 'sale', 'callback-cut-off'],
  ['callback', 'refund', 'callback-cut-off'],
];

const TAKEN_BACK = oneByOne('sale', { deadlineMs: 20_000, lateApproval: 'reverse' });

function late({ isQuick: _isQuick, ...scenario }: Scenario): Scenario {
  return { ...scenario, fumbles: true };
}

/** What became of a payment, or of a change of it, is told by answers and results that are about something else. */
export const mixedUpAnswers: Situation = (scenario, hostility, draw) => {
  const [at, operation, ...only] = draw.pick(MIXED_UP);
  const also: readonly FaultKind[] = draw.pick([[], [], LOSSES, ['callback-late'], ['status-record-missing']]);
  const drawn = draw.pick<ActorName[]>([[], [], ['two-at-once'], ['restored-backup'], ['other-till-back-office']]);
  // Whose the answer to a payment by token is, its id alone says, which a backup does not know.
  const isByToken = operation === 'saleAndTokenizeCard';
  const actors = drawn.filter((name) => !isByToken || name !== 'restored-backup');
  const mixed: Scenario = {
    ...onlyThese(scenario, hostility, [...only, ...also], actors),
    focus: { at, only, alsoAt: draw.pick([undefined, START, 'status-with-record']) },
    callbacks: at === 'callback' || draw.chance(0.5),
    isQuick: true,
  };
  // An approval after the deadline goes back by policy.
  if (at === 'POST /reversal' && operation === 'sale' && draw.chance(0.5)) return withMessages(late(mixed), TAKEN_BACK);
  const pay = oneByOne(operation, { deadlineMs: draw.pick([undefined, 20_000]) });
  return withMessages(mixed, (message, place) => ({ ...pay(message, place), followUps: 3 }));
};

const DECLINED = '3784';
const BESIDE: readonly [Message['operation'], ...Message['operation'][]] = [
  'sale',
  'moToSale',
  'moToRefund',
  'tokenizeCard',
];

/**
 * An intermediary delivers a response twice, so that an order, a poll or a question about the status gets that of another payment.
 * Terminals are at work beside each other, and every other payment is a sale that is declined.
 */
export const deliveredTwice: Situation = (scenario, hostility, draw) => {
  const only: Focus['only'] = ['answer-delivered-twice'];
  const also = draw.pick<readonly FaultKind[]>([
    [],
    LOSSES,
    ['callback-late'],
    ['status-undefined', 'request-lost', 'poll-404'],
  ]);
  const actors = draw.pick<ActorName[]>([[], [], ['two-at-once'], ['restored-backup'], ['other-till-back-office']]);
  const at: Focus['at'] = draw.pick([START, 'GET /transaction-result', 'GET /transaction-result', 'GET /status']);
  const mixed: Scenario = {
    ...onlyThese(scenario, hostility, [...only, ...also], actors),
    focus: { at, only, alsoAt: draw.pick([undefined, START, 'GET /status']) },
    callbacks: at === START && draw.chance(0.3),
    isQuick: true,
  };
  const [operation, followUps] = [draw.pick(BESIDE), draw.pick([0, 1, 3])];
  const distance = draw.pick([0, 500, 5_000]);
  return withMessages(mixed, (message, place) => {
    const isDeclined = place % 2 === 0;
    const pay = oneByOne(isDeclined ? 'sale' : operation, {})(message, place);
    const terminal = TERMINALS[place % 2];
    return { ...pay, ...terminal, at: place * distance, ...(isDeclined ? { amount: DECLINED } : { followUps }) };
  });
};

type Copied = [at: Focus['at'], operation: Message['operation']];

/** Requests that something in between sends twice. */
const COPIED: readonly [Copied, ...Copied[]] = [
  ['POST /reversal', 'sale'],
  ['POST /reversal', 'preAuthorization'],
  ['POST /moto/reversal', 'moToSale'],
  ['POST /moto/refund', 'moToSale'],
  ['POST /moto/refund', 'saleAndTokenizeCard'],
  ['POST /moto/sale', 'saleAndTokenizeCard'],
  ['POST /preauthorization/capture', 'preAuthorization'],
  ['POST /preauthorization/increase', 'preAuthorization'],
  ['POST /transactions/tip-adjustment', 'sale'],
];

/** Only the answer to the copy of a request arrives. */
export const answeredCopies: Situation = (scenario, hostility, draw) => {
  const [at, operation] = draw.pick(COPIED);
  const only: Focus['only'] = ['answer-of-copy'];
  const also: readonly FaultKind[] = draw.pick([[], [], LOSSES, ['rate-limited'], ['status-record-missing']]);
  const actors = draw.pick<ActorName[]>([[], [], ['two-at-once'], ['other-till-back-office']]);
  const copied: Scenario = {
    ...onlyThese(scenario, hostility, [...only, ...also], actors),
    focus: { at, only },
    isQuick: true,
  };
  const pay = oneByOne(operation, { deadlineMs: draw.pick([undefined, 20_000]) });
  return withMessages(copied, (message, place) => ({ ...pay(message, place), followUps: 3 }));
};

/** Batches are closed, and the answers say otherwise. */
export const contradictedBatches: Situation = (scenario, hostility, draw) => {
  const only: Focus['only'] = ['answer-batch-open', 'answer-of-another'];
  const actors = draw.pick<ActorName[]>([[], ['other-till-batch']]);
  const closing: Scenario = {
    ...onlyThese(scenario, hostility, only, actors),
    focus: { at: 'POST /batch/close', only },
    isQuick: true,
    closesBatches: true,
  };
  return withMessages(closing, (message, place) => ({ ...oneByOne('sale', {})(message, place), followUps: 1 }));
};
