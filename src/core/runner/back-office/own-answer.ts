import { REVERSAL_TYPES } from '../../api/schema/entry-types.js';
import { UnclearApprovalError, UnreadableAnswerError } from '../../base/errors.js';
import { textOf } from '../../base/objects.js';
import { isSameId } from '../../base/same-id.js';
import { UUID_V4 } from '../../base/uuid.js';
import type { Journal } from '../../journal/journal.js';
import type { BackOfficeRecord } from '../../journal/record.js';
import type { Reply } from '../../lifecycle/back-office/reply.js';
import { isOfUnknownKind } from '../../lifecycle/chain/shape.js';
import { type BackOfficeOperation, hasOwnReference, originalOf } from '../../operation/back-office-order.js';
import { type Kind, kindOf } from '../../operation/kinds.js';
import { belongsToChain, isMadeByAnother, isNoId, isReferenceOfAnother } from '../named-original.js';

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

/** What becomes of a hold may keep its id, and so may a payment that gets a tip. */
const KEEPS_ID: ReadonlySet<Kind> = new Set(['capture', 'hold-change', 'tip']);

/**
 * @param reference that the request was sent with
 * @throws UnreadableAnswerError where an answer is about another transaction; UnclearApprovalError where it approves under a reference
 * that the service may have made for this request; JournalError where the journal cannot say so
 */
export async function checkOwn(
  record: BackOfficeRecord,
  reply: Reply,
  journal: Known,
  reference: string | undefined,
): Promise<void> {
  const why = await whyForeign(record, reply, journal);
  if (why !== undefined) throw new UnreadableAnswerError(200, `the response ${why}`);
  if (!namesOtherReference(reply, reference)) return;
  const about = 'the response is about a reference that nobody knows';
  throw reply.approved ? new UnclearApprovalError(200, about, 'reference') : new UnreadableAnswerError(200, about);
}

/** @throws JournalError */
async function whyForeign(record: BackOfficeRecord, reply: Reply, journal: Known): Promise<string | undefined> {
  if (await namesAnother(record, reply, journal)) return 'is about another transaction';
  if (await namesAnotherChain(record, reply, journal)) return 'is about another reference';
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
  const named = textOf(raw.transactionReference).toLowerCase();
  if (record.operation === 'token' || !UUID_V4.test(named)) return false;
  if (isSameId(named, record.request.originalReference)) return false;
  return isReferenceOfAnother(record, named, journal);
}

/** @param reference that the request was sent with */
export function namesReference({ raw }: Reply, reference: string | undefined): boolean {
  return reference !== undefined && isSameId(textOf(raw.transactionReference), reference);
}

function namesOtherReference({ raw }: Reply, reference: string | undefined): boolean {
  const named = textOf(raw.transactionReference);
  return reference !== undefined && UUID_V4.test(named) && !isSameId(named, reference);
}

async function hasIdOfAnother(record: BackOfficeRecord, reply: Reply, journal: Known): Promise<boolean> {
  const id = reply.transactionId ?? idOfTip(record, reply);
  if (isNoId(id)) return false;
  if (isSameId(id, originalOf(record.request))) {
    // What was declined may be named by what it is about.
    return reply.approved && !KEEPS_ID.has(kindOf(record.operation));
  }
  if (isOlder(record, id)) return true;
  return isMadeByAnother(record, id, journal);
}

/** The chain showed it before this was sent. A change of a hold or a tip may be named by an earlier one, and a reversal by what it takes back. */
function isOlder({ operation, state }: BackOfficeRecord, id: string): boolean {
  const kind = kindOf(operation);
  const isNew = kind === 'capture' || kind === 'refund';
  return isNew && state.baseline?.ids.some((one) => isSameId(id, one)) === true;
}

/** A tip is part of its payment, and named by that. */
function idOfTip({ operation }: BackOfficeRecord, { raw }: Reply): string {
  return operation === 'tip-adjustment' ? textOf(raw.transactionID) : '';
}
