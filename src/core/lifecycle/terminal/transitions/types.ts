import type { Transition } from '../../step.js';
import type { EventType, LifecycleEvent } from '../event.js';
import type { Effect, LifecycleState, Phase } from '../state.js';

export type TerminalTransition = Transition<Phase, LifecycleEvent, LifecycleState, Effect>;

/** Events after which it may be known how an operation ended. */
export const TRUTH: readonly EventType[] = [
  'terminal',
  'gateway',
  'earlier',
  'idle',
  'offline',
  'stop-tried',
  'result-gone',
  'tick',
  'accepted',
  'answer-lost',
  'restored',
];
/** Phases in which a card may have been, or may still be, presented. */
export const UNSETTLED: readonly Phase[] = ['sending', 'waiting', 'watching'];
/** {@link UNSETTLED}, and the phases in which an attempt that was refused may have begun all the same. */
export const HEARD: readonly Phase[] = ['pausing', 'listening', ...UNSETTLED];
/** Phases in which the status service is asked. */
export const ASKED: readonly Phase[] = ['waiting', 'watching'];
