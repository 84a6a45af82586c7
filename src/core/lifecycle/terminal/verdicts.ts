import type { Owed } from '../../operation/delivery-state.js';
import { NOT_CHARGED, refused, type Source, takenBack, type Verdict, verdictOf } from '../../operation/verdict.js';
import { terminalSays } from './guards.js';
import type { LifecycleEvent, LifecycleState } from './state.js';

/** What the flow is told when a row of the lifecycle fits. */

export type Says = (state: LifecycleState, event: LifecycleEvent) => Pick<Owed, 'verdict' | 'source' | 'mistake'>;

export const terminalVerdict: Says = ({ operation, terminal }) => ({
  verdict: verdictOf(operation, terminal?.meaning ?? 'undefined'),
  source: terminal?.via ?? 'poll',
});
export const gatewayVerdict: Says = ({ operation, gateway }) => ({
  verdict: verdictOf(operation, gateway === undefined || gateway.meaning === 'none' ? 'undefined' : gateway.meaning),
  source: 'status',
});
export const settledVerdict: Says = (state, event) =>
  terminalSays('declined', 'cancelled')(state, 0, event) ? terminalVerdict(state, event) : gatewayVerdict(state, event);
export const fixed =
  (verdict: Verdict, source: Source): Says =>
  () => ({ verdict, source });
export const refusal: Says = (_state, event) => ({
  verdict: refused(event.type === 'refused' ? event.error : undefined),
  source: 'answer',
  ...(event.type === 'refused' && event.refusal === 'mistake' ? { mistake: true } : {}),
});
export const notSent: Says = (_state, event) => ({
  verdict: { ...NOT_CHARGED, ...(event.type === 'not-sent' ? { error: event.error } : {}) },
  source: 'answer',
});
export const neverCharged: Says = ({ operation, terminal }) => ({
  verdict: terminal?.meaning === 'failed' ? verdictOf(operation, 'failed') : NOT_CHARGED,
  source: 'recovery',
});
export const lostTurn: Says = () => ({
  verdict: refused({
    code: '1001',
    name: 'TERMINAL_BUSY',
    message: 'an earlier operation of this environment still holds the terminal',
  }),
  source: 'answer',
});
export const neverBegun: Says = () => ({
  verdict: {
    ...NOT_CHARGED,
    error: { code: 'NOT_STARTED', name: 'NotStarted', message: 'the process ended before the request was sent' },
  },
  source: 'recovery',
});
export const takenBackVerdict: Says = ({ reversing }) => ({
  verdict: takenBack(reversing?.reason ?? 'late'),
  source: 'recovery',
});
