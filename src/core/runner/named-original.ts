import type { MotoResult } from '../api/moto.js';
import type { PreauthorizationResult } from '../api/preauthorization.js';
import type { ReversalResult } from '../api/reversal.js';
import type { TipResult } from '../api/tip.js';
import { isRedacted } from '../base/privacy/redact.js';
import { isSameId } from '../base/same-id.js';
import { isZeros } from '../base/uuid.js';
import type { Journal } from '../journal/journal.js';
import { type OperationRecord, originalIn } from '../journal/record.js';
import { chainReferenceOf } from '../original/chain-reference.js';

/** The transactions that an answer names: its own, and its original, or what belongs to that. */

export type PaymentResult = ReversalResult | MotoResult | PreauthorizationResult | TipResult;

/** What an answer of the back office names as its original, in each field that it has for that. */
export function namedIn(read: PaymentResult): string[] {
  const { originalGuid = '', originalEFTTransactionID = '' } = read;
  const { preAuthorizationGuid = '' } = 'preAuthorizationGuid' in read ? read : {};
  return [originalGuid, originalEFTTransactionID, preAuthorizationGuid];
}

/** What looked like a card number is not compared. */
export function isNoId(named: string): boolean {
  return named === '' || isZeros(named) || isRedacted(named);
}

/**
 * Whether a transaction belongs to the chain of what an operation is about: what is captured may be named by its hold, a hold by
 * what has changed it. Undefined where the journal does not know that transaction. @throws JournalError
 */
export async function belongsToChain(
  record: OperationRecord,
  transactionId: string,
  journal: Pick<Journal, 'find'>,
): Promise<boolean | undefined> {
  const original = originalIn(record);
  if (original === undefined) return false;
  const ofOriginal = await journal.find({ transactionId: original });
  if (ofOriginal.some((one) => isSameId(transactionId, originalIn(one)))) return true;
  const made = await journal.find({ transactionId });
  if (made.length === 0) return undefined;
  const reference = chainReferenceOf(record);
  return made.some(
    (one) =>
      isSameId(original, originalIn(one)) || (reference !== undefined && isSameId(reference, chainReferenceOf(one))),
  );
}

/**
 * Whether another operation has made a transaction: to a request that equals an earlier one a service may give the earlier answer.
 * @throws JournalError
 */
export async function isMadeByAnother(
  { operationId, environment }: OperationRecord,
  transactionId: string,
  journal: Pick<Journal, 'find'>,
): Promise<boolean> {
  const made = await journal.find({ transactionId });
  return made.some((one) => one.operationId !== operationId && one.environment === environment);
}

/**
 * Whether a reference is that of another operation, of whose chain this one is no part. A follow-up is often named by the reference of
 * its original, which may be any where the journal does not know that original. @throws JournalError
 */
export async function isReferenceOfAnother(
  record: OperationRecord,
  reference: string,
  journal: Pick<Journal, 'find'>,
): Promise<boolean> {
  const own = chainReferenceOf(record);
  const original = originalIn(record);
  const isKnown = original !== undefined && (await journal.find({ transactionId: original })).length > 0;
  const mayBeAny = own === undefined && original !== undefined && !isKnown;
  for (const one of await journal.find({ reference })) {
    if (one.operationId === record.operationId || isOfChain(one, own)) continue;
    const { transactionId = '' } = one;
    if (isNoId(transactionId)) return true;
    if (mayBeAny) continue;
    const belongs = isSameId(transactionId, original) || (await belongsToChain(record, transactionId, journal));
    if (belongs !== true) return true;
  }
  return false;
}

function isOfChain(one: OperationRecord, reference: string | undefined): boolean {
  return [...one.references, chainReferenceOf(one) ?? ''].some((of) => isSameId(of, reference));
}
