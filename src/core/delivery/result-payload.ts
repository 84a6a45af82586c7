import { toMajorString } from '../base/money.js';
import { withoutAbsent } from '../base/objects.js';
import { redactText } from '../base/privacy/redact.js';
import type { OperationRecord } from '../journal/record.js';
import type { PendingDelivery } from '../operation/delivery-state.js';
import { decreaseOf, type ToldOperation } from '../operation/kinds.js';
import { type Source, UNKNOWN, type Verdict } from '../operation/verdict.js';
import type { AmountReport, CardReport, Receipt, Receipts, ResultPayload, Signature } from './payload.js';

/** What is known beside the verdict. Everything may be absent. */
interface Details
  extends Partial<
    Pick<
      ResultPayload,
      | 'reference'
      | 'transactionId'
      | 'originalTransactionId'
      | 'resultId'
      | 'terminal'
      | 'amount'
      | 'authorisationCode'
      | 'issuerCode'
      | 'batch'
      | 'device'
      | 'result'
    >
  > {
  card?: Partial<CardReport>;
  customerReceipt?: string;
  merchantReceipt?: string;
  signature?: string;
}

/** What is told of a record, whatever its verdict. */
export type ToldRecord = Pick<OperationRecord, 'operationId' | 'operation' | 'timeline'> & {
  request: OperationRecord['request'] | { amount?: string };
} & Partial<Pick<OperationRecord, 'attempt' | 'transactionId'>>;

/** `msg.payload` of an operation: the fields a flow may read unchecked are always there, empty where nothing is known. */
export function resultPayload(record: ToldRecord, verdict: Verdict, source: Source, details: Details): ResultPayload {
  return withoutAbsent({
    operationId: record.operationId,
    operation: operationOf(record),
    attempt: record.attempt,
    ...verdict,
    source,
    reference: details.reference ?? '',
    transactionId: record.transactionId ?? details.transactionId ?? '',
    originalTransactionId: details.originalTransactionId,
    resultId: details.resultId,
    terminal: details.terminal && { ...details.terminal },
    amount: details.amount,
    card: cardReport(details.card),
    authorisationCode: details.authorisationCode ?? '',
    issuerCode: details.issuerCode ?? '',
    batch: details.batch || undefined,
    receipts: receiptsIn(details),
    signature: signatureOf(details.signature),
    device: details.device,
    timeline: record.timeline.map((entry) => ({ ...entry })),
    result: { ...details.result },
  });
}

function operationOf({ operation, request }: Pick<ToldRecord, 'operation' | 'request'>): ToldOperation {
  const isLess =
    'body' in request ? 'subtract' in request.body && request.body.subtract !== undefined : isNegative(request);
  return isLess ? decreaseOf(operation) : operation;
}

function isNegative({ amount = '' }: { amount?: string }): boolean {
  return amount.startsWith('-');
}

/** For a payload that cannot be built: the flow still learns of the payment, its outcome, and that a person must look. */
export function barePayload(
  record: OperationRecord,
  { verdict, source }: Pick<PendingDelivery, 'verdict' | 'source'>,
  problem: unknown,
): ResultPayload {
  const { outcome, moneyMoved, final } = verdict;
  const message = redactText(
    `${outcome}, money moved: ${moneyMoved}; the rest of the result could not be built (${String(problem)})`,
  );
  const error = { code: 'UNTELLABLE', name: 'Untellable', message };
  return resultPayload(record, { ...UNKNOWN, final, error }, source, { result: record.result });
}

/** @param minor integers in minor units */
export function amountReport(currency: string, minor: AmountReport['minor']): AmountReport {
  const known = withoutAbsent(minor);
  const decimals = Object.entries(known).map(([name, value]) => [name, toMajorString(value, currency)]);
  return { currency, ...(Object.fromEntries(decimals) as { requested: string; total: string }), minor: known };
}

function cardReport(card: Partial<CardReport> = {}): CardReport {
  const empty = { scheme: '', masked: '', entry: '', verification: '', tender: '', expiry: '' };
  return { ...empty, ...withoutAbsent(card) };
}

/** The receipts in a result of the service. */
export function receiptsIn(said: { customerReceipt?: string; merchantReceipt?: string }): ResultPayload['receipts'] {
  return { customer: receiptOf(said.customerReceipt), merchant: receiptOf(said.merchantReceipt) };
}

/**
 * A payload from the journal, with the receipts that were kept apart from it. The status service has none, so what rests on
 * it had none: those that were kept belong to an earlier result.
 */
export function withReceipts(payload: ResultPayload, source: Source, receipts: Receipts | undefined): ResultPayload {
  if (receipts === undefined || source === 'status') return payload;
  // The journal keeps addresses itself, and the secret that opens a kept receipt may be another one by now.
  const { customer, merchant } = payload.receipts;
  const either = (kept: Receipt, recorded: Receipt): Receipt => (kept.kind === 'none' ? recorded : kept);
  return {
    ...payload,
    receipts: { customer: either(receipts.customer, customer), merchant: either(receipts.merchant, merchant) },
  };
}

/** A receipt comes as a URL, as HTML, or not at all. */
function receiptOf(value = ''): Receipt {
  if (value === '') return { kind: 'none', value };
  return { kind: value.trimStart().startsWith('<') ? 'html' : 'url', value };
}

/** A signature comes as a URL, or as base64 of the picture where its upload failed. */
function signatureOf(value = ''): Signature {
  if (value === '') return { kind: 'none', value };
  return { kind: value.startsWith('http') ? 'url' : 'png', value };
}
