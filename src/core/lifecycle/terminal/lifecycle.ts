import { type Step, step, tableOf } from '../step.js';
import type { LifecycleEvent } from './event.js';
import { learn } from './learn.js';
import type { Effect, LifecycleState } from './state.js';
import { TERMINAL_TRANSITIONS } from './transitions.js';

export * from './event.js';
export * from './state.js';

const TABLE = tableOf(TERMINAL_TRANSITIONS);

/** The next state of an operation on a terminal, and what has to be done for it. @param now epoch ms */
export function stepTerminal(before: LifecycleState, event: LifecycleEvent, now: number): Step<LifecycleState, Effect> {
  const taken = step(TABLE, learn, before, event, now);
  const { state, effects } = taken;
  // A record may vanish for good, and a result is kept for some time only. A process that did not know of it could take the
  // payment for never made.
  const isNews = recordsIn(state) > recordsIn(before) || state.terminal?.meaning !== before.terminal?.meaning;
  // A cancellation that has to wait for an answer is known to the next process.
  const isPostponed = state.unasked === true && state.stopWanted !== before.stopWanted;
  return (isNews || isPostponed) && !effects.includes('save') ? { ...taken, effects: ['save', ...effects] } : taken;
}

/** How many attempts the status service has shown. */
function recordsIn({ gateway, earlier }: LifecycleState): number {
  const ofLatest = gateway !== undefined && gateway.meaning !== 'none' ? 1 : 0;
  return ofLatest + (earlier?.shown?.length ?? 0);
}
