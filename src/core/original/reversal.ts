import type { Journal } from '../journal/journal.js';
import { NO_LIMIT } from '../journal/query.js';
import type { OperationRecord } from '../journal/record.js';
import { isReversal, kindOf, type ReversedKind, successOf } from '../operation/kinds.js';
import { isSuccess, needsAttention, type Outcome } from '../operation/outcome.js';
import { exitOf, type Verdict } from '../operation/verdict.js';

/** What a successful reversal did to the money. */
const SUCCESSES: Readonly<Record<ReversedKind, Pick<Verdict, 'outcome' | 'moneyMoved'>>> = {
  hold: successOf('release'),
  money: successOf('reversal'),
};

/**
 * What a reversal of this transaction takes back; undefined where this journal does not know.
 * @param since when the reversal was submitted, epoch ms: an operation submitted later waits for it while open
 * @throws JournalError
 */
export async function reversedKindOf(
  journal: Journal,
  transactionId: string,
  since: number,
): Promise<ReversedKind | undefined> {
  const [original] = await journal.find({ transactionId }, 1);
  if (original === undefined) return undefined;
  if (kindOf(original.operation) !== 'hold') return 'money';
  const about = async (id: string): Promise<OperationRecord[]> =>
    (await journal.find({ original: id }, NO_LIMIT)).filter(
      ({ createdAt, state }) => createdAt < since || state.reported !== undefined,
    );
  const others = await about(transactionId);
  const captured = isCaptured(others);
  if (captured !== true) return captured === false ? 'hold' : undefined;
  for (const capture of others.filter(isApprovedCapture)) {
    const ofHold = others.filter(({ sequence = 0 }) => sequence > (capture.sequence ?? 0));
    const ofCapture = capture.transactionId ? await about(capture.transactionId) : [];
    // Whether the hold came back then, only the chain knows.
    if (![...ofHold, ...ofCapture].some(mayHaveTakenBack)) return 'money';
  }
  return undefined;
}

/** Whether a hold was captured; undefined while that is in doubt. @param followUps operations about the hold */
export function isCaptured(followUps: readonly OperationRecord[]): boolean | undefined {
  const captures = followUps.filter(({ operation }) => kindOf(operation) === 'capture');
  if (captures.some(isApprovedCapture)) return true;
  return captures.some(({ state }) => state.reported === undefined || needsAttention(state.reported))
    ? undefined
    : false;
}

function isApprovedCapture({ operation, state }: OperationRecord): boolean {
  return kindOf(operation) === 'capture' && state.reported === 'approved';
}

function mayHaveTakenBack({ operation, state: { reported } }: OperationRecord): boolean {
  return isReversal(operation) && (reported === undefined || isSuccess(reported) || needsAttention(reported));
}

/** @param known what the journal knows of its original by now */
export function withOriginal<R extends OperationRecord>(
  record: R,
  { reverses, reversedAmount }: Pick<OperationRecord, 'reverses' | 'reversedAmount'>,
): R {
  const { operation, state } = record;
  // The capture that it was to take back may have gone back while it waited.
  const isInDoubt = reverses === undefined && isReversal(operation) && state.mayBeHold === undefined;
  return { ...record, reverses, reversedAmount, state: isInDoubt ? { ...state, mayBeHold: 'unknown' } : state };
}

/** The outcome last delivered to the flow, with what a reversal did to the money; undefined before the first delivery. */
export function reportedOutcome({ operation, reverses, state: { reported } }: OperationRecord): Outcome | undefined {
  if (!isSuccess(reported) || !isReversal(operation) || reverses === undefined) return reported;
  return SUCCESSES[reverses].outcome;
}

/** A verdict as it is delivered to the flow: with what a reversal did to the money. */
export function verdictFor({ operation, reverses }: OperationRecord, verdict: Verdict): Verdict {
  const isDone = isReversal(operation) && exitOf(verdict) === 'done';
  return isDone && reverses !== undefined ? { ...verdict, ...SUCCESSES[reverses] } : verdict;
}
