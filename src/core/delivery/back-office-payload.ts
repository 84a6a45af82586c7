import { readableResult, type TransactionResult } from '../api/schema/transaction-result.js';
import { saidAmount } from '../base/money.js';
import { withoutCardNumbers, withoutRedacted } from '../base/privacy/redact.js';
import type { BackOfficeRecord } from '../journal/record.js';
import {
  type Amount,
  answeredAmount,
  entryAmount,
  requestedAmount,
  sumOf,
  totalOf,
  wholeAmount,
} from '../lifecycle/back-office/amounts.js';
import type { Reply, SaidAmounts } from '../lifecycle/back-office/reply.js';
import { type BackOfficeOrder, originalOf } from '../operation/back-office-order.js';
import { isUnsaid, mayBeDone, type Source, type Verdict } from '../operation/verdict.js';
import { chainReferenceOf } from '../original/chain-reference.js';
import type { AmountReport, ResultPayload } from './payload.js';
import { amountReport, resultPayload } from './result-payload.js';

/**
 * `msg.payload` of an operation of the back office.
 * @param reply the answer the verdict rests on
 * @param entry the entry of the chain the verdict rests on, where the answer was lost
 */
export function backOfficePayload(
  record: BackOfficeRecord,
  verdict: Verdict,
  source: Source,
  reply: Reply | undefined,
  entry: TransactionResult | undefined,
): ResultPayload {
  // A decline that nobody confirms may name the amount of nothing.
  const amount = isUnsaid(verdict)
    ? amountOf(record, verdict, undefined, undefined)
    : amountOf(record, verdict, reply ?? record.said, entry ?? recordedEntry(record));
  return resultPayload(record, verdict, source, {
    reference: chainReferenceOf(record),
    originalTransactionId: originalOf(record.request),
    terminal: record.terminal,
    amount,
    card: {
      scheme: reply?.scheme ?? entry?.cardSchemeName,
      masked: reply?.masked ?? entry?.maskedCardNumber,
      entry: entry?.cardEntryType,
      verification: entry?.verificationMethod,
      tender: entry?.tenderType,
      expiry: reply?.expiry ?? entry?.expiryDateMMYY,
      token: reply?.token,
    },
    authorisationCode: reply?.authorisationCode ?? entry?.authorisationCode,
    issuerCode: reply?.issuerCode ?? entry?.issuerResponseCode,
    batch: reply?.batch || entry?.batchNumber,
    result: withoutCardNumbers(reply?.raw ?? entry?.raw ?? record.result ?? {}),
  });
}

/** The entry that the verdict rests on, from the journal. */
function recordedEntry({ said, result }: BackOfficeRecord): TransactionResult | undefined {
  return said === undefined && result !== undefined ? readableResult(withoutRedacted(result)) : undefined;
}

/**
 * What the service says it did wins over what was requested. For a reversal of the whole, the service or the journal
 * says how much that is.
 */
function amountOf(
  record: BackOfficeRecord,
  verdict: Verdict,
  reply: SaidAmounts | undefined,
  entry: TransactionResult | undefined,
): AmountReport | undefined {
  const { request, state } = record;
  const requested = requestedAmount(request);
  const whole = wholeAmount(record);
  const fromChain = entryAmount(entry);
  // The entry that proves a tip may be the original's, with the original's amount; that of a changed hold may show the whole
  // hold.
  const isOwn = entry?.transactionID !== originalOf(request) && request.operation !== 'preauthorization/increase';
  const ownEntry = isOwn ? fromChain : undefined;
  const answered = answeredAmount(requested ?? whole, reply);
  const done: Amount | undefined = answered ?? ownEntry ?? requested ?? fromChain ?? whole;
  if (done === undefined) return undefined;
  const { currency, tip, surcharge } = done;
  const asked = requested ?? (verdict.outcome === 'partial' ? whole : undefined);
  return amountReport(currency, {
    // An amount requested in another currency cannot stand beside what was done.
    requested: Number(sumOf(asked?.currency === currency ? asked : done)),
    total: mayBeDone(verdict) ? (state.left ?? Number(totalOf(done))) : 0,
    tip: integer(tip) ?? (ownEntry && (entry?.tipAmount || undefined)),
    hold: integer(saidAmount(reply?.hold, currency)) ?? (holds(request) ? entry?.holdAmount : undefined),
    surcharge: integer(surcharge),
  });
}

function holds({ operation }: BackOfficeOrder): boolean {
  return operation === 'preauthorization/increase';
}

function integer(minor: bigint | undefined): number | undefined {
  return minor === undefined ? undefined : Number(minor);
}
