import { REVERSAL_TYPES } from '../../api/schema/entry-types.js';
import { AnswerLostError, JournalError, UnreadableAnswerError } from '../../base/errors.js';
import { textOf } from '../../base/objects.js';
import { isSameId } from '../../base/same-id.js';
import { UUID_V4 } from '../../base/uuid.js';
import type { Journal } from '../../journal/journal.js';
import type { BackOfficeRecord } from '../../journal/record.js';
import type { Reply } from '../../lifecycle/back-office/reply.js';
import { isOfUnknownKind } from '../../lifecycle/chain/shape.js';
import { type BackOfficeOperation, hasOwnReference, originalOf } from '../../operation/back-office-order.js';
import { kindOf } from '../../operation/kinds.js';
import { chainReferenceOf } from '../../original/chain-reference.js';
import { belongsToChain, isMadeByAnother, isNoId } from '../named-original.js';

/** Whose an answer is. What is about another transaction says as much of this one as a lost answer. */

type Known = Pick<Journal, 'find'>;

/** The types that an approval may have, where it has one that the service describes. That of a change, or of a tip, may be its original's. */
const TYPES: Partial<Record<BackOfficeOperation, ReadonlySet<string>>> = {
  reversal: REVERSAL_TYPES,
  'moto/sale': new Set(['MOTO_SALE', 'SALE']),
  'moto/refund': new Set(['MOTO_REFUND', 'REFUND']),
  'moto/reversal': REVERSAL_TYPES,
  'preauthorization/capture': new Set(['PRE_AUTHORIZATION_CAPTURE']),
  'preauthorization/increase': new Set(['PRE_AUTHORIZATION_INCREASE', 'PRE_AUTHORIZATION']),
  'tip-adjustment': new Set([
    'TIP_ADJUSTMENT',
    'SALE',
    'SALE_AND_TOKENIZE_CARD',
    'MOTO_SALE',
    'PRE_AUTHORIZATION_CAPTURE',
  ]),
};

/** @throws UnreadableAnswerError where an answer is about another transaction; AnswerLostError where the journal cannot say so */
export async function checkOwn(record: BackOfficeRecord, reply: Reply, journal: Known): Promise<void> {
  const why = await whyForeign(record, reply, journal).catch((error) => {
    // Here it would say that nothing was sent.
    throw error instanceof JournalError ? new AnswerLostError(error.message, { cause: error }) : error;
  });
  if (why !== undefined) throw new UnreadableAnswerError(200, `the response ${why}`);
}

/** @throws JournalError */
async function whyForeign(record: BackOfficeRecord, reply: Reply, journal: Known): Promise<string | undefined> {
  if (await namesAnother(record, reply, journal)) return 'is about another transaction';
  if (await namesAnotherChain(record, reply, journal)) return 'is about another reference';
  if (!reply.approved) return undefined;
  const { type = '' } = reply;
  const isOfAnotherKind = !isOfUnknownKind({ type }) && TYPES[record.operation]?.has(type) === false;
  if (isOfAnotherKind) return `has the type ${type}`;
  return (await hasIdOfAnother(record, reply, journal)) ? 'has the id of another transaction' : undefined;
}

/**
 * What has no original, and a reference of its own to be asked by, is answered with none, or with its own id. What names this original,
 * too, may name with it what the journal does not know, such as another system's change of the hold.
 */
async function namesAnother(
  record: BackOfficeRecord,
  { about = [], transactionId }: Reply,
  journal: Known,
): Promise<boolean> {
  const original = originalOf(record.request);
  const named = about.filter((id) => !isNoId(id));
  const others = named.filter((id) => !isSameId(id, original));
  if (others.length === 0) return false;
  if (original === undefined) {
    const isAskable = hasOwnReference(record.request) && record.state.traceable;
    return isAskable && others.some((id) => !isSameId(id, transactionId));
  }
  const { ids = [] } = record.state.baseline ?? {};
  for (const id of others) {
    if (ids.some((one) => isSameId(id, one))) continue;
    const belongs = await belongsToChain(record, id, journal);
    if (belongs === false || (belongs === undefined && others.length === named.length)) return true;
  }
  return false;
}

/** A follow-up may have a reference that the service has made for it; that of another payment of this journal is none. */
async function namesAnotherChain(record: BackOfficeRecord, { raw }: Reply, journal: Known): Promise<boolean> {
  const { originalReference } = record.request;
  const named = textOf(raw.transactionReference).toLowerCase();
  if (originalReference === undefined || record.operation === 'token') return false;
  if (!UUID_V4.test(named) || isSameId(named, originalReference)) return false;
  const others = await journal.find({ reference: named });
  return others.some(
    (one) =>
      one.operationId !== record.operationId &&
      !one.references.some((reference) => isSameId(reference, originalReference)) &&
      !isSameId(originalReference, chainReferenceOf(one)),
  );
}

/** @param reference that the request was sent with */
export function namesReference({ raw }: Reply, reference: string | undefined): boolean {
  return reference !== undefined && isSameId(textOf(raw.transactionReference), reference);
}

async function hasIdOfAnother(record: BackOfficeRecord, reply: Reply, journal: Known): Promise<boolean> {
  const { transactionId = '' } = reply;
  if (isNoId(transactionId)) return false;
  if (isSameId(transactionId, originalOf(record.request))) {
    const kind = kindOf(record.operation);
    // What becomes of a hold may keep its id.
    return kind !== 'capture' && kind !== 'hold-change';
  }
  return isMadeByAnother(record, transactionId, journal);
}
