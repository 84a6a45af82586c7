import type { Journal } from './journal/journal.js';
import type { Operation, OperationRecord, Verdict } from './operation.js';

/**
 * What a reversal takes back: what was only held, or what had moved. Its result has one type for both, so the journal
 * has to say (spec: POST /reversal, preAuthorizationReversal).
 */
export type Undone = 'hold' | 'money';

const HOLDS: ReadonlySet<Operation> = new Set(['preAuthorization', 'moToPreAuthorization']);
const CAPTURES: ReadonlySet<Operation> = new Set(['preauthorization/capture', 'preAuthorizationCapture']);

/** Of a transaction; undefined where this journal does not know it. @throws JournalError */
export async function whatIsUndone(journal: Journal, transactionId: string): Promise<Undone | undefined> {
  const [original] = await journal.find({ transactionId }, 1);
  if (original === undefined) return undefined;
  if (!HOLDS.has(original.operation)) return 'money';
  const since = await journal.find({ original: transactionId });
  return since.some(({ operation, state }) => CAPTURES.has(operation) && state.told === 'approved') ? 'money' : 'hold';
}

/** A verdict as the flow is told it: with what a reversal did to the money. */
export function verdictOn({ operation, undoes }: OperationRecord, verdict: Verdict): Verdict {
  const released =
    verdict.outcome === 'completed' && (operation === 'reversal' || operation === 'preAuthorizationReversal');
  if (!released || undoes === 'hold') return verdict;
  return undoes === 'money'
    ? { ...verdict, outcome: 'refunded', moneyMoved: 'yes' }
    : { ...verdict, moneyMoved: 'unknown' };
}
