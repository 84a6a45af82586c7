import { readTransactionResult, type TransactionResult } from '../api/schema/transaction-result.js';
import { exponentOf } from '../base/currencies.js';
import { changed } from '../base/objects.js';
import { withoutCardNumbers, withoutRedacted } from '../base/privacy/redact.js';
import type { TerminalRecord } from '../journal/record.js';
import { movesMoney } from '../operation/kinds.js';
import { remainderOf, totalIn } from '../operation/result-meaning.js';
import {
  FAILURE_UNCONFIRMED,
  isUnsaid,
  mayBeDone,
  PARTLY_REFUNDED,
  type Source,
  type Verdict,
} from '../operation/verdict.js';
import { chainReferenceOf } from '../original/chain-reference.js';
import { reasonIn } from './decline-reason.js';
import type { AmountReport, CardReport, ResultPayload } from './payload.js';
import { amountReport, resultPayload } from './result-payload.js';

const OPEN_ENDED: ReadonlySet<string> = new Set(['UNDEFINED', 'IN_PROGRESS']);

/**
 * `msg.payload` of an operation on a terminal.
 * @param result the result the verdict rests on; absent where none came.
 */
export function payloadOf(
  record: TerminalRecord,
  verdict: Verdict,
  source: Source,
  result: TransactionResult | undefined,
): ResultPayload {
  const error = verdict.error ?? errorIn(verdict, result);
  return resultPayload(record, changed(verdict, { error }), source, {
    reference: chainReferenceOf(record),
    transactionId: result?.transactionID,
    originalTransactionId: result?.originalEFTTransactionID || record.request.originalTransactionId,
    resultId: record.resultId,
    terminal: record.terminal,
    amount: amountOf(record, verdict, result),
    card: cardOf(result),
    authorisationCode: result?.authorisationCode,
    issuerCode: result?.issuerResponseCode,
    batch: result?.batchNumber,
    customerReceipt: result?.customerReceipt,
    merchantReceipt: result?.merchantReceipt,
    signature: result?.signatureUrl,
    device: result?.deviceStatus && withoutCardNumbers(result.deviceStatus),
    result: bodyOf(record, result),
  });
}

/** The result in the journal, without what that must not keep. */
export function recordedResult({ result }: TerminalRecord): TransactionResult | undefined {
  if (result === undefined) return undefined;
  return readTransactionResult(withoutRedacted(result));
}

/** Why the operation was not done, in the words of the service; or why a person must look, where it has none. */
function errorIn({ outcome, final }: Verdict, result: TransactionResult | undefined): Verdict['error'] {
  const reason = reasonIn(outcome, result?.raw);
  if (result === undefined || reason === undefined)
    return outcome === 'failed' && !final ? FAILURE_UNCONFIRMED : undefined;
  const { code, message } = reason;
  const name = `${outcome.slice(0, 1).toUpperCase()}${outcome.slice(1)}`;
  return { code: code || result.finStatus, name, message: message || outcome };
}

/**
 * Amounts in the currency of the request. A release requests no amount: its result, or the journal, says how much was
 * held.
 */
function amountOf(
  { operation, request, reversedAmount, state }: TerminalRecord,
  verdict: Verdict,
  result: TransactionResult | undefined,
): AmountReport | undefined {
  // Told again after a crash it is the same, whatever the terminal has said since.
  const known = isUnsaid(verdict) ? undefined : result;
  const {
    amount = known?.totalAmount || reversedAmount?.amount,
    currency = known?.currency || reversedAmount?.currency || '',
  } = request;
  if (!movesMoney(operation) || amount === undefined || exponentOf(currency) === undefined) return undefined;
  const requested = Number(amount);
  if (isUnsaid(verdict)) return amountReport(currency, { requested, total: Math.abs(requested) });
  // A result that does not say how it ended does not say how much it was either; the status service decided.
  const isSaid = result !== undefined && !OPEN_ENDED.has(result.finStatus);
  return amountReport(currency, {
    requested,
    // A decrease of a hold may be written with its sign, or without.
    total: totalOf(verdict, isSaid ? totalIn(result, requested) : Math.abs(requested), state.gateway),
    tip: result?.tipAmount || undefined,
    due: result && mayBeDone(verdict) ? remainderOf(result, request) : undefined,
    hold: hasGoneBack(state) ? undefined : result?.holdAmount || undefined,
    surcharge: result?.surcharge?.amount || undefined,
    tax: result?.taxAmount || undefined,
  });
}

type Gateway = Partial<NonNullable<TerminalRecord['state']['gateway']>>;

/** The status service has shown so after the result that says what was held. */
function hasGoneBack({ gateway }: TerminalRecord['state']): boolean {
  return gateway?.meaning === 'cancelled' || gateway?.meaning === 'returned';
}

/** The status service says what is left of a payment of which a part went back, or which was done twice. */
function totalOf(verdict: Verdict, whole: number, { net = whole, isTwice }: Gateway = {}): number {
  if (verdict.error?.code === PARTLY_REFUNDED.error?.code) return net;
  if (!mayBeDone(verdict)) return 0;
  return isTwice ? net : whole;
}

function cardOf(result: TransactionResult | undefined): Partial<CardReport> {
  return {
    scheme: result?.cardSchemeName,
    masked: result?.maskedCardNumber,
    entry: result?.cardEntryType,
    verification: result?.verificationMethod,
    tender: result?.tenderType,
    expiry: result?.expiryDateMMYY,
    token: result?.cardToken || undefined,
  };
}

/** The service's own body. A full card number reaches the one message that asked for it, and no other. */
function bodyOf({ operation }: TerminalRecord, result: TransactionResult | undefined): Record<string, unknown> {
  if (result === undefined) return {};
  return operation === 'cardPan' ? result.raw : withoutCardNumbers(result.raw);
}
