import type { TransactionOperation } from '../../../src/core/api/schema/operation-rules.js';
import {
  begin,
  type LifecycleEvent,
  type LifecycleState,
  stepTerminal,
} from '../../../src/core/lifecycle/terminal/lifecycle.js';
import { DEFAULT_POLICIES } from '../../harness/payments.js';

export const TOO_MANY = { code: '429', name: 'TooManyRequestsError', message: 'Too many requests' };

/** The result of an earlier attempt. */
export const earlierApproval = (id: string): LifecycleEvent => ({
  type: 'terminal',
  meaning: 'approved',
  via: 'callback',
  earlier: id,
  transactionId: id,
});

/** The result of the latest attempt. */
export const latestApproval: LifecycleEvent = {
  type: 'terminal',
  meaning: 'approved',
  via: 'callback',
  transactionId: 'latest',
};

/** All but the last of `count` attempts were answered 429, one every two seconds, and the last was accepted. */
export function attempts(count: number, policies = {}, operation: TransactionOperation = 'sale'): LifecycleState {
  let state = begin(operation, { ...DEFAULT_POLICIES, exclusiveTerminal: false, ...policies }, true, 0);
  for (let place = 0; place < count - 1; place++) {
    const at = place * 2000;
    state = stepTerminal(state, { type: 'refused', refusal: 'throttled', error: TOO_MANY }, at).state;
    state = stepTerminal(state, { type: 'tick' }, at + 1000).state;
    state = stepTerminal(state, { type: 'leaving' }, at + 1000).state;
  }
  return stepTerminal(state, { type: 'accepted' }, (count - 1) * 2000).state;
}

/** What comes of `events`, each at its time in ms. */
export const after = (state: LifecycleState, ...events: readonly [LifecycleEvent, number][]): LifecycleState =>
  events.reduce((known, [event, at]) => stepTerminal(known, event, at).state, state);
