import type { TransactionResult } from '../../api/schema/transaction-result.js';
import type { BackOfficeRecord } from '../../journal/record.js';
import {
  type AmountMismatch,
  amountMismatch,
  answeredAmount,
  requestedAmount,
  sumOf,
  wholeAmount,
} from '../../lifecycle/back-office/amounts.js';
import type { Reply } from '../../lifecycle/back-office/reply.js';
import { canReconcile } from '../../lifecycle/back-office/state.js';
import { type Proof, proofIn } from '../../lifecycle/chain/chain-evidence.js';
import type { Sought } from '../../lifecycle/chain/sought.js';
import { isSameId } from '../named-original.js';

/**
 * An answer that approves another amount than was asked for may be the answer to another request: that it was done, and how much of
 * it, it says only together with the chain.
 */

/** Whether the chain has to say how much was done. */
export function isForChain(record: BackOfficeRecord, reply: Reply): boolean {
  return reply.approved && canReconcile(record.state) && amountMismatch(record, reply) !== undefined;
}

/** What an answer and the chain say together: the transaction that the answer names is there, and as much as it says. */
export function confirmed(
  record: BackOfficeRecord,
  reply: Reply,
  sought: Sought,
  chain: readonly TransactionResult[],
  others: ReadonlySet<TransactionResult>,
): (Proof & { says: 'done'; difference?: AmountMismatch }) | undefined {
  const said = answeredAmount(requestedAmount(record.request) ?? wholeAmount(record), reply);
  if (said === undefined) return undefined;
  const isDecrease = (sought.amount ?? 0) < 0;
  const amount = Number(isDecrease ? -sumOf(said) : sumOf(said));
  const proof = proofIn(chain, { ...sought, amount }, record.state.baseline, others);
  if (proof.says !== 'done' || proof.by?.currency !== said.currency) return undefined;
  if (!isSameId(proof.by.transactionID ?? '', reply.transactionId)) return undefined;
  const difference = amountMismatch(record, reply);
  return difference === undefined ? proof : { ...proof, difference };
}
