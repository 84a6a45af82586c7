import { changed, withoutAbsent } from '../../base/objects.js';
import { READ_DEADLINE, RECOVERY_LIMIT, SECOND_LOOK, SETTLING_LAG } from '../../base/timings.js';
import { isDoneOnce, kindOf, movesMoney } from '../../operation/kinds.js';
import { isNegative, type Meaning, type Reading } from '../../operation/result-meaning.js';
import type { Guard as AnyGuard } from '../guard.js';
import type { EarlierAnswer, LifecycleEvent } from './event.js';
import {
  countedFrom,
  decidedFrom,
  type EarlierResult,
  type LifecycleState,
  mayTakeBack,
  watchEndsFrom,
} from './state.js';

/**
 * The attempts before the latest, once that has begun. One that was refused as busy may have charged and not show yet, so
 * all of them are asked for again: after the start of the latest before its approval is told, and after its end before the
 * flow hears that nothing was charged.
 */

type Guard = AnyGuard<LifecycleState, LifecycleEvent>;

const ENDS: ReadonlySet<EarlierResult | undefined> = new Set(['ended', 'returned'] as const);

/** Nothing turns a FAILED into an approval from then on, and no card is presented any more. Epoch ms. */
export const limitShowsFrom = (state: LifecycleState): number => countedFrom(state) + SETTLING_LAG + RECOVERY_LIMIT;
/**
 * One that the terminal ran had ended when the terminal began with the latest: from then on it shows. Where one of several was
 * found, the terminal may have begun with any of the others after it. Epoch ms.
 */
const startShowsFrom = (state: LifecycleState): number =>
  state.isFound ? limitShowsFrom(state) : countedFrom(state) + SETTLING_LAG;
/** From then on everything about all of them has arrived. Epoch ms. */
const allShowFrom = (state: LifecycleState): number =>
  state.isFound || state.mayBeFollowed ? Math.max(decidedFrom(state), limitShowsFrom(state)) : decidedFrom(state);

/** References of those that have ended without a charge, by their own results, or whose charge went back. */
export function endedAttempts({ earlierResults = {} }: Pick<LifecycleState, 'earlierResults'>): string[] {
  return Object.keys(earlierResults).filter((reference) => ENDS.has(earlierResults[reference]));
}

/** What the own result of one of them says. */
export function someEarlier({ earlierResults = {} }: LifecycleState, says: EarlierResult): boolean {
  return Object.values(earlierResults).includes(says);
}

/** References of those whose end is known: they need not be asked for. */
export function knownAttempts(state: LifecycleState): string[] {
  const { approvedEarlier } = state;
  return [...endedAttempts(state), ...(approvedEarlier === undefined ? [] : [approvedEarlier.reference])];
}

/**
 * The status service can be asked about them: each by its own reference, or all together in the chain of their original. A
 * reference that the result of the latest has named says nothing of the others.
 */
function canBeAskedAbout({ traceable, traceableBy, operation }: LifecycleState): boolean {
  // What was held before nobody has noted, so that no chain says how often a hold was increased.
  return traceable || (traceableBy === 'original' && kindOf(operation) !== 'hold-change');
}

/** There are some that may have charged, beside a latest one that has begun, and one that is known to have charged. */
function areOpen(state: LifecycleState): boolean {
  const { phase, otherApproved, retries = 0 } = state;
  // Until one of them has begun all of them are asked for together.
  const isUndecided = phase === 'pausing' || phase === 'listening';
  const known = knownAttempts(state).length + (otherApproved === undefined ? 0 : 1);
  return canBeAskedAbout(state) && !isUndecided && known < retries;
}

/** Beside an attempt that has begun there are others which may have charged: asked for as soon as it is looked after. */
export const othersMayHaveCharged: Guard = (state) =>
  state.unprovenAttempts === true && areOpen({ ...state, phase: 'waiting' });

/** One before the latest may be what the chain of their original shows. */
export function othersMayBeMeant(state: LifecycleState): boolean {
  return state.unprovenAttempts === true && areOpen(state);
}

/** The status service has no record of them, and none has failed: nothing of them comes any more. */
function leftNothing(state: LifecycleState): boolean {
  return state.earlier?.meaning === 'none' && !someEarlier(state, 'failed');
}

const askedSince = ({ earlier }: LifecycleState, from: number): boolean => (earlier?.askedAt ?? 0) >= from;

/** What it answers is known from then on. That it has no record of them, two answers have to say: one may miss it. */
export function isKnownFrom(state: LifecycleState, from: number): boolean {
  const { meaning, noneAt = 0 } = state.earlier ?? {};
  return askedSince(state, from) && (meaning !== 'none' || noneAt >= from);
}

/** An answer to a question from then on counts as a second one. Epoch ms. */
export function secondLookFrom(earlier: EarlierAnswer | undefined): number {
  return earlier === undefined ? 0 : (earlier.lastAskedAt ?? earlier.askedAt) + SECOND_LOOK;
}

/** One of them goes back, and the engine has to ask once more whether another one has charged. */
export function asksOthers(state: LifecycleState): boolean {
  const { reversing, alarmedAgain, earlier, earlierResults, retries = 0 } = state;
  if (reversing?.second === undefined || !reversing.asksOthers || alarmedAgain) return false;
  if (earlier?.noneAt !== undefined) return false;
  const { [reversing.second.reference]: _second, ...others } = earlierResults ?? {};
  return knownAttempts({ ...state, earlierResults: others }).length + 1 < retries;
}

/** The engine waits until then for an answer about the others. A new process waits anew. Epoch ms. */
export function othersAskedUntil(state: LifecycleState): number {
  const { reversing, restoredAt = 0 } = state;
  return Math.max(reversing?.since ?? 0, restoredAt, startShowsFrom(state)) + SECOND_LOOK + READ_DEADLINE;
}

/** When they are to be asked for; undefined while that would teach nothing. Epoch ms. */
export function earlierAskedFrom(state: LifecycleState): number | undefined {
  const { unprovenAttempts, earlier, phase, reversing } = state;
  if (state.looksAgain && phase === 'closed') return Math.max(secondLookFrom(earlier), limitShowsFrom(state));
  if (asksOthers(state)) return Math.max(secondLookFrom(earlier), startShowsFrom(state));
  if (reversing?.second !== undefined) return undefined;
  if (!areOpen(state) || earlier?.meaning === 'approved') return undefined;
  const isOpen = earlier !== undefined && !leftNothing(state);
  const unshown = unprovenAttempts ? [startShowsFrom(state)].filter((from) => !isKnownFrom(state, from)) : [];
  const unknown = [allShowFrom(state), ...(isOpen ? [limitShowsFrom(state)] : [])].filter(
    (from) => !isKnownFrom(state, from),
  );
  if (phase === 'watching' && !areKnownAtEnd(state)) unknown.push(watchEndsFrom(state));
  if (unshown.length + unknown.length === 0) return undefined;
  // What a first look did not show gets a second one, and one that came sooner would not count as that.
  return Math.max(secondLookFrom(earlier), Math.min(...unshown, ...unknown));
}

/** One of them was approved, says the status service. */
export function earlierCharged({ earlier }: LifecycleState): boolean {
  return earlier?.meaning === 'approved';
}

/** None of them has charged or will: asked when the latest had ended, and everything about it had arrived. */
export function earlierChargedNothing(state: LifecycleState): boolean {
  const { earlier, serviceChanged, perhapsSent, traceable, approvedEarlier } = state;
  if (approvedEarlier !== undefined) return false;
  // After the one that a backup of the journal knows others may have followed, and nobody can be asked about them.
  if (perhapsSent && !traceable) return false;
  if (!areOpen(state)) return true;
  if (earlier === undefined || serviceChanged || !isKnownFrom(state, allShowFrom(state))) return false;
  const isPast = isKnownFrom(state, limitShowsFrom(state));
  return leftNothing(state) || (isPast && (earlier.meaning === 'none' || earlier.meaning === 'failed'));
}

/** They were asked for after the end of the watch, or nobody has to ask. */
export const earlierHaveLastAnswer: Guard = (state) =>
  !areOpen(state) || state.earlier?.meaning === 'approved' || areKnownAtEnd(state);

/** A record that leaves its end open, or is missing from this one answer, may say more the next time: no last answer. */
function areKnownAtEnd(state: LifecycleState): boolean {
  return state.earlier?.meaning !== 'undefined' && isKnownFrom(state, watchEndsFrom(state));
}

/** Known either way: what goes back by the flow's policy is told as "nothing was charged". */
export function earlierAreKnown(state: LifecycleState): boolean {
  return earlierCharged(state) || earlierChargedNothing(state);
}

/** What goes back by the flow's policy ends nothing while another attempt may have charged; a new process asks anew. */
export function earlierAllowReversal(state: LifecycleState): boolean {
  return state.approvedEarlier !== undefined || state.reversing?.second !== undefined || earlierAreKnown(state);
}

/** Nothing says that one of them was approved beside the latest, or what they did is what the latest did. */
export const earlierWereAsked: Guard = (state) => {
  const { operation, unprovenAttempts, earlier } = state;
  if (!unprovenAttempts || !areOpen(state) || isDoneOnce(operation)) return true;
  if (earlier === undefined || earlier.meaning === 'approved' || !isKnownFrom(state, startShowsFrom(state)))
    return false;
  return leftNothing(state) || askedSince(state, limitShowsFrom(state));
};

/** They are asked for twice before an approval is told, which takes no longer than a few seconds where they are answered. */
export const earlierAreBeingAsked: Guard = (state, now, event) =>
  !earlierWereAsked(state, now, event) && now < startShowsFrom(state) + SECOND_LOOK + READ_DEADLINE;

/** What one of them did stays open: its record never said how it ended, or has vanished; or nobody could read its own result. */
export function earlierStayOpen(state: LifecycleState): boolean {
  const mayBeDoneTwice = state.unprovenAttempts === true && areOpen(state) && !isDoneOnce(state.operation);
  const hasOpenRecord = mayBeDoneTwice && state.earlier?.meaning === 'undefined';
  return hasOpenRecord || hasUnreadEarlier(state);
}

/** The own result of one of them may be an approval that nobody could read, and nothing else shows what became of it. */
export function hasUnreadEarlier(state: LifecycleState): boolean {
  const own = ownAttempt(state);
  return movesMoney(state.operation) && unreadEarlier(state).some((reference) => reference !== own);
}

/** References of those whose own result may be an approval that nobody could read, and which nothing else shows as charged. */
export function unreadEarlier(state: LifecycleState): string[] {
  const { earlierResults = {}, approvedEarlier, otherApproved, reversing, earlier } = state;
  const charges = [approvedEarlier, otherApproved, earlier, earlier?.other, reversing?.second];
  const charged = charges.map((charge) => charge?.reference);
  const unread = Object.keys(earlierResults).filter((reference) => earlierResults[reference] === 'unclear');
  return unread.filter((reference) => !charged.includes(reference));
}

/** Of several earlier attempts one was approved: what became of the others is known, or nobody has said when asked last. */
export const othersAreKnown: Guard = (state, now, event) =>
  state.approvedEarlier === undefined ||
  state.otherApproved !== undefined ||
  earlierWereAsked(state, now, event) ||
  now >= limitShowsFrom(state) + READ_DEADLINE;

export const earlierCanBeReversed: Guard = (state) =>
  mayTakeBack(state) && !!state.earlier?.transactionId && state.reversing === undefined;

/** The flow is told of the latest; the earlier one goes back. */
export const takeBackEarlier = ({ earlier }: LifecycleState, now: number): Partial<LifecycleState> => {
  const { reference = '', transactionId } = earlier ?? {};
  const second = withoutAbsent({ reference, transactionId });
  return { reversing: { reason: 'second', since: now, second, asksOthers: true } };
};

/** The latest has charged nothing, so the operation is what the earlier one was. What was learned of the latest goes. */
export const takeUpEarlier = (
  { earlier, endedAt, reversing, latestWentBack, earlierResults = {}, unprovenAttempts, retries = 0 }: LifecycleState,
  now: number,
): Partial<LifecycleState> => ({
  takenUp: earlier?.reference,
  // The latest is one of those that have ended from now on.
  unprovenAttempts: endedAttempts({ earlierResults }).length + 1 < retries ? unprovenAttempts : undefined,
  latestWentBack: reversing === undefined ? latestWentBack : true,
  earlier: besideTaken(earlier),
  // That there was a charge is known; what has become of it has to be asked.
  gateway: { meaning: 'undefined', askedAt: 0 },
  attemptAt: now,
  endedAt: endedAt ?? now,
  terminal: earlier?.isOwn && { meaning: 'approved', via: 'callback', at: now, isLate: true },
  reversing: undefined,
  // How the latest was answered says nothing about the one that takes its place.
  latestNotBegun: undefined,
  latestRefused: undefined,
  isProcessing: undefined,
  resultId: undefined,
  transactionId: earlier?.transactionId,
});

/** The others are asked for anew, and what showed of them may have vanished by then. */
function besideTaken({ reference, other, shown = [] }: Partial<EarlierAnswer> = {}): EarlierAnswer | undefined {
  const beside = [...new Set([...shown, ...(other === undefined ? [] : [other.reference])])];
  const left = beside.filter((one) => one !== reference);
  if (other?.isOwn) return { meaning: 'approved', askedAt: 0, ...withoutAbsent(other), shown: left };
  return left.length === 0 ? undefined : { meaning: 'undefined', askedAt: 0, shown: left };
}

/** The latest charged nothing, or that has gone back: from now on it is an earlier one that has ended. */
export function withEnded(state: LifecycleState, reference = ''): LifecycleState {
  return { ...state, earlierResults: { ...state.earlierResults, [reference]: 'ended' } };
}

/** The reference of the attempt that is the operation's; undefined where that is the latest. */
export function ownAttempt({ approvedEarlier, takenUp }: LifecycleState): string | undefined {
  return approvedEarlier?.reference ?? takenUp;
}

/** What it charged has gone back as we asked. */
export function wentBack({ latestWentBack, earlierResults = {} }: LifecycleState, reference: string): boolean {
  const result = earlierResults[reference];
  return result === 'returned' || (latestWentBack === true && result === 'ended');
}

/** Of several attempts each may have begun until one of them shows: it is the operation's from then on. */
export function turnsTo(state: LifecycleState, event: LifecycleEvent): boolean {
  const { phase, gateway } = state;
  const isUnsent = phase === 'queued' && event.type === 'terminal';
  if (phase !== 'pausing' && phase !== 'listening' && !isUnsent && !isUnseen(state)) return false;
  if (event.type === 'terminal') return !isNegative(event.meaning) && event.meaning !== 'in-progress';
  // A "no" of one attempt does not end another, which may have charged.
  return event.type === 'gateway' && (!isNegative(event.meaning) || !gateway || leavesNothing(gateway.meaning));
}

/** Nobody can be asked which of them has begun, and none has shown: only the callback of the one that has says so. */
function isUnseen({ phase, noneBegan, terminal, traceable, traceableBy }: LifecycleState): boolean {
  const isWatched = phase === 'watching' && noneBegan === true;
  return isWatched && terminal === undefined && !traceable && traceableBy === undefined;
}

/**
 * Another attempt shows: what was learned is about `reference`, which counts as an earlier one. The terminal may have begun
 * with it after the one that shows.
 */
export function turned(state: LifecycleState, reference: string): LifecycleState {
  const { terminal, gateway, earlier, earlierResults } = state;
  const said = terminal && { earlierResults: { ...earlierResults, [reference]: earlierResult(terminal) } };
  const leavesOpen = gateway !== undefined && !leavesNothing(gateway.meaning);
  return changed(state, {
    ...said,
    ...(leavesOpen && {
      earlier: { meaning: 'undefined', askedAt: 0, ...earlier, shown: [...(earlier?.shown ?? []), reference] },
    }),
    mayBeFollowed: true,
    terminal: undefined,
    gateway: undefined,
    transactionId: undefined,
    resultId: undefined,
    traceableBy: traceableWithoutResult(state),
    endedAt: undefined,
  });
}

/** Of another attempt: the reference that the result of one names is not that of the next. */
export function traceableWithoutResult({ traceableBy }: LifecycleState): LifecycleState['traceableBy'] {
  return traceableBy === 'result' ? undefined : traceableBy;
}

/** What the own result of an attempt that is not the latest says, where it is no approval. */
export function earlierResult({ meaning, isUnclear }: Pick<Reading, 'meaning' | 'isUnclear'>): EarlierResult {
  if (isNegative(meaning)) return 'ended';
  return meaning === 'failed' || (meaning === 'undefined' && !isUnclear) ? 'failed' : 'unclear';
}

/** The chain of an attempt shows that its whole charge went back. `net`: what is left of it, minor units. */
export function isWhollyBack({ meaning, net = 0 }: { meaning: Meaning | 'none'; net?: number }): boolean {
  return meaning === 'returned' && net === 0;
}

const leavesNothing = (meaning: Meaning | 'none'): boolean => meaning === 'none' || isNegative(meaning);
