import type { TransactionResult } from '../../api/schema/transaction-result.js';
import { saidAmount } from '../../base/money.js';
import { isSameId } from '../../base/same-id.js';
import { type Proof, proofIn } from '../chain/chain-evidence.js';
import { increasedBy } from '../chain/increased-by.js';
import type { Sought } from '../chain/sought.js';
import { type AmountMismatch, amountMismatch, answeredAmount, requestedAmount, sumOf, wholeAmount } from './amounts.js';
import type { Asked } from './asked.js';
import type { Reply } from './reply.js';
import { canReconcile } from './state.js';

/**
 * An answer that approves another amount than was asked for may be the answer to another request: that it was done, and how much of
 * it, it says only together with the chain.
 */

/** Why the chain has to say how much was done; undefined where the answer says it. */
export function whyForChain(record: Asked, reply: Reply): string | undefined {
  if (!reply.approved) return undefined;
  if (isOtherChange(record, reply))
    return 'approves a change of the hold, and names a hold that did not change by that much';
  const isOther = canReconcile(record.state) && amountMismatch(record, reply) !== undefined;
  return isOther ? 'approves another amount than was asked for' : undefined;
}

/** The hold that the answer names did not change by what was asked for: that may have been done twice, or somebody else changed it. */
function isOtherChange({ request, state }: Asked, { hold, currency }: Reply): boolean {
  const { hold: before } = state.baseline ?? {};
  if (request.operation !== 'preauthorization/increase' || before === undefined) return false;
  const { increaseAmount, subtract, currency: asked } = request.body;
  const after = saidAmount(hold, currency || asked);
  if (after === undefined) return false;
  const change = subtract === undefined ? after - BigInt(before) : BigInt(before) - after;
  return change !== saidAmount(increaseAmount, currency || asked);
}

/** What an answer and the chain say together: the transaction that the answer names is there, and as much as it says. */
export function confirmed(
  record: Asked,
  reply: Reply,
  sought: Sought,
  chain: readonly TransactionResult[],
  others: ReadonlySet<TransactionResult>,
): (Proof & { says: 'done'; difference?: AmountMismatch }) | undefined {
  if (isOtherChange(record, reply)) {
    const by = namedChange(record, reply, sought, chain, others);
    return by && { says: 'done', by };
  }
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

/** The increase that the answer names, where it alone came since, and is as much as was asked for. */
function namedChange(
  record: Asked,
  reply: Reply,
  sought: Sought,
  chain: readonly TransactionResult[],
  others: ReadonlySet<TransactionResult>,
): TransactionResult | undefined {
  if (amountMismatch(record, reply) !== undefined) return undefined;
  const { currency = requestedAmount(record.request)?.currency, hold, transactionId } = reply;
  const held = saidAmount(hold, currency);
  const by = increasedBy(chain, sought, record.state.baseline, others);
  if (by === undefined || !isSameId(by.transactionID ?? '', transactionId)) return undefined;
  return by.holdAmount === undefined || BigInt(by.holdAmount) === held ? by : undefined;
}
