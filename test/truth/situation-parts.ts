import type { FaultKind } from '../../src/simulator/index.js';
import type { Focus } from './scenario.js';

/** What several situations are made of. */

export const START = 'POST /transactions';

export const LOSSES: readonly [FaultKind, ...FaultKind[]] = [
  'request-lost',
  'answer-lost',
  'server-error-before',
  'server-error-after',
];

/** Orders begin although they are answered 429, and what becomes of their callbacks is drawn too. */
export const BEGUN_DESPITE_429: Focus = {
  at: START,
  alsoAt: 'callback',
  only: ['repeated-request-throttled'],
  isRepeated: true,
  isNeverTwice: true,
};
