import type { TransactionResult } from '../api/transaction-result.js';
import { fromMajorString, toMajorString } from '../money.js';
import type { AmountReport, BackOfficeRecord, ResultPayload, Source, Verdict } from '../operation.js';
import { present } from '../present.js';
import { type BackOfficeOrder, hasOwnReference, originalOf } from './operations.js';
import type { Reply } from './reply.js';

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
    reference: (hasOwnReference(request) ? record.references.at(-1) : request.originalReference) ?? '',
    transactionId: record.transactionId ?? '',
    ...present('originalTransactionId', originalOf(request)),
    ...present('terminal', record.terminal && { ...record.terminal }),
    ...present('amount', amountOf(request, verdict, reply)),
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

function amountOf(order: BackOfficeOrder, { outcome }: Verdict, reply: Reply | undefined): AmountReport | undefined {
  const asked = askedOf(order);
  if (asked === undefined) return undefined;
  const { currency } = asked;
  const amount = Number(fromMajorString(asked.amount, currency));
  const tip = asked.tip === undefined ? undefined : Number(fromMajorString(asked.tip, currency));
  const done = outcome === 'approved' || outcome === 'refunded' || outcome === 'completed';
  const requested = amount + (tip ?? 0);
  const minor = {
    requested,
    total: done ? requested : 0,
    ...present('tip', tip),
    ...present('hold', reply?.hold === undefined ? undefined : Number(fromMajorString(reply.hold, currency))),
  };
  const decimals = Object.entries(minor).map(([name, value]) => [name, toMajorString(value, currency)]);
  return { currency, ...(Object.fromEntries(decimals) as { requested: string; total: string }), minor };
}

/** What was asked for, in major units; undefined where no amount or no currency was. */
export function askedOf({
  operation,
  body,
}: BackOfficeOrder): { amount: string; tip?: string; currency: string } | undefined {
  switch (operation) {
    case 'preauthorization/capture':
      return body.currency === undefined
        ? undefined
        : { amount: body.capturedAmount, tip: body.tipAmount, currency: body.currency };
    case 'preauthorization/increase':
      return body.currency === undefined ? undefined : { amount: body.increaseAmount, currency: body.currency };
    case 'token':
    case 'batch/close':
    case 'batch/summary':
    case 'batch/detail':
      return undefined;
    default:
      return body.amount === undefined || body.currency === undefined
        ? undefined
        : { amount: body.amount, currency: body.currency };
  }
}
