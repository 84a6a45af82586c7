import { changed } from '../../base/objects.js';
import { isSameId } from '../../base/same-id.js';
import { LAST_ANSWER, REVERSAL_LIMIT, SECOND_LOOK } from '../../base/timings.js';
import { confirm, markUndelivered, noteUnavailable, resume } from '../../operation/delivery-state.js';
import { movesMoney } from '../../operation/kinds.js';
import { isNegative, type Meaning } from '../../operation/result-meaning.js';
import { watchTakenUp } from '../watch-taken-up.js';
import { freed, noteUnknownAttempts, pauseAtBusy, stopsWhileBusy } from './attempts.js';
import type { LifecycleEvent } from './event.js';
import { noneCountsFrom } from './guards.js';
import { noteAboutEarlier, noteEarlier, stillShown, withoutWorkOfEarlier } from './learn-earlier.js';
import { decidedFrom, flowWaitsUntil, type LifecycleState, stopProvesFrom } from './state.js';
import { toldByAfterRestart } from './unanswered.js';

/** What an event teaches, whatever the phase. */
export function learn(before: LifecycleState, event: LifecycleEvent, now: number): LifecycleState {
  const state = withoutWorkOfEarlier(note(before, event, now));
  return now >= flowWaitsUntil(state) && state.phase === 'waiting' && !state.stopWanted
    ? { ...state, stopWanted: true }
    : state;
}

function note(state: LifecycleState, event: LifecycleEvent, now: number): LifecycleState {
  switch (event.type) {
    // The request may have waited for its turn at the rate limit: what is timed from it is timed from its answer.
    case 'accepted':
      return noteAccepted(state, event, now);
    case 'refused':
      return noteRefusal(state, event, now);
    case 'answer-lost':
      return { ...state, attemptAt: now, jumpedBefore: state.jumped };
    case 'restored':
      return takeUp(state, event, now);
    case 'shown-unsent':
      return changed(state, { unasked: undefined });
    case 'withdrawn':
    case 'not-sent':
      return { ...state, leaving: undefined };
    case 'cancel':
      return noteCancel(state, now);
    case 'terminal': {
      // Of an attempt before the latest it says nothing about what keeps the terminal busy now.
      const isLatest = event.meaning === 'cancelled' && event.earlier === undefined && state.phase === 'pausing';
      const known = isLatest ? { ...state, ...freed(state, now) } : state;
      return event.earlier === undefined
        ? noteTerminal(known, event, now)
        : noteEarlier(known, event, event.earlier, now);
    }
    case 'gateway':
      return noteGateway(state, event, now);
    case 'earlier':
      return noteAboutEarlier(state, event);
    case 'processing':
      return { ...state, signAt: state.signAt ?? now, isProcessing: true, stopNotPossible: undefined };
    case 'result-gone':
      return { ...state, isProcessing: undefined, goneAt: event.askedAt };
    case 'idle':
      if (state.phase === 'pausing') return { ...state, ...freed(state, event.askedAt) };
      return event.askedAt < stopProvesFrom(state) ? state : { ...state, endedAt: state.endedAt ?? now };
    case 'stop-not-possible':
      return state.phase === 'waiting' ? { ...state, stopNotPossible: true } : state;
    case 'stop-tried':
      return { ...state, stopTried: true };
    case 'offline':
      return { ...state, offlineAt: event.askedAt };
    case 'delivered':
      return changed(state, { pending: confirm(state.pending, event.sequence) });
    case 'unavailable':
      return { ...state, ...noteUnavailable(state) };
    case 'alarm-told':
      return changed(state, { isAlarmDue: undefined });
    case 'stopping':
      return { ...state, pending: markUndelivered(state.pending) };
    default:
      return state;
  }
}

/** An acceptance that says how it ended proves no end: the terminal may still wait for a card, and can be stopped. */
function noteAccepted(
  state: LifecycleState,
  { resultId = state.resultId, saysEnd }: LifecycleEvent & { type: 'accepted' },
  now: number,
): LifecycleState {
  const accepted = changed(state, { attemptAt: now, jumpedBefore: state.jumped, signAt: now, resultId });
  return saysEnd ? { ...accepted, saysEnd } : accepted;
}

/** The refusal may be the answer to a repetition of the request, which has begun. */
function noteRefusal(
  state: LifecycleState,
  { refusal, error }: LifecycleEvent & { type: 'refused' },
  now: number,
): LifecycleState {
  if (refusal === 'busy') return { ...state, busy: { at: now, error } };
  const isNoted = refusal === 'throttled' && movesMoney(state.operation);
  return isNoted ? { ...state, throttled: { at: now, error, after: state.retries ?? 0 } } : state;
}

/** A busy terminal is not waited for any longer; that nothing of ours keeps it busy may still be proved. */
function noteCancel(state: LifecycleState, now: number): LifecycleState {
  const { pausedUntil } = state;
  return {
    ...state,
    stopWanted: true,
    ...(stopsWhileBusy(state) && { pausedUntil: Math.min(pausedUntil ?? now, now + LAST_ANSWER) }),
  };
}

/**
 * The clock of an earlier life may have stood elsewhere: what it noted is taken for past, and how long ago it was proves
 * nothing. What was never sent keeps its time, so that it shows as too old.
 */
function takeUp(
  state: LifecycleState,
  { serviceChanged, mayBeBackup, foundAt, isUnasked }: LifecycleEvent & { type: 'restored' },
  now: number,
): LifecycleState {
  const { phase, terminal, gateway, reversing, watchUntil } = state;
  const restored = changed(state, {
    pending: resume(state.pending),
    leaving: undefined,
    // This process begins with the first key again.
    keyReplaced: undefined,
    earlier: stillShown(state.earlier),
    restoredAt: now,
    toldBy: toldByAfterRestart(state, now),
    // Its own time starts at the wall clock, so that an earlier jump is in it.
    jumpedBefore: state.jumped,
    serviceChanged: serviceChanged || undefined,
    mayBeBackup: state.mayBeBackup || mayBeBackup || undefined,
    ...(mayBeBackup && noteUnknownAttempts(state)),
  });
  // What another life has measured counts from now on, by the clock of this one.
  const since = {
    ...(terminal && { terminal: { ...terminal, at: now, askedAt: undefined } }),
    ...(state.endedAt !== undefined && { endedAt: now }),
  };
  // That the attempts before the pause left no record has to be asked anew, and so does what keeps the terminal busy.
  if (phase === 'pausing') {
    const { busy, ending, throttled } = state;
    const anew = {
      ...restored,
      ...since,
      gateway: undefined,
      ...(busy && { busy: { ...busy, at: now, freeAt: undefined } }),
      ...(throttled && { throttled: { ...throttled, at: now } }),
    };
    if (busy !== undefined) return { ...anew, ...pauseAtBusy(anew, now) };
    return ending === undefined ? anew : { ...anew, pausedUntil: now };
  }
  if (phase === 'queued') return Object.assign(restored, { unasked: isUnasked || undefined });
  if (phase === 'closed') return restored;
  const past = (at: number): number => Math.min(at, now);
  return Object.assign(restored, {
    startedAt: Math.min(state.startedAt, foundAt ?? now),
    attemptAt: phase === 'sending' ? now : past(state.attemptAt),
    ...since,
    // What it showed is known; that it still does has to be asked anew.
    ...(gateway && {
      gateway: {
        ...gateway,
        askedAt: 0,
        noneAt: undefined,
        deniedAt: undefined,
        ...(gateway.declinedAt !== undefined && { declinedAt: now }),
      },
    }),
    // Time that nobody could ask in does not count: this process tries it too.
    ...(reversing && {
      reversing: { ...reversing, since: Math.max(past(reversing.since), now - REVERSAL_LIMIT + LAST_ANSWER) },
    }),
    ...(state.signAt !== undefined && { signAt: now }),
    ...(watchUntil !== undefined && { watchUntil: watchTakenUp(watchUntil, now) }),
  });
}

function noteTerminal(
  state: LifecycleState,
  {
    meaning,
    isUnclear,
    amountDiffers,
    claims,
    via,
    askedAt,
    transactionId,
    needsChange,
    takesBack,
    isNamed,
  }: LifecycleEvent & { type: 'terminal' },
  now: number,
): LifecycleState {
  if (state.phase === 'closed' || meaning === 'in-progress') return state;
  const known = state.terminal;
  if (terminalAddsNothing(state, meaning)) return state;
  // The same prompt polled again does not start its 60 s anew.
  const at = known?.meaning === meaning ? known.at : now;
  return changed(state, {
    terminal: {
      meaning,
      via: known?.meaning === meaning && known.via === 'callback' ? 'callback' : via,
      at,
      // What may have been an approval is not forgotten over another question.
      ...((isUnclear || (isQuestion(meaning) && known?.isUnclear)) && { isUnclear: true }),
      ...((claims || (!isYes(meaning) && known?.claimed)) && { claimed: true }),
      ...(amountDiffers && { amountDiffers }),
      ...(needsChange && { needsChange }),
      ...(known?.isLate && { isLate: true }),
      ...(askedAt !== undefined && { askedAt }),
    },
    // What is being reversed stays the same payment, whatever a later result calls it.
    transactionId: (state.reversing && state.transactionId) || transactionId || state.transactionId,
    takesBack: takesBack ?? state.takesBack,
    traceableBy: state.traceableBy ?? (isNamed && 'result'),
    isProcessing: undefined,
    endedAt: endKnownBy(state, { meaning, via }, now),
  });
}

/** When the terminal has ended, now that it says this. Epoch ms. */
function endKnownBy(
  { phase, retries, terminal: known, endedAt }: LifecycleState,
  { meaning, via }: Pick<LifecycleEvent & { type: 'terminal' }, 'meaning' | 'via'>,
  now: number,
): number | undefined {
  // One that was polled may still be the question on the screen.
  if (meaning === 'partial' && via === 'poll') return endedAt;
  // Any other of several attempts may still run.
  if (phase === 'listening' && retries) return endedAt;
  // While it did not know the outcome, it went on: it may have taken the payment back just now.
  const isNews = known?.meaning === 'undefined' && meaning !== 'undefined';
  return isNews ? now : (endedAt ?? now);
}

function noteGateway(state: LifecycleState, event: LifecycleEvent & { type: 'gateway' }, now: number): LifecycleState {
  if (gatewayAddsNothing(state, event)) return noteDenial(state, event);
  const { meaning, askedAt, transactionId, net, isTwice, mayBeAnothers } = event;
  const { amountDiffers, needsChange, takesBack, othersAbsent } = event;
  const known = state.gateway;
  const declinedAt = isNegative(meaning) ? (known?.declinedAt ?? now) : undefined;
  const wasAbsent = known?.meaning === 'none' || known?.othersAbsent === true;
  const absentAt = wasAbsent ? [known.noneAt, known.askedAt] : [];
  const approvedId = (isYes(meaning) && transactionId) || known?.approvedId;
  const noneAt = absentAt.find((at = 0) => at >= noneCountsFrom(state));
  return {
    ...state,
    ...(meaning !== 'none' && { signAt: state.signAt ?? now }),
    gateway: {
      meaning,
      askedAt,
      ...(net !== undefined && { net }),
      ...(isTwice && { isTwice }),
      ...(approvedId && { approvedId }),
      ...(mayBeAnothers && { mayBeAnothers }),
      ...(amountDiffers && { amountDiffers }),
      ...(declinedAt !== undefined && { declinedAt }),
      ...(othersAbsent && { othersAbsent }),
      ...((meaning === 'none' || othersAbsent) && noneAt !== undefined && { noneAt }),
      ...(needsChange && { needsChange }),
    },
    transactionId: (isThePayment(state, meaning) && transactionId) || state.transactionId || transactionId,
    ...(takesBack !== undefined && { takesBack }),
  };
}

/** What the gateway approves is the payment, not a try declined before it, unless the terminal has approved one or it is going back. */
function isThePayment({ terminal, reversing }: LifecycleState, meaning: Meaning | 'none'): boolean {
  return isYes(meaning) && reversing === undefined && !isYes(terminal?.meaning ?? 'none');
}

/** A result says nothing that counts beside what is known: nothing may rest on it, no amount either. */
export function addsNothing(state: LifecycleState, event: LifecycleEvent): boolean {
  if (event.type === 'terminal') return terminalAddsNothing(state, event.meaning);
  return event.type === 'gateway' && gatewayAddsNothing(state, event);
}

/** An answer of the gateway confirms nothing that an earlier one showed. */
function gatewayAddsNothing(
  state: LifecycleState,
  { meaning, askedAt, isTwice, hasOthers, transactionId }: LifecycleEvent & { type: 'gateway' },
): boolean {
  const { gateway: known } = state;
  if (known === undefined) return false;
  // What it has shown as approved may go back, but is declined no more and does not vanish: that is an older copy.
  const isOfOther = !!known.approvedId && !!transactionId && transactionId !== known.approvedId;
  // Unless the terminal has taken it back (spec: forced reversal). One answer may be an older copy, so two have to say that.
  const isTakenBack = isDenial(state, transactionId, askedAt) && askedAt >= deniedFrom(state) + SECOND_LOOK;
  const isOlder = (meaning === 'declined' && !isTakenBack) || (meaning === 'cancelled' && isOfOther);
  if (isYes(known.meaning) && isOlder && !hasOthers) return true;
  const isOvertaken = askedAt < known.askedAt;
  // A record may vanish and come back, and one that does not say how it ended takes nothing back.
  const saysNothing = meaning === 'none' || meaning === 'undefined' || meaning === 'in-progress';
  // One of two charges under one reference may vanish, too, whatever became of the other.
  const isPart = known.isTwice === true && !isTwice && !hasOthers;
  return isOvertaken || (saysNothing && known.meaning !== 'none') || isPart;
}

/** Asked once the terminal had ended, it says "no" about the same transaction that it has shown as approved. */
function isDenial(state: LifecycleState, transactionId: string | undefined, askedAt: number): boolean {
  const { approvedId = '' } = state.gateway ?? {};
  return approvedId !== '' && isSameId(approvedId, transactionId) && askedAt >= decidedFrom(state);
}

/** When it was asked for the first such answer. Epoch ms. */
function deniedFrom({ gateway }: LifecycleState): number {
  return gateway?.deniedAt ?? Number.POSITIVE_INFINITY;
}

/** An answer that approves starts this anew. */
function noteDenial(state: LifecycleState, event: LifecycleEvent & { type: 'gateway' }): LifecycleState {
  const { gateway } = state;
  const { meaning, transactionId, askedAt } = event;
  const isFirst = gateway?.deniedAt === undefined && meaning === 'declined' && isDenial(state, transactionId, askedAt);
  return gateway !== undefined && isFirst ? { ...state, gateway: { ...gateway, deniedAt: askedAt } } : state;
}

/**
 * A question never replaces an answer. That what the terminal has approved is going back, as we have asked, the gateway has to
 * say: a "no" of the terminal may be about something else.
 */
function terminalAddsNothing({ phase, terminal }: LifecycleState, meaning: Meaning): boolean {
  if (terminal === undefined || isQuestion(terminal.meaning)) return false;
  return isQuestion(meaning) || (phase === 'reversing' && !isNegative(terminal.meaning) && isNegative(meaning));
}

function isYes(meaning: Meaning | 'none'): boolean {
  return meaning === 'approved' || meaning === 'partial';
}

function isQuestion(meaning: Meaning): boolean {
  return meaning === 'undefined' || meaning === 'failed' || meaning === 'in-progress';
}
