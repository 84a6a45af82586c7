import type { Journal } from '../journal/journal.js';
import type { OperationRecord } from '../journal/record.js';
import { isCapture, isHold, isReversal, type ReversedKind } from '../operation/kinds.js';
import { needsAttention, type Outcome, UNKNOWN, type Verdict } from '../operation/verdict.js';

/** What a reversal that was done did to the money. */
const DONE_TO: Readonly<Record<ReversedKind, Pick<Verdict, 'outcome' | 'moneyMoved'>>> = {
  hold: { outcome: 'completed', moneyMoved: 'no' },
  money: { outcome: 'refunded', moneyMoved: 'yes' },
};

/** It was done, and nothing that comes later says what it did to the money. */
export const HOLD_OR_MONEY: Verdict = {
  ...UNKNOWN,
  final: true,
  retry: 'never',
  error: {
    code: 'HOLD_OR_MONEY',
    name: 'HoldOrMoney',
    message:
      'the reversal was done, and this journal does not know whether it released a hold or gave back money that had been ' +
      'captured: look at the chain of the original',
  },
};

/**
 * Of a transaction; undefined where this journal does not know.
 * @param since when the reversal came, epoch ms: what came later and is still open waits for it
 * @throws JournalError
 */
export async function reversedKindOf(
  journal: Journal,
  transactionId: string,
  since: number,
): Promise<ReversedKind | undefined> {
  const [original] = await journal.find({ transactionId }, 1);
  if (original === undefined) return undefined;
  if (!isHold(original.operation)) return 'money';
  const others = await journal.find({ original: transactionId });
  switch (isCaptured(others.filter(({ createdAt, state }) => createdAt < since || state.reported !== undefined))) {
    case true:
      return 'money';
    case false:
      return 'hold';
    default:
      return undefined;
  }
}

/** Whether something was captured of a hold; undefined while that is in doubt. @param since operations about it */
export function isCaptured(since: readonly OperationRecord[]): boolean | undefined {
  const captures = since.filter((one) => isCapture(one.operation));
  if (captures.some(({ state }) => state.reported === 'approved')) return true;
  return captures.some(({ state }) => state.reported === undefined || needsAttention(state.reported))
    ? undefined
    : false;
}

/** The outcome that the flow was told last, in the words it was told; undefined before. */
export function reportedOutcome({ operation, reverses, state: { reported } }: OperationRecord): Outcome | undefined {
  const isDone = reported === 'completed' || reported === 'refunded';
  if (!isDone || !isReversal(operation)) return reported;
  if (reverses !== undefined) return DONE_TO[reverses].outcome;
  return reported === 'completed' ? HOLD_OR_MONEY.outcome : reported;
}

/** A verdict as the flow is told it: with what a reversal did to the money. */
export function verdictFor({ operation, reverses }: OperationRecord, verdict: Verdict): Verdict {
  const { outcome, moneyMoved } = verdict;
  const isDone = outcome === 'completed' || (outcome === 'refunded' && moneyMoved === 'yes');
  if (!isReversal(operation) || !isDone) return verdict;
  if (reverses !== undefined) return { ...verdict, ...DONE_TO[reverses] };
  return outcome === 'completed' ? HOLD_OR_MONEY : verdict;
}
