import type { TransactionResult } from '../../api/schema/transaction-result.js';
import { exponentOf } from '../../base/currencies.js';
import { toMajorString } from '../../base/money.js';
import { recordedResult } from '../../delivery/terminal-payload.js';
import type { TerminalRecord } from '../../journal/record.js';
import { endedAttempts, ownAttempt, wentBack } from '../../lifecycle/terminal/earlier-attempts.js';
import type { Charge } from '../../lifecycle/terminal/event.js';
import { isApproval } from '../../lifecycle/terminal/learn-earlier.js';
import type { LifecycleEvent, LifecycleState } from '../../lifecycle/terminal/lifecycle.js';
import { contradict, enqueueVerdict } from '../../operation/delivery-state.js';
import { kindOf, movesMoney } from '../../operation/kinds.js';
import type { Outcome } from '../../operation/outcome.js';
import { claimsApproval, isNegative, totalIn } from '../../operation/result-meaning.js';
import { PARTLY_REFUNDED, REVERSAL_UNPROVEN, UNKNOWN, type Verdict, withOtherAmount } from '../../operation/verdict.js';
import { verdictOf } from '../../operation/verdict-of.js';

type Result = LifecycleEvent & { type: 'terminal' };

/**
 * What a terminal's result means after the flow got a final verdict. Undefined where it adds nothing: the same verdict
 * once more, a question to the cardholder, an approval that the flow's own policy has reversed, or what a person was asked
 * to look at before.
 */
export function lateVerdict(record: TerminalRecord, result: Result, said?: TransactionResult): Verdict | undefined {
  const { state, references } = record;
  const verdict = changesAmount(record, result, said) ? otherAmount(record, said) : meaningLate(record, result);
  if (!isAlarm(verdict)) return verdict && isRepeated(record, verdict, result) ? undefined : verdict;
  if (mayCharge(result) && isHeard(state, chargeOf(references, result))) return undefined;
  if (!isContradiction(verdict) || !state.contradicted) return verdict;
  // One contradiction is told, and each charge beside the one that it was about.
  return mayCharge(result) ? anotherCharge(result) : undefined;
}

/**
 * The same charge is of another amount now than the flow was told: of a part, where that was the whole, of more than a tip, a
 * surcharge and tax explain, or in another currency. What is left of a charge is no news of it, and neither is its tip.
 */
function changesAmount(record: TerminalRecord, result: Result, said?: TransactionResult): boolean {
  const { state, operation } = record;
  const isOwn = result.earlier === undefined || result.earlier === ownAttempt(state);
  if (!isOwn || !movesMoney(operation) || !isYes(state) || isOtherTransaction(state, result)) return false;
  if (state.reportedError?.code === PARTLY_REFUNDED.error?.code) return false;
  if (isInAnotherCurrency(record, said)) return true;
  const isOther = state.reported === 'partial' || result.meaning === 'partial' || result.amountDiffers === true;
  if (!isOther || !isApproval(result)) return false;
  const told = recordedResult(record);
  const [before, now] = [told, said].map(withoutTip);
  // A tip that is named since, and was a part of it all along, is no other amount.
  return !!before && !!now && before !== now && told?.totalAmount !== said?.totalAmount;
}

function isInAnotherCurrency(
  { request }: TerminalRecord,
  { finStatus = '', currency }: Partial<TransactionResult> = {},
): boolean {
  return claimsApproval(finStatus) && !!currency && !!request.currency && currency !== request.currency;
}

/**
 * What was told stays recorded where the same charge is reported with another amount, or with more than a tip that is named: how
 * much may be refunded rests on it.
 */
export function staysAsTold(record: TerminalRecord, result: Result, said: TransactionResult): boolean {
  if (changesAmount(record, result, said)) return true;
  const { state, request } = record;
  if (!isYes(state) || !isApproval(result) || isOtherTransaction(state, result)) return false;
  const baseOf = (one: TransactionResult): number => totalIn(one, Number(request.amount)) - (one.tipAmount ?? 0);
  const told = recordedResult(record);
  return told !== undefined && baseOf(said) > baseOf(told);
}

function withoutTip({ totalAmount = 0, tipAmount = 0 }: Partial<TransactionResult> = {}): number {
  return Math.abs(totalAmount - tipAmount);
}

/** The record once a person is asked to look. @param isWithheld the flow has not got the final verdict: it gets this one instead */
export function withAlarm(
  record: TerminalRecord,
  verdict: Verdict,
  result: Result,
  isWithheld: boolean,
): TerminalRecord {
  const { state, references } = record;
  const lateCharges = mayCharge(result)
    ? [...(state.lateCharges ?? []), chargeOf(references, result)]
    : state.lateCharges;
  const alarm = { alarm: verdict, isAlarmDue: true as const, lateCharges };
  // What the flow was told stands: the other charge is one too many.
  if (!isContradiction(verdict)) return { ...record, state: { ...state, ...alarm }, closed: false };
  const noted = (isWithheld ? enqueueVerdict : contradict)(state, { verdict, source: result.via });
  const known = {
    ...state,
    alarmed: true as const,
    contradicted: true as const,
    ...(isWithheld ? { lateCharges } : alarm),
  };
  return { ...record, state: { ...known, ...noted }, closed: record.closed && isWithheld };
}

/** The record once callback-in hears of a late result that is no alarm. */
export function withLate(record: TerminalRecord, { outcome }: Verdict, result: Result): TerminalRecord {
  const latestLate = { ...chargeOf(record.references, result), outcome };
  return { ...record, state: { ...record.state, latestLate } };
}

function isRepeated({ state, references }: TerminalRecord, { outcome }: Verdict, result: Result): boolean {
  const { reference, transactionId } = chargeOf(references, result);
  const { latestLate } = state;
  return (
    latestLate?.outcome === outcome && latestLate.reference === reference && latestLate.transactionId === transactionId
  );
}

function meaningLate({ operation, state, references }: TerminalRecord, result: Result): Verdict | undefined {
  const { meaning, via } = result;
  const { reported } = state;
  if (reported === undefined) return undefined;
  // The poll saw a question on the screen that has been answered since.
  if (meaning === 'partial' && via === 'poll') return undefined;
  // A "no" is about its own attempt alone: it contradicts no approval of another one.
  const told = ownAttempt(state) ?? references.at(-1);
  const isAnother = result.earlier !== undefined || told !== references.at(-1);
  if (isAnother && isNegative(meaning)) return undefined;
  if (hasGoneBack(state, result)) return undefined;
  if (movesMoney(operation) && mayCharge(result) && isYes(state) && isAnotherCharge(state, result)) {
    return anotherCharge(result);
  }
  // It was charged before it was given back, as the status service has shown since.
  const isReturned = reported === 'refunded' || (reported === 'cancelled' && state.latest?.source === 'status');
  const isSame = result.transactionId === state.transactionId;
  if (result.isUnclear) {
    const isOpen = movesMoney(operation) && !isYes(state) && reported !== 'unknown' && !wasWeighed(state, result);
    return isOpen && !(isReturned && (isSame || !result.transactionId)) ? contradicted(reported) : undefined;
  }
  const said = verdictOf(operation, meaning, result);
  const verdict = result.amountDiffers ? withOtherAmount(said) : said;
  if (verdict.outcome === reported || verdict.outcome === 'failed' || verdict.outcome === 'unknown') return undefined;
  if (reported === 'unknown') return verdict;
  if (isReturned && (meaning === 'approved' || meaning === 'partial') && isSame) return undefined;
  // An operation that moves no money contradicts nothing, however it ended.
  const isHarmless = !movesMoney(operation) || isSuccess(state, verdict.outcome) === isYes(state);
  return isHarmless ? verdict : contradicted(reported, verdict.outcome);
}

/** It approves, or may do so: nobody can read it. */
function mayCharge(result: Result): boolean {
  return result.isUnclear === true || isApproval(result);
}

function isYes(state: LifecycleState): boolean {
  return isSuccess(state, state.reported);
}

function isSuccess({ operation }: LifecycleState, outcome: Outcome | undefined): boolean {
  return outcome === 'partial' || outcome === verdictOf(operation, 'approved').outcome;
}

/** What that attempt charged has gone back, as we asked. */
function hasGoneBack(state: LifecycleState, result: Result): boolean {
  const { earlier } = result;
  const { reversing, approvedEarlier } = state;
  if (earlier !== undefined && wentBack(state, earlier)) return true;
  if (reversing === undefined) return false;
  if (reversing.second !== undefined) return reversing.second.reference === earlier;
  // By the policy of the flow, or, where an earlier one was approved, for that.
  if (approvedEarlier === undefined) {
    const isOwn = earlier === undefined || earlier === ownAttempt(state);
    return isOwn && !isYes(state) && !isOtherTransaction(state, result);
  }
  return earlier !== undefined && (reversing.reason !== 'second' || endedAttempts(state).includes(earlier));
}

/** The flow was told that it was done, and this is, or may be, one charge more. */
function isAnotherCharge(state: LifecycleState, result: Result): boolean {
  const { reversing, alarmed, alarmedAgain, earlier, otherApproved } = state;
  // What was released cannot be released once more.
  if (kindOf(state.operation) === 'release') return false;
  // One request that was delivered twice has one reference.
  if (result.earlier === undefined || result.earlier === ownAttempt(state)) {
    return isOtherTransaction(state, result);
  }
  if (result.transactionId && result.transactionId === state.transactionId) return false;
  // A person was asked to look at the others before.
  if (alarmedAgain || (alarmed && !state.contradicted && reversing === undefined)) return false;
  const known = [earlier?.reference, earlier?.other?.reference, otherApproved?.reference];
  return !known.includes(result.earlier) && !wasWeighed(state, result);
}

/** Both are named, and differ. */
function isOtherTransaction({ transactionId: told }: LifecycleState, { transactionId: named }: Result): boolean {
  return !!told && !!named && named !== told;
}

/**
 * The same question was there before the flow got its verdict, or a poll that was under way then has met it; or what was told is
 * posted once more, and has been spoilt on its way.
 */
function wasWeighed({ terminal, transactionId = '', earlierResults }: LifecycleState, result: Result): boolean {
  const { earlier, isUnclear, isStrange, via } = result;
  if (!isUnclear) return false;
  if (earlier !== undefined) {
    const known = earlierResults?.[earlier];
    return known === 'unclear' || (isStrange === true && known === 'ended');
  }
  const named = result.transactionId ?? '';
  const isSame = named === '' || named === transactionId;
  const isKnown = terminal !== undefined || named !== '';
  return (
    via === 'poll' ||
    (isSame && (terminal?.isUnclear === true || terminal?.claimed === true || (isStrange === true && isKnown)))
  );
}

function chargeOf(references: readonly string[], { earlier, transactionId }: Result): Charge {
  return { reference: earlier ?? references.at(-1) ?? '', ...(transactionId && { transactionId }) };
}

/** A person was asked to look at it. */
function isHeard({ lateCharges = [] }: LifecycleState, { reference, transactionId }: Charge): boolean {
  const isSame = (known: string | undefined): boolean => !known || !transactionId || known === transactionId;
  return lateCharges.some((known) => known.reference === reference && isSame(known.transactionId));
}

function isAlarm(verdict: Verdict | undefined): verdict is Verdict {
  return verdict?.error !== undefined;
}

const CONTRADICTED = 'CONTRADICTED';

function isContradiction({ error }: Verdict): boolean {
  return error?.code === CONTRADICTED;
}

/** @param now absent where it may be an approval, and cannot be read */
function contradicted(before: Outcome, now?: Outcome): Verdict {
  const said = now === undefined ? 'a result that may be an approval, and that nobody can read' : `"${now}"`;
  return contradiction(`settled as "${before}", but the terminal now reports ${said}`);
}

/** The result stays the one that was told: after a restart nothing else says which amount the terminal has named since. */
function otherAmount(
  { request }: TerminalRecord,
  { totalAmount = 0, currency }: Partial<TransactionResult> = {},
): Verdict {
  const named = currency || request.currency || '';
  const now = exponentOf(named) === undefined ? `${totalAmount}` : `${toMajorString(totalAmount, named)} ${named}`;
  return contradiction(`the terminal now reports ${now}, which is another amount than the one that was told`);
}

function contradiction(what: string): Verdict {
  const message = `${what}: check the records of the acquirer`;
  return { ...UNKNOWN, error: { code: CONTRADICTED, name: 'Contradicted', message } };
}

function anotherCharge({ isUnclear }: Result): Verdict {
  const { code = '', name = '' } = REVERSAL_UNPROVEN.error ?? {};
  const said = isUnclear
    ? 'another charge may have been approved as well, in a result that nobody can read'
    : 'another charge was approved as well';
  const message = `${said}, and nothing has taken it back: check the records of the acquirer`;
  return { ...REVERSAL_UNPROVEN, error: { code, name, message } };
}
