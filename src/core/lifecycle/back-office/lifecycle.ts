import { type Step, step, tableOf } from '../step.js';
import { isUnasked } from './guards.js';
import { learn } from './learn.js';
import type { BackOfficeEffect, BackOfficeEvent, BackOfficeState } from './state.js';
import { BACK_OFFICE_TRANSITIONS } from './transitions.js';

export * from './state.js';

const TABLE = tableOf(BACK_OFFICE_TRANSITIONS);

/** The next state of an operation that needs no terminal, and what has to be done for it. @param now epoch ms */
export function stepBackOffice(
  before: BackOfficeState,
  event: BackOfficeEvent,
  now: number,
): Step<BackOfficeState, BackOfficeEffect> {
  const taken = step(TABLE, learn, before, event, now);
  // A cancellation that has to wait for the status service is known to the next process.
  const isPostponed = isUnasked(taken.state, now, event) && taken.state.stopWanted !== before.stopWanted;
  return isPostponed ? { ...taken, effects: ['save', ...taken.effects] } : taken;
}
