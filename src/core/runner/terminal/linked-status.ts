import type { TransactionResult } from '../../api/schema/transaction-result.js';
import { withoutAbsent } from '../../base/objects.js';
import type { Journal } from '../../journal/journal.js';
import type { TerminalRecord } from '../../journal/record.js';
import { proofIn } from '../../lifecycle/chain/chain-evidence.js';
import { entryIn, found } from '../../lifecycle/chain/shape.js';
import { type Sought, soughtOnTerminal } from '../../lifecycle/chain/sought.js';
import { takenBackIn } from '../../lifecycle/chain/taken-back.js';
import type { LifecycleEvent } from '../../lifecycle/terminal/lifecycle.js';
import { madeByOthers } from '../others-in-chain.js';

interface Shown {
  event: LifecycleEvent;
  result?: TransactionResult;
}

/**
 * What the original's chain says of a follow-up that was made on a terminal; undefined where that is unclear.
 * @param askedAt when the chain was asked for, epoch ms
 * @throws JournalError
 */
export async function shownByChain(
  chain: readonly TransactionResult[],
  record: TerminalRecord,
  askedAt: number,
  journal: Journal,
): Promise<Shown | undefined> {
  const sought = soughtOnTerminal(record.request);
  if (sought === undefined) return undefined;
  const isDone = record.state.terminal?.meaning === 'approved';
  const own = isDone ? entryIn(chain, record.transactionId) : undefined;
  if (own !== undefined) return doneBy({ by: own }, chain, sought, askedAt);
  const proof = proofIn(chain, sought, undefined, await madeByOthers(journal, record, chain));
  if (proof.says === 'done' && proof.by !== undefined) {
    return doneBy({ by: proof.by, left: proof.left }, chain, sought, askedAt);
  }
  if (proof.says === 'absent' && !isDone) return { event: { type: 'gateway', meaning: 'none', askedAt } };
  // Whose it is nobody knows; that nothing has begun, as the flow was told, cannot be said any more.
  const isToldBusy = record.state.phase === 'listening';
  return isToldBusy ? { event: { type: 'gateway', meaning: 'undefined', askedAt } } : undefined;
}

/** @param left minor units, where some of what was captured or given back went back since */
function doneBy(
  { by: entry, left }: { by: TransactionResult; left?: number | undefined },
  chain: readonly TransactionResult[],
  sought: Sought,
  askedAt: number,
): Shown {
  // A terminal reverses a refund whose card was pulled too early.
  const wentBack = sought.what === 'refund' && found('reversal', chain, chain, entry).about.length > 0;
  const meaning = left === undefined ? 'approved' : 'returned';
  const event = {
    type: 'gateway',
    meaning: wentBack ? 'cancelled' : meaning,
    askedAt,
    net: wentBack ? undefined : left,
    transactionId: entry.transactionID,
    takesBack: sought.what === 'reversal' ? takenBackIn(chain, entry, sought.original) : undefined,
  } as const;
  return { event: withoutAbsent(event), result: entry };
}
