import type { TimelineNote } from '../../operation/event.js';
import type { Transition } from '../step.js';
import type {
  BackOfficeEffect,
  BackOfficeEvent,
  BackOfficeEventType,
  BackOfficePhase,
  BackOfficeState,
} from './state.js';

export type BackOfficeTransition = Transition<BackOfficePhase, BackOfficeEvent, BackOfficeState, BackOfficeEffect>;

/** Who is asked what became of it. */
export const sourceOf = ({ baseline }: BackOfficeState): Pick<TimelineNote, 'source'> => ({
  source: baseline?.batch === undefined ? 'chain' : 'batch',
});

/** Events and phases that several transitions share. */

/** After these nobody knows whether a try has arrived. A try that was not sent is one where an earlier answer was lost. */
export const LOST: readonly BackOfficeEventType[] = ['answer-lost', 'restored', 'not-sent'];
/** {@link LOST}, and the answers to a later try: those say nothing of the try whose answer was lost. */
export const OPEN: readonly BackOfficeEventType[] = [...LOST, 'refused', 'answered', 'withdrawn'];
/** Phases in which the flow waits, and something may have been done. */
export const UNSETTLED: readonly BackOfficePhase[] = ['preparing', 'sending', 'retrying'];
/** Phases in which the chain is looked at. */
export const ASKED: readonly BackOfficePhase[] = ['reconciling', 'watching'];
