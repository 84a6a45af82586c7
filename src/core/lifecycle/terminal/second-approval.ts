import { withoutAbsent } from '../../base/objects.js';
import { isSameId } from '../../base/same-id.js';
import { startsPayment } from '../../operation/kinds.js';
import { REVERSAL_UNPROVEN, secondReversed, type Verdict } from '../../operation/verdict.js';
import { verdictOf } from '../../operation/verdict-of.js';
import type { Guard as AnyGuard } from '../guard.js';
import {
  asksOthers,
  earlierStayOpen,
  earlierWereAsked,
  endedAttempts,
  hasUnreadEarlier,
  othersAskedUntil,
  ownAttempt,
  takeBackEarlier,
  takeUpEarlier,
  wentBack,
} from './earlier-attempts.js';
import type { LifecycleEvent } from './event.js';
import { lookLater } from './later-look.js';
import { chargesIn, isApproval } from './learn-earlier.js';
import { type LifecycleState, mayTakeBack } from './state.js';
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
  !isToldTransaction(state, event) &&
  !wentBack(state, event.earlier);

/** It is the charge that the flow was told of: two attempts show the same transaction. */
function isToldTransaction(
  { transactionId: told }: LifecycleState,
  { transactionId: named }: { transactionId?: string },
): boolean {
  return !!told && isSameId(told, named);
}

/** A third one was approved: a person must look, as only one is taken back. */
export const isThirdApproval: Guard = (state, _now, event) => {
  if (event.type !== 'terminal' || event.earlier === undefined || !isApproval(event)) return false;
  const { operation, phase, reversing, alarmedAgain } = state;
  if (!startsPayment(operation) || alarmedAgain || endedAttempts(state).includes(event.earlier)) return false;
  // The latest has gone back, for the one that was approved before it.
  const isLatestBack = phase === 'closed' && reversing?.reason === 'second';
  const known = [ownAttempt(state), state.earlier?.reference, reversing?.second?.reference];
  return (reversing?.second !== undefined || isLatestBack) && !known.includes(event.earlier);
};

/** The status service shows one beside that which goes back. */
export const isThirdShown: Guard = ({ reversing, alarmedAgain, isThirdCharged, earlier }) => {
  if (!reversing?.asksOthers || alarmedAgain) return false;
  const shown = earlier?.meaning === 'approved' ? chargesIn(earlier) : [];
  return isThirdCharged === true || shown.some(({ reference }) => reference !== reversing.second?.reference);
};

/** Whether a third one was charged nobody has said, or what it shows leaves that open. */
const thirdMayBeCharged = (state: LifecycleState): boolean => {
  const { reversing, alarmedAgain, earlier } = state;
  if (!reversing?.asksOthers || alarmedAgain) return false;
  if (hasUnreadEarlier(state)) return true;
  const meaning = earlier?.meaning === 'approved' ? earlier.others : earlier?.meaning;
  return asksOthers(state) || (earlier?.noneAt !== undefined && meaning !== 'none');
};

export const isTakingBackSecond: Guard = ({ reversing }) => reversing?.second !== undefined;

/** The second charge has gone back, and the others were asked for once more, or nobody says what became of them. */
export const isSecondBack: Guard = (state, now, { type }) =>
  state.reversing?.second !== undefined &&
  (type === 'reversed' || state.reversing?.isBack === true) &&
  (!asksOthers(state) || now >= othersAskedUntil(state));
export const noteBack = ({ reversing }: LifecycleState): Partial<LifecycleState> =>
  reversing === undefined ? {} : { reversing: { ...reversing, isBack: true } };
export const isNotBack: Guard = ({ reversing }) => reversing?.isBack !== true;

export const takeBackSecond = (_state: LifecycleState, now: number, event: LifecycleEvent): Partial<LifecycleState> => {
  if (event.type !== 'terminal' || event.earlier === undefined) return {};
  const second = withoutAbsent({ reference: event.earlier, transactionId: event.transactionId });
  return { reversing: { reason: 'second', since: now, second } };
};
export const alarmReversed = (state: LifecycleState): Partial<LifecycleState> => {
  if (thirdMayBeCharged(state)) return { alarmed: true, ...alarmAgain() };
  // That a person must look at a third one counts for more, and nobody has heard it yet.
  if (state.isAlarmDue) return { alarmed: true };
  return { ...noteBack(state), alarmed: true, alarm: secondReversed(toldVerdict(state)), isAlarmDue: true };
};
export const alarmAgain = (): Partial<LifecycleState> => ({
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
export const alarmOpen = (state: LifecycleState, now: number, event: LifecycleEvent): Partial<LifecycleState> =>
  !earlierWereAsked(state, now, event) || earlierStayOpen(state) ? alarmAgain() : lookLater(state, now, event);

/** One more attempt before the latest was approved than the one that is the operation's. */
export const otherCanBeReversed: Guard = (state) => mayTakeBack(state) && state.otherApproved !== undefined;
export const takeBackOther = (state: LifecycleState, now: number): Partial<LifecycleState> => ({
  ...takeEarlier(state),
  ...(state.isThirdCharged && alarmAgain()),
  ...(state.otherApproved && {
    reversing: { reason: 'second', since: now, second: state.otherApproved, asksOthers: true },
  }),
});
/**
 * The latest has gone back, and two before it were approved: the first of them is the operation's, and the other one is too much.
 * Where late approvals go back by the policy of the flow, the first one would as well, and a person looks instead.
 */
export const twoAreLeft: Guard = (state) =>
  mayTakeBack(state) &&
  state.policies.lateApproval !== 'reverse' &&
  state.otherApproved !== undefined &&
  state.approvedEarlier?.meaning === 'approved' &&
  !state.approvedEarlier.amountDiffers;
export const takeUpFirstOfTwo = (state: LifecycleState, now: number): Partial<LifecycleState> => {
  const { approvedEarlier, otherApproved, earlier } = state;
  const approved = { meaning: 'approved' as const, askedAt: 0 };
  const { reference, transactionId } = approvedEarlier ?? {};
  const { shown } = earlier ?? {};
  const first = withoutAbsent({
    ...approved,
    reference,
    transactionId,
    isOwn: true as const,
    other: otherApproved,
    shown,
  });
  const taken = takeUpEarlier({ ...state, earlier: first }, now);
  // That the other one was charged stays known: the service may not show it again.
  const other = withoutAbsent({ ...approved, ...otherApproved, shown: taken.earlier?.shown });
  return { ...taken, earlier: other, approvedEarlier: undefined, otherApproved: undefined };
};
/** What showed of another attempt after the flow had been told. */
export const takeBackLater = (state: LifecycleState, now: number): Partial<LifecycleState> =>
  state.otherApproved === undefined
    ? { ...takeBackEarlier(state, now), ...(state.earlier?.other !== undefined && alarmAgain()) }
    : takeBackOther(state, now);
/** The operation is what its approved attempt was; a person must look at the other one, where there is one, or may be. */
export const takeEarlierAlone = (
  state: LifecycleState,
  now: number,
  event: LifecycleEvent,
): Partial<LifecycleState> => {
  const { approvedEarlier, otherApproved, isThirdCharged } = state;
  const isOther = otherApproved !== undefined || isThirdCharged;
  const mayBeOther = approvedEarlier !== undefined && (!earlierWereAsked(state, now, event) || hasUnreadEarlier(state));
  return { ...takeEarlier(state), ...(isOther || mayBeOther ? alarmUnproven() : lookLater(state, now, event)) };
};

function toldVerdict({ operation, reported }: LifecycleState): Verdict {
  return verdictOf(operation, reported === 'partial' ? 'partial' : 'approved');
}
