import { withoutAbsent } from '../../base/objects.js';
import { startsPayment } from '../../operation/kinds.js';
import { REVERSAL_UNPROVEN, secondReversed, type Verdict, verdictOf } from '../../operation/verdict.js';
import type { Guard as AnyGuard } from '../guard.js';
import { earlierStayOpen, earlierWereAsked, ownAttempt, wentBack } from './earlier-attempts.js';
import type { LifecycleEvent } from './event.js';
import { isApproval } from './learn-earlier.js';
import type { LifecycleState } from './state.js';
import { takeEarlier } from './updates.js';

/**
 * Another attempt was approved after the flow had been told of one. That one stays the operation's; the other goes back,
 * and callback-in hears of it once.
 */

type Guard = AnyGuard<LifecycleState, LifecycleEvent>;

export const isSecondApproval: Guard = (state, _now, event) =>
  event.type === 'terminal' &&
  event.earlier !== undefined &&
  isApproval(event) &&
  startsPayment(state.operation) &&
  state.reported === toldVerdict(state).outcome &&
  state.reversing === undefined &&
  !state.alarmed &&
  event.earlier !== ownAttempt(state) &&
  !wentBack(state, event.earlier);

/** A third one was approved: a person must look, as only one is taken back. */
export const isThirdApproval: Guard = (state, _now, event) => {
  if (event.type !== 'terminal' || event.earlier === undefined || !isApproval(event)) return false;
  const { operation, phase, reversing, alarmedAgain, earlierResults = {} } = state;
  if (!startsPayment(operation) || alarmedAgain || earlierResults[event.earlier] === 'ended') return false;
  // The latest has gone back, for the one that was approved before it.
  const isLatestBack = phase === 'closed' && reversing?.reason === 'second';
  const known = [ownAttempt(state), reversing?.second?.reference];
  return (reversing?.second !== undefined || isLatestBack) && !known.includes(event.earlier);
};

export const isTakingBackSecond: Guard = ({ reversing }) => reversing?.second !== undefined;

export const takeBackSecond = (_state: LifecycleState, now: number, event: LifecycleEvent): Partial<LifecycleState> => {
  if (event.type !== 'terminal' || event.earlier === undefined) return {};
  const second = withoutAbsent({ reference: event.earlier, transactionId: event.transactionId });
  return { reversing: { reason: 'second', since: now, second } };
};
export const alarmReversed = (state: LifecycleState): Partial<LifecycleState> => ({
  alarmed: true,
  alarm: secondReversed(toldVerdict(state)),
  isAlarmDue: true,
});
export const alarmThird = (): Partial<LifecycleState> => ({
  alarmedAgain: true,
  alarm: REVERSAL_UNPROVEN,
  isAlarmDue: true,
});
export const alarmUnproven = (): Partial<LifecycleState> => ({
  alarmed: true,
  alarm: REVERSAL_UNPROVEN,
  isAlarmDue: true,
});

/** The operation is approved, and another attempt may be as well: a person must look. */
export const alarmOpen = (state: LifecycleState): Partial<LifecycleState> =>
  earlierStayOpen(state) ? alarmThird() : {};

/** One more attempt before the latest was approved than the one that is the operation's. */
export const otherCanBeReversed: Guard = ({ operation, otherApproved, mayBeBackup }) =>
  startsPayment(operation) && otherApproved !== undefined && !mayBeBackup;
export const takeBackOther = (state: LifecycleState, now: number): Partial<LifecycleState> => ({
  ...takeEarlier(state),
  ...(state.isThirdCharged && alarmThird()),
  ...(state.otherApproved && { reversing: { reason: 'second', since: now, second: state.otherApproved } }),
});
/** The operation is what its approved attempt was; a person must look at the other one, where there is one, or may be. */
export const takeEarlierAlone = (
  state: LifecycleState,
  now: number,
  event: LifecycleEvent,
): Partial<LifecycleState> => {
  const { approvedEarlier, otherApproved } = state;
  const mayBeOther = approvedEarlier !== undefined && !earlierWereAsked(state, now, event);
  return { ...takeEarlier(state), ...((mayBeOther || otherApproved !== undefined) && alarmUnproven()) };
};

function toldVerdict({ operation, reported }: LifecycleState): Verdict {
  return verdictOf(operation, reported === 'partial' ? 'partial' : 'approved');
}
