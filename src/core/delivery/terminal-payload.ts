import type { TransactionResult } from '../api/schema/transaction-result.js';
import { exponentOf } from '../base/currencies.js';
import { toMajorString } from '../base/money.js';
import { present } from '../base/objects.js';
import { redactText, withoutCardNumber } from '../base/redact.js';
import type { OperationRecord, TerminalRecord } from '../journal/record.js';
import type { PendingDelivery } from '../operation/delivery-state.js';
import { movesMoney } from '../operation/kinds.js';
import { mayBeDone, type Source, UNKNOWN, type Verdict } from '../operation/verdict.js';
import { chainReferenceOf } from '../original/chain-reference.js';
import { reasonIn } from './decline-reason.js';
import type { AmountReport, CardReport, Receipt, ResultPayload, Signature } from './payload.js';

/**
 * `msg.payload` of a message that leaves an action node.
 * @param result the result the verdict rests on; absent where none came.
 */
export function payloadOf(
  record: TerminalRecord,
  verdict: Verdict,
  source: Source,
  result: TransactionResult | undefined,
): ResultPayload {
  return {
    operationId: record.operationId,
    operation: record.operation,
    ...verdict,
    ...present('error', verdict.error ?? errorIn(verdict, result)),
    source,
    reference: chainReferenceOf(record) ?? '',
    transactionId: record.transactionId ?? result?.transactionID ?? '',
    ...present('originalTransactionId', result?.originalEFTTransactionID || record.request.originalTransactionId),
    ...present('resultId', record.resultId),
    terminal: { ...record.terminal },
    ...present('amount', amountOf(record, verdict, result)),
    card: cardOf(result),
    authorisationCode: result?.authorisationCode ?? '',
    issuerCode: result?.issuerResponseCode ?? '',
    ...present('batch', result?.batchNumber || undefined),
    receipts: { customer: receiptOf(result?.customerReceipt), merchant: receiptOf(result?.merchantReceipt) },
    signature: signatureOf(result?.signatureUrl),
    ...present('device', result?.deviceStatus),
    timeline: record.timeline.map((entry) => ({ ...entry })),
    result: { ...bodyOf(record, result) },
  };
}

/** Why it was not done, in the words of the service. */
function errorIn({ outcome }: Verdict, result: TransactionResult | undefined): Verdict['error'] {
  const reason = reasonIn(outcome, result?.raw);
  if (result === undefined || reason === undefined) return undefined;
  const { code, message } = reason;
  const name = `${outcome.slice(0, 1).toUpperCase()}${outcome.slice(1)}`;
  return { code: code || result.finStatus, name, message: message || outcome };
}

/** What is told where nothing more can be said: the payment, what became of it, and that a person must look. */
export function barePayload(
  record: OperationRecord,
  { verdict, source }: Pick<PendingDelivery, 'verdict' | 'source'>,
  problem: unknown,
): ResultPayload {
  const { outcome, moneyMoved, final } = verdict;
  const message = redactText(`${outcome}, money moved: ${moneyMoved}; the rest cannot be told (${String(problem)})`);
  return {
    operationId: record.operationId,
    operation: record.operation,
    ...UNKNOWN,
    final,
    error: { code: 'UNTELLABLE', name: 'Untellable', message },
    source,
    reference: '',
    transactionId: record.transactionId ?? '',
    card: cardOf(undefined),
    authorisationCode: '',
    issuerCode: '',
    receipts: { customer: receiptOf(), merchant: receiptOf() },
    signature: signatureOf(),
    timeline: record.timeline.map((entry) => ({ ...entry })),
    result: { ...record.result },
  };
}

/**
 * Amounts in the currency of the request; what is known only from a result is left out where it did not say. A release
 * asks for no amount: its result says how much was held, or the journal.
 */
function amountOf(
  { operation, request, reversedAmount }: TerminalRecord,
  verdict: Verdict,
  result: TransactionResult | undefined,
): AmountReport | undefined {
  const {
    amount = result?.totalAmount || reversedAmount?.amount,
    currency = result?.currency || reversedAmount?.currency || '',
  } = request;
  if (!movesMoney(operation) || amount === undefined || exponentOf(currency) === undefined) return undefined;
  const requested = Number(amount);
  const minor = {
    requested,
    total: mayBeDone(verdict) ? (result?.totalAmount ?? requested) : 0,
    ...present('tip', result?.tipAmount || undefined),
    ...present('due', result?.dueAmount || undefined),
    ...present('hold', result?.holdAmount || undefined),
    ...present('surcharge', result?.surcharge?.amount || undefined),
    ...present('tax', result?.taxAmount || undefined),
  };
  const decimals = Object.fromEntries(
    Object.entries(minor).map(([name, value]) => [name, toMajorString(value, currency)]),
  ) as Omit<AmountReport, 'currency' | 'minor'>;
  return { currency, ...decimals, minor };
}

function cardOf(result: TransactionResult | undefined): CardReport {
  return {
    scheme: result?.cardSchemeName ?? '',
    masked: result?.maskedCardNumber ?? '',
    entry: result?.cardEntryType ?? '',
    verification: result?.verificationMethod ?? '',
    tender: result?.tenderType ?? '',
    expiry: result?.expiryDateMMYY ?? '',
    ...present('token', result?.cardToken || undefined),
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

/** The service's own body. A full card number reaches the one message that asked for it, and no other. */
function bodyOf({ operation }: TerminalRecord, result: TransactionResult | undefined): Record<string, unknown> {
  if (result === undefined) return {};
  return operation === 'cardPan' ? result.raw : withoutCardNumber(result.raw);
}
