import type { TransactionResult } from '../api/schema/transaction-result.js';
import { saidAmount, toMajorString } from '../base/money.js';
import { present } from '../base/objects.js';
import type { BackOfficeRecord } from '../journal/record.js';
import { type Amount, answeredAmount, entryAmount, requestedAmount, sumOf } from '../lifecycle/back-office/amounts.js';
import type { Reply } from '../lifecycle/back-office/reply.js';
import { originalOf } from '../operation/back-office-order.js';
import { mayBeDone, type Source, type Verdict } from '../operation/verdict.js';
import { chainReferenceOf } from '../original/chain-reference.js';
import type { AmountReport, ResultPayload } from './payload.js';

/** `msg.payload` of an operation that needed no terminal. What it rests on is an answer, or an entry of the chain. */
export function backOfficePayload(
  record: BackOfficeRecord,
  verdict: Verdict,
  source: Source,
  reply: Reply | undefined,
  entry: TransactionResult | undefined,
): ResultPayload {
  const { request } = record;
  return {
    operationId: record.operationId,
    operation: record.operation,
    ...verdict,
    source,
    reference: chainReferenceOf(record) ?? '',
    transactionId: record.transactionId ?? '',
    ...present('originalTransactionId', originalOf(request)),
    ...present('terminal', record.terminal && { ...record.terminal }),
    ...present('amount', amountOf(record, verdict, reply, entry)),
    card: {
      scheme: reply?.scheme ?? entry?.cardSchemeName ?? '',
      masked: reply?.masked ?? entry?.maskedCardNumber ?? '',
      entry: entry?.cardEntryType ?? '',
      verification: entry?.verificationMethod ?? '',
      tender: entry?.tenderType ?? '',
      expiry: reply?.expiry ?? entry?.expiryDateMMYY ?? '',
      ...present('token', reply?.token),
    },
    authorisationCode: reply?.authorisationCode ?? entry?.authorisationCode ?? '',
    issuerCode: reply?.issuerCode ?? entry?.issuerResponseCode ?? '',
    ...present('batch', reply?.batch || entry?.batchNumber || undefined),
    receipts: { customer: { kind: 'none', value: '' }, merchant: { kind: 'none', value: '' } },
    signature: { kind: 'none', value: '' },
    timeline: record.timeline.map((entry) => ({ ...entry })),
    result: { ...(reply?.raw ?? entry?.raw ?? record.result) },
  };
}

/**
 * What the service says that it did wins over what it was asked for. Who asked for the whole learns how much that is from
 * the service, or the journal.
 */
function amountOf(
  { request, reversedAmount }: BackOfficeRecord,
  verdict: Verdict,
  reply: Reply | undefined,
  entry: TransactionResult | undefined,
): AmountReport | undefined {
  const asked = requestedAmount(request);
  const known = reversedAmount && { ...reversedAmount, amount: BigInt(reversedAmount.amount) };
  const shown = entryAmount(entry);
  const own = originalOf(request) === undefined ? shown : undefined;
  const done: Amount | undefined = answeredAmount(request, reply) ?? own ?? asked ?? shown ?? known;
  if (done === undefined) return undefined;
  const { currency, tip } = done;
  const minor = {
    // What was asked for in another currency cannot stand beside what was done.
    requested: Number(sumOf(asked?.currency === currency ? asked : done)),
    total: mayBeDone(verdict) ? Number(sumOf(done)) : 0,
    ...present('tip', integer(tip)),
    ...present('hold', integer(saidAmount(reply?.hold, currency))),
  };
  const decimals = Object.entries(minor).map(([name, value]) => [name, toMajorString(value, currency)]);
  return { currency, ...(Object.fromEntries(decimals) as { requested: string; total: string }), minor };
}

function integer(minor: bigint | undefined): number | undefined {
  return minor === undefined ? undefined : Number(minor);
}
