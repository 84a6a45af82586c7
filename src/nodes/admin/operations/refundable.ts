import { isOffered } from '../../../core/base/capabilities.js';
import { toMajorString } from '../../../core/base/money.js';
import type { OperationRecord } from '../../../core/journal/record.js';
import { isReversal, kindOf } from '../../../core/operation/kinds.js';
import { hasApproval, needsAttention } from '../../../core/operation/outcome.js';
import type { Refundable, RefundWay } from '../contract.js';
import type { Found } from './found.js';

/** What can still be given back of a payment, and in which ways. The service may still refuse it. */

/** @param followUps operations about its transaction @throws JournalError */
export async function refundableOf(
  { environment, engine, record }: Found,
  followUps: readonly OperationRecord[],
): Promise<Refundable | undefined> {
  const { transactionId, operation, state } = record;
  const isPayment = kindOf(operation) === 'charge' || kindOf(operation) === 'capture';
  if (!isPayment || !transactionId || !hasApproval(state.reported) || isUnsettled(followUps)) return undefined;
  const { refundable: left = 0n, currency = '' } = (await engine.balance(transactionId)) ?? {};
  if (left <= 0n) return undefined;
  const { group, checkGroup } = environment.settings;
  const partOffered = !checkGroup || isOffered('partialReversal', group);
  const ways: RefundWay[] = [];
  if (isMoto(record)) ways.push('gateway');
  else if (!hasGoneBack(followUps)) ways.push(partOffered ? 'gateway' : 'gateway-whole');
  if (record.terminal !== undefined) ways.push('terminal');
  return ways.length === 0 ? undefined : { left: toMajorString(left, currency), currency, ways };
}

/** Whether a refund or reversal of it is under way or in doubt: another one could come on top. */
export function isUnsettled(followUps: readonly OperationRecord[]): boolean {
  return givingBack(followUps).some(({ state }) => state.reported === undefined || needsAttention(state.reported));
}

/** A linked refund of a payment without a card needs no card either. */
export function isMoto({ operation }: OperationRecord): boolean {
  return operation === 'moto/sale' || operation === 'moToSale';
}

/** A reversal replaces an earlier partial one, and the service refuses it after a refund. */
function hasGoneBack(followUps: readonly OperationRecord[]): boolean {
  return givingBack(followUps).some(({ state }) => hasApproval(state.reported));
}

function givingBack(followUps: readonly OperationRecord[]): OperationRecord[] {
  return followUps.filter(({ operation }) => kindOf(operation) === 'refund' || isReversal(operation));
}
