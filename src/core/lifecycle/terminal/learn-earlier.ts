import { changed, withoutAbsent } from '../../base/objects.js';
import { movesMoney } from '../../operation/kinds.js';
import { isNegative } from '../../operation/result-meaning.js';
import { earlierResult, othersMayBeMeant, secondLookFrom, wentBack } from './earlier-attempts.js';
import type { Charge, EarlierAnswer, LifecycleEvent } from './event.js';
import { deadlineOf, type EarlierResult, type LifecycleState } from './state.js';

/** What is learned of the attempts before the latest. */

/** An approval of an earlier attempt is the operation's; everything else closes that attempt alone. */
export function noteEarlier(
  state: LifecycleState,
  event: LifecycleEvent & { type: 'terminal' },
  reference: string,
  now: number,
): LifecycleState {
  const { phase, approvedEarlier, reversing, earlierResults } = state;
  const said = (result: EarlierResult): LifecycleState => ({
    ...state,
    earlierResults: { ...earlierResults, [reference]: result },
  });
  // What it charged has gone back since, as we asked.
  if (wentBack(state, reference)) return state;
  if (isNegative(event.meaning)) return said('ended');
  // What moves no money may be done twice: the latest one is the operation's.
  if (isApproval(event) && !movesMoney(state.operation)) return said('ended');
  const isTold = phase === 'closed' || reversing?.second !== undefined;
  if (isTold || event.meaning === 'in-progress') return state;
  if (reference === approvedEarlier?.reference) return state;
  if (approvedEarlier !== undefined && isApproval(event))
    return noteOther(state, { reference, transactionId: event.transactionId });
  if (!isApproval(event)) {
    // A question never replaces an answer, nor what may have been an approval.
    const known = earlierResults?.[reference];
    return known === undefined || known === 'failed' ? said(earlierResult(event)) : state;
  }
  const { meaning, via, transactionId, amountDiffers } = event;
  // By the policy of the flow it goes back as what is found later does, beside what the latest has charged. After a backup
  // it may have gone back already, whatever the time says.
  const isLate = state.mayBeBackup === true || now >= deadlineOf(state);
  const goesBack = state.policies.lateApproval === 'reverse' && isLate && state.traceable;
  if (goesBack) {
    // A part is told or goes back by a policy of its own, which asks how its question was answered.
    const isOwn = meaning === 'approved' ? (true as const) : undefined;
    const charge = withoutAbsent({ reference, transactionId, isOwn });
    return noteAboutEarlier(state, { type: 'earlier', meaning: 'approved', askedAt: now, ...charge });
  }
  const approved = withoutAbsent({ reference, meaning, via, transactionId, amountDiffers });
  const { earlier } = state;
  const noted = { ...state, stopWanted: true, approvedEarlier: approved };
  return earlier?.meaning === 'approved'
    ? chargesIn(earlier).reduce(noteOther, { ...noted, earlier: stillShown(earlier) })
    : noted;
}

/**
 * In the chain of an original the entries of all attempts look alike. One that is known to be an earlier attempt's, or has to be, as the
 * latest has charged nothing, says nothing about the latest.
 */
export function withoutWorkOfEarlier(state: LifecycleState): LifecycleState {
  const { traceable, traceableBy, gateway, terminal, transactionId, approvedEarlier, otherApproved, earlier } = state;
  const isShown = gateway?.meaning === 'approved' || gateway?.meaning === 'partial';
  if (traceable || traceableBy !== 'original' || !isShown) return state;
  const shown = earlier?.meaning === 'approved' ? chargesIn(earlier) : [];
  const known = [approvedEarlier, otherApproved, ...shown];
  const isKnown = !!transactionId && known.some((one) => one?.transactionId === transactionId);
  if (terminal === undefined ? !isKnown : !isNegative(terminal.meaning) || !othersMayBeMeant(state)) return state;
  return changed(state, { gateway: undefined, transactionId: terminal && transactionId });
}

/** Another one than that which is known has charged as well. */
function noteBeside(state: LifecycleState, known: EarlierAnswer, answer: EarlierAnswer): LifecycleState {
  const charges = chargesIn(answer);
  const same = charges.find(({ reference }) => reference === known.reference);
  const beside = charges.filter(({ reference }) => reference !== known.reference);
  const other = known.other === undefined ? beside[0] : beside.reduce(merged, known.other);
  const first = { transactionId: known.transactionId ?? same?.transactionId, isOwn: known.isOwn ?? same?.isOwn };
  const others = answer.meaning === 'approved' ? answer.others : answer.meaning;
  const { askedAt, lastAskedAt } = answer;
  // What a result of its own has told of one says nothing about the others.
  const noneAt = known.lastAskedAt === undefined ? undefined : known.askedAt;
  const again = lastAskedAt !== undefined &&
    askedAt >= secondLookFrom(known) && { askedAt, lastAskedAt, noneAt, others };
  const isThird = beside.some(({ reference }) => reference !== other?.reference);
  return {
    ...state,
    ...(isThird && { isThirdCharged: true as const }),
    earlier: withoutAbsent({ ...known, ...first, other, ...again }),
  };
}

/** One more earlier attempt has charged than the approved one, or what was known of one has a name now. Only one is taken back. */
function noteOther(state: LifecycleState, charge: Charge): LifecycleState {
  const { approvedEarlier, otherApproved } = state;
  if (charge.reference === approvedEarlier?.reference)
    return { ...state, approvedEarlier: { ...charge, ...approvedEarlier } };
  if (otherApproved === undefined) return { ...state, otherApproved: charge };
  return charge.reference === otherApproved.reference
    ? { ...state, otherApproved: merged(otherApproved, charge) }
    : { ...state, isThirdCharged: true };
}

/** What is known of a charge, with what somebody else says of the same one. */
function merged(known: Charge, charge: Charge): Charge {
  return charge.reference === known.reference ? { ...charge, ...known } : known;
}

/** The charges of earlier attempts that the status service has shown. */
export function chargesIn({ reference, transactionId, isOwn, other }: EarlierAnswer): Charge[] {
  const first = reference === undefined ? [] : [withoutAbsent({ reference, transactionId, isOwn })];
  return other === undefined ? first : [...first, other];
}

/** Answers may overtake each other, and none takes back what another one showed. */
export function noteAboutEarlier(state: LifecycleState, event: LifecycleEvent & { type: 'earlier' }): LifecycleState {
  const noted = noteAnswer(state, event);
  const shown = [...new Set([...(state.earlier?.shown ?? []), ...(event.shown ?? [])])];
  return noted.earlier === undefined || shown.length === 0 ? noted : { ...noted, earlier: { ...noted.earlier, shown } };
}

/**
 * What another process was told by the status service proves nothing any more. That there was a record stays known, as it may
 * vanish, and a charge that its own result has told of stays one.
 */
export function stillShown(earlier: EarlierAnswer | undefined): EarlierAnswer | undefined {
  if (earlier === undefined) return undefined;
  const charges = chargesIn(earlier);
  const shown = [...new Set([...(earlier.shown ?? []), ...charges.map(({ reference }) => reference)])];
  const [first, other] = charges.filter(({ isOwn }) => isOwn);
  if (first !== undefined)
    return withoutAbsent<EarlierAnswer>({ meaning: 'approved', askedAt: 0, ...first, other, shown });
  return shown.length === 0 ? undefined : { meaning: 'undefined', askedAt: 0, shown };
}

/** Once one of them is known to have charged, the latest is stopped. */
function noteAnswer(
  state: LifecycleState,
  { type: _type, ...answer }: LifecycleEvent & { type: 'earlier' },
): LifecycleState {
  const { earlier: known, approvedEarlier } = state;
  if (approvedEarlier !== undefined && answer.meaning === 'approved') {
    const { others: meaning, askedAt, lastAskedAt } = answer;
    const noted = chargesIn(answer).reduce(noteOther, state);
    return meaning === undefined
      ? noted
      : noteAnswer(noted, withoutAbsent({ type: 'earlier', meaning, askedAt, lastAskedAt }));
  }
  if (known?.meaning === 'approved') return noteBeside(state, known, answer);
  if ((known?.askedAt ?? 0) > answer.askedAt) return state;
  const isNoneAgain = answer.meaning === 'none' && known?.meaning === 'none';
  const isLater = isNoneAgain && answer.askedAt >= secondLookFrom(known);
  const noneAt = isLater ? known.askedAt : isNoneAgain ? known.noneAt : undefined;
  return {
    ...state,
    earlier: withoutAbsent({ ...answer, noneAt }),
    ...(answer.meaning === 'approved' && { stopWanted: true }),
  };
}

/** A partial approval that was polled may still be the question on the screen. */
export function isApproval<E extends LifecycleEvent & { type: 'terminal' }>(
  event: E,
): event is E & { meaning: 'approved' | 'partial' } {
  return event.meaning === 'approved' || (event.meaning === 'partial' && event.via === 'callback');
}
