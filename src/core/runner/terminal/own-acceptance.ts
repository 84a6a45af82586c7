import type { TransactionAccepted } from '../../api/transactions.js';
import { UnreadableAnswerError } from '../../base/errors.js';
import { isSameId } from '../../base/same-id.js';
import { UUID_V4 } from '../../base/uuid.js';
import type { Journal } from '../../journal/journal.js';
import type { TerminalRecord } from '../../journal/record.js';
import { asLostAnswer } from '../answer-read.js';
import { isReferenceOfAnother } from '../named-original.js';

/**
 * Where an intermediary delivers a response twice, the next request on its connection gets it, and would be polled by the id of another
 * payment. An acceptance names the reference of its request, if that has one (spec: POST transactions).
 * @throws UnreadableAnswerError where it names that of another operation; AnswerLostError where the journal cannot say
 */
export async function ownAcceptance(
  record: TerminalRecord,
  accepted: TransactionAccepted,
  journal: Pick<Journal, 'find'>,
): Promise<TransactionAccepted> {
  const { transactionReference: named = '' } = accepted;
  if (!UUID_V4.test(named) || record.references.some((own) => isSameId(named, own))) return accepted;
  const isAnothers = await isReferenceOfAnother(record, named.toLowerCase(), journal).catch(asLostAnswer);
  if (isAnothers) throw new UnreadableAnswerError(202, 'the response is about another reference');
  return accepted;
}
