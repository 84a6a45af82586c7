import type { TransactionResult } from '../api/transaction-result.js';
import { chainReferenceOf } from '../chain-reference.js';
import { exponentOf, fromMajorString, saidAmount, toMajorString } from '../money.js';
import type { AmountReport, BackOfficeRecord, ResultPayload, Source, Verdict } from '../operation.js';
import { present } from '../present.js';
import { mayBeDone } from '../verdict.js';
import { type BackOfficeOrder, originalOf } from './operations.js';
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

/** Minor units. */
interface Worth {
  currency: string;
  amount: bigint;
  tip?: bigint;
}

/** Amounts in the currency of the request. Who asked for the whole learns how much that is from the service, or the journal. */
function amountOf(
  { request, whole }: BackOfficeRecord,
  verdict: Verdict,
  reply: Reply | undefined,
  entry: TransactionResult | undefined,
): AmountReport | undefined {
  const worth = askedWorth(request) ?? saidWorth(reply, entry) ?? (whole && { ...whole, amount: BigInt(whole.amount) });
  if (worth === undefined) return undefined;
  const { currency, amount, tip }: Worth = worth;
  const requested = Number(amount + (tip ?? 0n));
  const minor = {
    requested,
    total: mayBeDone(verdict) ? requested : 0,
    ...present('tip', integer(tip)),
    ...present('hold', integer(saidAmount(reply?.hold, currency))),
  };
  const decimals = Object.entries(minor).map(([name, value]) => [name, toMajorString(value, currency)]);
  return { currency, ...(Object.fromEntries(decimals) as { requested: string; total: string }), minor };
}

function askedWorth(order: BackOfficeOrder): Worth | undefined {
  const asked = askedOf(order);
  if (asked === undefined) return undefined;
  const { currency, amount, tip } = asked;
  const added = tip === undefined ? {} : { tip: fromMajorString(tip, currency) };
  return { currency, amount: fromMajorString(amount, currency), ...added };
}

/** Undefined where nothing is said, or nothing that can be read. */
function saidWorth(reply: Reply | undefined, entry: TransactionResult | undefined): Worth | undefined {
  const answered = saidAmount(reply?.amount, reply?.currency);
  if (answered !== undefined) return { currency: reply?.currency ?? '', amount: answered };
  const { currency = '', totalAmount } = entry ?? {};
  return totalAmount === undefined || exponentOf(currency) === undefined
    ? undefined
    : { currency, amount: BigInt(totalAmount) };
}

function integer(minor: bigint | undefined): number | undefined {
  return minor === undefined ? undefined : Number(minor);
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
