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
  const others = await journal.find({ original: transactionId }, NO_LIMIT);
  switch (isCaptured(others.filter(({ createdAt, state }) => createdAt < since || state.reported !== undefined))) {
    case true:
      return 'money';
    case false:
      return 'hold';
    default:
      return undefined;
  }
}

/** Whether a hold was captured; undefined while that is in doubt. @param followUps operations about the hold */
export function isCaptured(followUps: readonly OperationRecord[]): boolean | undefined {
  const captures = followUps.filter(({ operation }) => kindOf(operation) === 'capture');
  if (captures.some(({ state }) => state.reported === 'approved')) return true;
  return captures.some(({ state }) => state.reported === undefined || needsAttention(state.reported))
    ? undefined
    : false;
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
