import { isMistake } from '../../operation/refusal.js';
import {
  mayBeDone,
  NOT_CHARGED,
  NOT_STARTED,
  NOT_STARTED_ELSEWHERE,
  PROVISIONAL,
  reversedByPolicy,
  SERVICE_CHANGED,
  type Source,
  secondReversed,
  UNKNOWN,
  type Verdict,
  verdictWithoutEnd,
  withOtherAmount,
} from '../../operation/verdict.js';
import { busyUnproven, refusalVerdict, verdictOf } from '../../operation/verdict-of.js';
import type { VerdictSource as AnyVerdictSource } from '../verdict-source.js';
import { someEarlier } from './earlier-attempts.js';
import type { LifecycleEvent } from './event.js';
import { failedWithoutMoney, terminalDenies } from './guards.js';
import type { LifecycleState } from './state.js';

/** What the flow is told when a transition is taken. */

export type VerdictSource = AnyVerdictSource<LifecycleState, LifecycleEvent>;

/** A fixed verdict. What moves no money has moved none, however it ended. */
export const fixed =
  (verdict: Verdict, source: Source): VerdictSource =>
  ({ operation }) => ({ verdict: verdictWithoutEnd(operation, verdict), source });
export const terminalVerdict: VerdictSource = (state) => {
  const { operation, terminal, gateway } = state;
  const verdict = withReversal(state, verdictOf(operation, terminal?.meaning ?? 'undefined', terminal));
  return {
    verdict: terminal?.amountDiffers || gateway?.isTwice ? withOtherAmount(verdict) : verdict,
    source: terminal?.via ?? 'poll',
  };
};
export const gatewayVerdict: VerdictSource = (state) => {
  const { operation, gateway } = state;
  const meaning = gateway === undefined || gateway.meaning === 'none' ? 'undefined' : gateway.meaning;
  const verdict = withReversal(state, verdictOf(operation, meaning, gateway));
  return { verdict: gateway?.amountDiffers ? withOtherAmount(verdict) : verdict, source: 'status' };
};
/** The gateway has approved it, and its terminal has not confirmed that. */
export const provisional: VerdictSource = (state) => ({
  verdict: withReversal(state, PROVISIONAL),
  source: 'status',
});
export const settledVerdict: VerdictSource = (state, event) =>
  terminalDenies('declined', 'cancelled')(state, 0, event)
    ? terminalVerdict(state, event)
    : gatewayVerdict(state, event);
export const failedVerdict: VerdictSource = (state, event) =>
  failedWithoutMoney(state, 0, event) ? terminalVerdict(state, event) : gatewayVerdict(state, event);
export const refusal: VerdictSource = (_state, event) => ({
  verdict: event.type === 'refused' ? refusalVerdict(event.error, event) : refusalVerdict(undefined),
  source: 'answer',
  ...(event.type === 'refused' && isMistake(event.refusal) ? { mistake: true } : {}),
});
export const busyVerdict: VerdictSource = ({ busy }) => ({ verdict: refusalVerdict(busy?.error), source: 'answer' });
/** Nothing of ours keeps the terminal busy any more, and the flow does not wait for it. */
export const givenUpVerdict: VerdictSource = (state, event) =>
  state.stopWanted ? { verdict: verdictOf(state.operation, 'cancelled'), source: 'answer' } : busyVerdict(state, event);
export const busyUnprovenVerdict: VerdictSource = ({ busy }) => ({
  verdict: busyUnproven(busy?.error),
  source: 'answer',
});
export const throttledUnprovenVerdict: VerdictSource = ({ throttled }) => ({
  verdict: busyUnproven(throttled?.error),
  source: 'answer',
});
/** Nobody could say in time; where the service that was asked first cannot be asked, that is why. */
export const unknown: VerdictSource = (state, event) =>
  fixed(state.serviceChanged ? SERVICE_CHANGED : UNKNOWN, 'recovery')(state, event);
/** Nothing of it was sent, and nothing will be. */
export const neverStarted: VerdictSource = (state, event) =>
  fixed(state.serviceChanged ? NOT_STARTED_ELSEWHERE : NOT_STARTED, 'recovery')(state, event);
export const endingVerdict: VerdictSource = ({ ending }) => ({ verdict: NOT_CHARGED, ...ending, source: 'answer' });
/** What was not told as long as an attempt could still begin. */
export const heldBackVerdict: VerdictSource = (state, event) =>
  state.ending === undefined ? busyVerdict(state, event) : endingVerdict(state, event);
export const notSent: VerdictSource = (_state, event) => ({
  verdict: { ...NOT_CHARGED, ...(event.type === 'not-sent' ? { error: event.error } : {}) },
  source: 'answer',
});
export const neverCharged: VerdictSource = ({ operation, terminal, perhapsSent }) => {
  const nothing = perhapsSent && terminal === undefined ? NOT_STARTED : NOT_CHARGED;
  return {
    verdict: terminal?.meaning === 'failed' ? verdictOf(operation, 'failed', terminal) : nothing,
    source: 'recovery',
  };
};
export const lostTurn: VerdictSource = () => ({
  verdict: refusalVerdict({
    code: '1001',
    name: 'TERMINAL_BUSY',
    message: 'an earlier operation of this environment is still using the terminal',
  }),
  source: 'answer',
});
/** The approval of an earlier attempt; what the later one charged has gone back by now. */
export const earlierVerdict: VerdictSource = (state) => {
  const { operation, approvedEarlier, reversing } = state;
  const first = withReversal(state, verdictOf(operation, approvedEarlier?.meaning ?? 'undefined'));
  const wentBack = reversing !== undefined && reversing.second === undefined && !reversing.isLeft;
  const verdict = wentBack ? secondReversed(first) : first;
  return {
    verdict: approvedEarlier?.amountDiffers ? withOtherAmount(verdict) : verdict,
    source: approvedEarlier?.via ?? 'callback',
  };
};
export const reversedVerdict: VerdictSource = (state, event) => {
  if (state.approvedEarlier !== undefined) return earlierVerdict(state, event);
  return { verdict: reversedByPolicy(state.reversing?.reason === 'partial' ? 'partial' : 'late'), source: 'recovery' };
};

/** Of two approved attempts one went back, and this is about the other. */
function withReversal(state: LifecycleState, verdict: Verdict): Verdict {
  const hasOneBack = state.latestWentBack || (verdict.final && someEarlier(state, 'returned'));
  return hasOneBack && mayBeDone(verdict) ? secondReversed(verdict) : verdict;
}
