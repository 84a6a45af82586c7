import { CARD_WINDOW, LAST_ANSWER, RECOVERY_LIMIT, SECOND_LOOK } from '../../base/timings.js';
import { movesMoney } from '../../operation/kinds.js';
import { toldAfterRestart } from '../told-by.js';
import { attemptsProvedBy } from './attempts.js';
import { countedFrom, type LifecycleState } from './state.js';

/** When the flow hears that nobody says how an operation ended. */

/** So long after a restart a terminal can be proved idle, and the status service asked for what it did. */
const ASKING = CARD_WINDOW + LAST_ANSWER;

/** When an operation that moves no money ends without an answer; undefined for what moves money. Epoch ms. */
export function harmlessUntil(state: LifecycleState): number | undefined {
  if (movesMoney(state.operation)) return undefined;
  const { operation, toldBy = Number.POSITIVE_INFINITY } = state;
  const readsCard = operation === 'tokenizeCard' || operation === 'cardPan';
  return Math.min(toldBy, countedFrom(state) + (readsCard ? CARD_WINDOW : LAST_ANSWER));
}

/** When the flow is told at the latest that nobody can say how it ended. Epoch ms. */
export function unknownFrom(state: LifecycleState): number {
  const { toldBy = Number.POSITIVE_INFINITY } = state;
  return harmlessUntil(state) ?? Math.min(toldBy, countedFrom(state) + RECOVERY_LIMIT + LAST_ANSWER);
}

/**
 * When the process that the journal's record is of would have told the flow, epoch ms; undefined where it had nothing to
 * tell. What waits for a busy terminal may have the time of one process more, which has to ask all anew.
 */
export function wasToBeToldBy(state: LifecycleState): number | undefined {
  switch (state.phase) {
    case 'sending':
    case 'waiting':
      return unknownFrom(state);
    case 'pausing':
      return state.toldBy ?? attemptsProvedBy(state) + 2 * LAST_ANSWER;
    default:
      return undefined;
  }
}

/**
 * When the process that takes it up tells the flow. A process that came late has asked instead of telling; the next one does
 * not take that time again, or processes that die over it would leave the flow without a word.
 * @param now epoch ms
 */
export function toldByAfterRestart(state: LifecycleState, now: number): number | undefined {
  const due = wasToBeToldBy(state);
  if (due === undefined) return undefined;
  const isFirst = state.toldBy === undefined && state.restoredAt === undefined;
  const byTheFirst = isFirst ? due : (wasToBeToldBy({ ...state, toldBy: undefined, restoredAt: undefined }) ?? due);
  return toldAfterRestart(due, now, due > byTheFirst ? SECOND_LOOK : ASKING);
}
