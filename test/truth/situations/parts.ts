import type { FaultKind } from '../../../src/simulator/index.js';
import type { ActorName } from '../actors/names.js';
import type { Draw } from '../draw.js';
import type { Hostility } from '../hostility.js';
import type { Focus, Message, Scenario, Upset } from '../scenario.js';
import { undisturbed } from '../undisturbed.js';

/** What several situations are made of. */

export type Situation = (scenario: Scenario, hostility: Hostility, draw: Draw) => Scenario;

const HOUR = 60 * 60_000;
/** Longer than a payment takes, ms. */
export const APART = 10 * 60_000;

export const START = 'POST /transactions';
/** Of this the bank approves a part. */
export const IN_PART = '3757';

export const LOSSES: readonly [FaultKind, ...FaultKind[]] = [
  'request-lost',
  'answer-lost',
  'server-error-before',
  'server-error-after',
];

/** What of the back office's answers proves nothing, and on which changes of what. */
type Unproven = [endpoint: string, operation: Message['operation'], FaultKind, ...FaultKind[]];
export const UNPROVEN: readonly [Unproven, ...Unproven[]] = [
  ['POST /preauthorization/capture', 'preAuthorization', 'capture-without-status'],
  ['POST /preauthorization/capture', 'preAuthorization', 'declined-with-200'],
  ['POST /reversal', 'sale', 'declined-with-200', 'code-30-with-200'],
  ['POST /transactions/tip-adjustment', 'sale', 'declined-with-200'],
  ['POST /preauthorization/increase', 'preAuthorization', 'increase-without-hold'],
  ['POST /moto/sale', 'saleAndTokenizeCard', 'moto-authorised-without-code', 'moto-00-without-code'],
];

/** Orders begin although they are answered 429, and what becomes of their callbacks is drawn too. */
export const BEGUN_DESPITE_429: Focus = {
  at: START,
  alsoAt: 'callback',
  only: ['repeated-request-throttled'],
  isRepeated: true,
  isNeverTwice: true,
};

const { isNeverTwice: _isNeverTwice, ...begunAgain } = BEGUN_DESPITE_429;
/** The same, any number of times. */
export const BEGUN_DESPITE_EACH_429: Focus = begunAgain;

/** Terminals and people behave; only what is named goes wrong. */
export function onlyThese(
  scenario: Scenario,
  hostility: Hostility,
  faults: readonly FaultKind[],
  actors: readonly ActorName[],
): Scenario & { hostility: Hostility } {
  return {
    ...undisturbed(scenario, []),
    calmAt: 4 * 24 * HOUR,
    fumbles: false,
    elsewhereMs: undefined,
    hostility: { ...hostility, faults, actors: new Set(actors) },
  };
}

export const withMessages = (scenario: Scenario, change: (message: Message, place: number) => Message): Scenario => ({
  ...scenario,
  messages: scenario.messages.map((message, place) => {
    const { cancelAfter: _cancelAfter, ...rest } = message;
    return change({ ...rest, extras: {} }, place);
  }),
});

/** So many times something happens to the process, at even distances. */
export const upsetsEvery = (ms: number, times: number, kind: Upset['kind']): Upset[] =>
  Array.from({ length: times }, (_, place) => ({ at: (place + 1) * ms, kind, nodesDeleted: false }));

/** One payment after the other, of which a reversal takes back the whole. */
export const oneByOne =
  (operation: Message['operation'], policies: Partial<Message['policies']>) =>
  (message: Message, place: number): Message => ({
    ...message,
    at: place * APART,
    operation,
    amount: '2500',
    policies: { ...message.policies, ...policies },
    followUps: 0,
  });
