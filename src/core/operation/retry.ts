import type { TransactionResult } from '../api/schema/transaction-result.js';
import type { Operation } from './kinds.js';

/** Whether a flow may try again, and what has to happen first. Every rule about that is in this file. */

/** Whether the flow may send the operation again. */
export type Retry =
  /** Do not: it is done, or will never be possible. */
  | 'never'
  /** A second try can help, and cannot charge twice. */
  | 'safe'
  /** The cardholder has to do something else first: another card, another way to pay. */
  | 'after-cardholder'
  /** Wait for the correction, or for a person: money may have moved. */
  | 'after-recovery'
  /** Settings, a capability or the state of the original have to be changed first. */
  | 'after-change'
  /** Ask for the amount in `amount.due` only, never again for the whole. */
  | 'remainder-only';

/** Refusals that pass by themselves, or that mean that it has been done. Any other one will be the same next time. */
const BY_CODE: ReadonlyMap<string, Retry> = new Map([
  ['1001', 'safe'],
  ['1002', 'safe'],
  ['429', 'safe'],
  ['BATCH_ALREADY_CLOSED', 'never'],
]);

/** ISO 8583, field 39. The service's own codes are longer, and `00` says that no issuer was asked. */
const ISSUER_DECLINE = /^(?!00)[0-9A-Z]{2}$/;

/** `arc` of what the gateway or the terminal declined without asking an issuer. */
const NOT_ONLINE = '1000';

/** Where keyed entry is not enabled they end as FAILED, and no field tells that from another failure. */
const KEYED: ReadonlySet<Operation> = new Set<Operation>([
  'moToSale',
  'moToRefund',
  'moToPreAuthorization',
  'moToReversal',
]);

/** After a refusal. @param code the service's own, or the HTTP status where it gave none */
export function retryAfterRefusal(code = ''): Retry {
  return BY_CODE.get(code) ?? 'after-change';
}

/** Whether an issuer declined. By token, a simulated acquirer says so with HTTP 400 and the code of the issuer. */
export function isIssuerDecline(code = ''): boolean {
  return ISSUER_DECLINE.test(code);
}

/** Whether what a transaction result says will be the same until something is changed. */
export function needsChange(
  operation: Operation,
  { finStatus, arc, transactionID = '' }: Pick<TransactionResult, 'finStatus' | 'arc' | 'transactionID'>,
): boolean {
  if (finStatus !== 'DECLINED' && finStatus !== 'FAILED') return false;
  return arc === NOT_ONLINE || transactionID === '' || (finStatus === 'FAILED' && KEYED.has(operation));
}
