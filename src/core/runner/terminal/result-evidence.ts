import type { TransactionResult } from '../../api/schema/transaction-result.js';
import { withoutAbsent } from '../../base/objects.js';
import { isSameId } from '../../base/same-id.js';
import { UUID_V4 } from '../../base/uuid.js';
import type { Journal } from '../../journal/journal.js';
import type { TerminalRecord } from '../../journal/record.js';
import { takenBackByType } from '../../lifecycle/chain/taken-back.js';
import type { LifecycleEvent } from '../../lifecycle/terminal/lifecycle.js';
import { canBeAsked } from '../../lifecycle/terminal/state.js';
import { isReversal, movesMoney, type ReversedKind } from '../../operation/kinds.js';
import {
  claimsApproval,
  isDescribed,
  isOfAnotherType,
  isRequested,
  type Reading,
  readingOf,
  UNREADABLE,
} from '../../operation/result-meaning.js';
import { needsChange } from '../../operation/retry.js';
import { chainReferenceOf } from '../../original/chain-reference.js';
import { belongsToChain, isMadeByAnother, isNoId, isReferenceOfAnother } from '../named-original.js';

/** What a result that came for an operation on a terminal says of it. */

/** What an answer says, as an event for the lifecycle, and the result that says so. */
export interface Evidence {
  event: LifecycleEvent;
  /** The attempt that it is about; absent: the latest. */
  reference?: string;
  result?: TransactionResult;
}

type Witness = 'callback' | 'poll';

const ENDINGS: ReadonlySet<string> = new Set(['DECLINED', 'CANCELLED', 'FAILED']);

/**
 * The evidence in a result; undefined where it is about another operation. One that came where only this operation's comes, under a
 * reference that nobody knows, may be this operation's, as a service may make references of its own: a question.
 * @param reference the attempt that it came for; absent: the one that it names, else the latest
 * @param askedAt when it was asked for, epoch ms
 * @throws JournalError
 */
export async function resultEvidence(
  record: TerminalRecord,
  result: TransactionResult,
  via: Witness,
  journal: Pick<Journal, 'find'>,
  { reference = referenceIn(record, result), askedAt }: { reference?: string; askedAt?: number } = {},
): Promise<Evidence | undefined> {
  if (reference === undefined) return undefined;
  if (belongs(record, result, reference)) {
    if (await isEndOfAnother(record, result, journal)) return undefined;
    const evidence = terminalEvidence(record, result, via, reference, askedAt);
    return (await isAboutAnother(record, evidence, journal)) ? unreadableEvidence(via, { reference }) : evidence;
  }
  if (result.finStatus === 'IN_PROGRESS') return undefined;
  const [another] = await journal.find({ reference: referenceNamed(result) }, 1);
  return another === undefined ? unreadableEvidence(via, { reference }) : undefined;
}

/** What the journal knows as a hold may have been captured by another system, or the type is wrong: the chain says which. */
function takenBack({ operation, state }: TerminalRecord, { type }: TransactionResult): ReversedKind | undefined {
  const isForChain = !isReversal(operation) || (state.mayBeHold === 'hold' && canBeAsked(state));
  return isForChain ? undefined : takenBackByType(type);
}

function terminalEvidence(
  record: TerminalRecord,
  result: TransactionResult,
  via: Witness,
  reference: string,
  askedAt: number | undefined,
): Evidence {
  const read = readingOf(record.operation, result, record.request);
  // A later result may bring the token; the chain has none.
  const isTokenMissing = record.operation === 'tokenizeCard' && read.meaning === 'approved' && !result.cardToken;
  const reading = isTokenMissing ? UNREADABLE : read;
  const event = withoutAbsent({
    type: 'terminal',
    ...reading,
    isStrange: isDescribed(result) ? undefined : (true as const),
    claims: claimsInVain(record, result, reading, via) || undefined,
    via,
    askedAt,
    transactionId: result.transactionID,
    takesBack: takenBack(record, result),
    isNamed: namesReference(record, result),
    ...changeNeeded(record, result),
  } as const);
  return { event, reference, result };
}

/** An approval that is a question. A part that is polled may be the question on the screen, and to refuse it is no contradiction. */
function claimsInVain(
  { operation }: TerminalRecord,
  { finStatus }: TransactionResult,
  { isUnclear }: Reading,
  via: Witness,
): boolean {
  const mayBePrompt = via === 'poll' && finStatus === 'PARTIAL_APPROVAL';
  return isUnclear === true && movesMoney(operation) && claimsApproval(finStatus) && !mayBePrompt;
}

/**
 * What our reference does not prove to be this operation's: it is no proof where it names the transaction or the reference of another
 * operation, echoes another mark, or is of another type, and an approval is none that names another original. An original that nobody knows is another
 * one, unless no chain can be asked: somebody may have changed a hold since.
 * @throws JournalError
 */
async function isAboutAnother(
  record: TerminalRecord,
  { event, result }: Evidence,
  journal: Pick<Journal, 'find'>,
): Promise<boolean> {
  if (result === undefined || event.type !== 'terminal' || event.meaning === 'in-progress') return false;
  if (!movesMoney(record.operation)) return false;
  const { originalTransactionId: original } = record.request;
  const { transactionID: id = '', originalEFTTransactionID: named = '', transactionReference = '' } = result;
  if (record.state.traceable && transactionReference !== '') return false;
  if (await hasMarkOfAnother(record, result, journal)) return true;
  if (event.via === 'poll' && (await echoesOtherMark(record, result, journal))) return true;
  // The token of a callback proves what it is about; to a poll somebody else's result may come.
  if (event.isUnclear && event.via === 'poll' && isOfAnotherType(record.operation, result)) return true;
  // The result of a follow-up may have the id of its original.
  const isEarlier = !isNoId(id) && !isSameId(id, original) && (await isMadeByAnother(record, id, journal));
  if (isEarlier) return true;
  if (event.isNamed && event.meaning === 'undefined' && event.via === 'poll' && !isRequested(result, record.request))
    return true;
  if (event.isNamed && (await isReferenceOfAnother(record, referenceNamed(result), journal))) return true;
  const isApproval = event.meaning === 'approved' || event.meaning === 'partial';
  if (!isApproval || original === undefined || isNoId(named) || isSameId(named, original)) return false;
  return !((await belongsToChain(record, named, journal)) ?? chainReferenceOf(record) === undefined);
}

/**
 * What ends another operation of this journal ends this one not: an intermediary may have delivered a response twice. The next
 * poll is asked on. @throws JournalError
 */
async function isEndOfAnother(
  record: TerminalRecord,
  result: TransactionResult,
  journal: Pick<Journal, 'find'>,
): Promise<boolean> {
  if (!ENDINGS.has(result.finStatus)) return false;
  if (await hasMarkOfAnother(record, result, journal)) return true;
  const { transactionID: id = '' } = result;
  const named = referenceNamed(result);
  const isOther = UUID_V4.test(named) && !record.references.includes(named);
  if (isOther && (await isReferenceOfAnother(record, named, journal))) return true;
  if (isNoId(id) || isSameId(id, record.request.originalTransactionId)) return false;
  return (await isMadeByAnother(record, id, journal)) && (await belongsToChain(record, id, journal)) !== true;
}

/**
 * The service echoes the `customerReference` (spec: terminal transaction result). A journal that was restored may not know whose
 * another one is. What is made of a payment may echo the mark of that one. @throws JournalError
 */
async function echoesOtherMark(
  { request }: TerminalRecord,
  { customerReference: mark = '' }: TransactionResult,
  journal: Pick<Journal, 'find'>,
): Promise<boolean> {
  const [own, echoed] = [folded(request.customerReference), folded(mark)];
  if (own === '' || echoed === '' || echoed === own) return false;
  const { originalTransactionId: transactionId } = request;
  const originals = transactionId === undefined ? [] : await journal.find({ transactionId });
  return !originals.some(
    (original) => 'customerReference' in original.request && folded(original.request.customerReference) === echoed,
  );
}

/** Spaces at its ends and several in a row are often lost, and letters may come back as others. */
function folded(mark = ''): string {
  return mark.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** It echoes the mark that this journal has given to another operation. @throws JournalError */
async function hasMarkOfAnother(
  { operationId, request }: TerminalRecord,
  { customerReference: mark = '' }: TransactionResult,
  journal: Pick<Journal, 'find'>,
): Promise<boolean> {
  if (!UUID_V4.test(mark) || mark === operationId || mark === request.customerReference) return false;
  return (await journal.find({ operationId: mark }, 1)).length > 0;
}

/** A result that came for an attempt and cannot be read: nobody knows what it says. */
export function unreadableEvidence(
  via: Witness,
  { reference, isStrange = false, claims = false }: { reference?: string; isStrange?: boolean; claims?: boolean } = {},
): Evidence {
  const event = withoutAbsent({
    type: 'terminal',
    ...UNREADABLE,
    via,
    isStrange: isStrange || undefined,
    claims: claims || undefined,
  } as const);
  return reference === undefined ? { event } : { event, reference };
}

/** The service has a reference of its own for what it does not know by ours. */
function namesReference({ state, references }: TerminalRecord, result: TransactionResult): true | undefined {
  const named = referenceNamed(result);
  const isOther = UUID_V4.test(named) && !references.includes(named);
  return !state.traceable && isOther ? true : undefined;
}

export function changeNeeded({ operation }: TerminalRecord, result: TransactionResult): { needsChange?: true } {
  return needsChange(operation, result) ? { needsChange: true } : {};
}

/** The attempt that a polled result is about: the one it names, else the latest. */
function referenceIn({ state, references }: TerminalRecord, result: TransactionResult): string | undefined {
  const named = referenceNamed(result);
  return state.traceable && references.includes(named) ? named : references.at(-1);
}

/** We send it in lower case; a service may keep it otherwise. */
function referenceNamed({ transactionReference = '' }: TransactionResult): string {
  return transactionReference.toLowerCase();
}

/** A result that names another reference is another attempt's or operation's, where the service honours ours. */
export function belongs({ state }: TerminalRecord, result: TransactionResult, reference: string): boolean {
  const named = referenceNamed(result);
  return !state.traceable || named === '' || named === reference;
}
