import type { Journal } from '../journal/journal.js';
import { type OperationRecord, originalIn, waitsForTurn } from '../journal/record.js';
import { type Kind, kindOf, movesMoney } from '../operation/kinds.js';
import { allOf, givesBack, isDone, isUndecided } from '../original/later.js';

type Known = Pick<Journal, 'find'>;

/** What was told as "no" leaves nothing to wait for. */
export function mayHaveMoved(one: OperationRecord): boolean {
  return movesMoney(one.operation) && (isDone(one) || isUndecided(one));
}

/**
 * What has to show before this is sent to the gateway, where that is not every change: a reversal takes the place of an earlier
 * one, but gives back what refunds gave back as well.
 */
export const HAS_TO_SHOW: Partial<Record<Kind, (one: OperationRecord) => boolean>> = {
  tip: givesBack,
  reversal: (one) => kindOf(one.operation) === 'refund' && mayHaveMoved(one),
};

/**
 * When another operation of this journal may have changed the original last, epoch ms. What gives back a capture changes its hold,
 * and the other way round.
 * @param changes whether an operation counts
 * @throws JournalError
 */
export async function lastChange(
  journal: Known,
  record: OperationRecord,
  changes = ({ operation }: OperationRecord) => movesMoney(operation),
): Promise<number> {
  const original = originalIn(record);
  if (original === undefined) return 0;
  const others = await allAbout(journal, original);
  const changing = others.filter((one) => one.operationId !== record.operationId && changes(one));
  const sent = changing.filter((one) => !waitsForTurn(one));
  return Math.max(0, ...sent.map(({ updatedAt }) => updatedAt));
}

async function allAbout(journal: Known, original: string): Promise<OperationRecord[]> {
  const direct = await journal.find({ original });
  const [made] = await journal.find({ transactionId: original }, 1);
  const hold = made && kindOf(made.operation) === 'capture' ? originalIn(made) : undefined;
  const captures = allOf('capture', direct).map(({ transactionId }) => transactionId);
  const related = [hold, ...captures].filter((id) => id !== undefined);
  const indirect = await Promise.all(related.map((id) => journal.find({ original: id })));
  return [...direct, ...indirect.flat().filter(givesBack)];
}
