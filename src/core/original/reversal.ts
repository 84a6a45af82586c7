import type { Journal } from '../journal/journal.js';
import type { OperationRecord } from '../journal/record.js';
import { isCapture, isHold, takesBack, type Undone } from '../operation/kinds.js';
import { needsAttention, type Outcome, UNKNOWN, type Verdict } from '../operation/verdict.js';

/** What a reversal that was done did to the money. */
const DONE_TO: Readonly<Record<Undone, Pick<Verdict, 'outcome' | 'moneyMoved'>>> = {
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
export async function whatIsUndone(
  journal: Journal,
  transactionId: string,
  since: number,
): Promise<Undone | undefined> {
  const [original] = await journal.find({ transactionId }, 1);
  if (original === undefined) return undefined;
  if (!isHold(original.operation)) return 'money';
  const others = await journal.find({ original: transactionId });
  switch (isCaptured(others.filter(({ createdAt, state }) => createdAt < since || state.told !== undefined))) {
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
  if (captures.some(({ state }) => state.told === 'approved')) return true;
  return captures.some(({ state }) => state.told === undefined || needsAttention(state.told)) ? undefined : false;
}

/** The outcome that the flow was told last, in the words it was told; undefined before. */
export function outcomeTold({ operation, undoes, state: { told } }: OperationRecord): Outcome | undefined {
  const isDone = told === 'completed' || told === 'refunded';
  if (!isDone || !takesBack(operation)) return told;
  if (undoes !== undefined) return DONE_TO[undoes].outcome;
  return told === 'completed' ? HOLD_OR_MONEY.outcome : told;
}

/** A verdict as the flow is told it: with what a reversal did to the money. */
export function verdictOn({ operation, undoes }: OperationRecord, verdict: Verdict): Verdict {
  const { outcome, moneyMoved } = verdict;
  const isDone = outcome === 'completed' || (outcome === 'refunded' && moneyMoved === 'yes');
  if (!takesBack(operation) || !isDone) return verdict;
  if (undoes !== undefined) return { ...verdict, ...DONE_TO[undoes] };
  return outcome === 'completed' ? HOLD_OR_MONEY : verdict;
}
