import type { BatchSummaryResult } from '../../api/batch.js';
import type { Client } from '../../api/client.js';
import type { MotoResult } from '../../api/moto.js';
import type { CallOptions } from '../../api/transport/transport.js';
import { UnreadableAnswerError } from '../../base/errors.js';
import { textOf, withoutAbsent } from '../../base/objects.js';
import { redactText } from '../../base/privacy/redact.js';
import { isSameId } from '../../base/same-id.js';
import type { BackOfficeRecord } from '../../journal/record.js';
import { amountMismatch, capturedAs, requestedAmount } from '../../lifecycle/back-office/amounts.js';
import type { Reply } from '../../lifecycle/back-office/reply.js';
import type { BackOfficeEvent } from '../../lifecycle/back-office/state.js';
import { takenBackByType } from '../../lifecycle/chain/taken-back.js';
import type { BackOfficeOrder } from '../../operation/back-office-order.js';
import { isReversal, type ReversedKind } from '../../operation/kinds.js';
import { isIssuerDecline } from '../../operation/retry.js';
import { isNoId, namedIn, type PaymentResult } from '../named-original.js';

/** What an answer says, as an event for the lifecycle. */
export function answered(record: BackOfficeRecord, reply: Reply): BackOfficeEvent {
  const { request: order } = record;
  const { approved, type, issuerCode = '', raw } = reply;
  if (approved) {
    const isNamed = order.operation === 'reversal' && textOf(raw.transactionReference) !== '' ? true : undefined;
    return withoutAbsent({
      type: 'answered',
      approved,
      // The reversal of a capture has the type of a release.
      kind: record.reverses === 'money' ? undefined : type,
      takesBack: takenBack(record, type, isNamed),
      difference: amountMismatch(record, reply),
      named: isNamed,
    });
  }
  const code = issuerCode || textOf(raw.finStatus);
  const message = textOf(raw.issuerResponseText) || textOf(raw.errorMessage) || textOf(raw.statusMessage) || 'declined';
  const error = { code: redactText(code), name: 'Declined', message: redactText(message) };
  const isToBeChanged = isIssuerDecline(issuerCode) ? undefined : true;
  return withoutAbsent({ type: 'answered', approved, error, needsChange: isToBeChanged });
}

/**
 * What the type of an answer says that a reversal took back. Only that of a hold is described with a type: one without may be
 * of a hold all the same where the journal knows of one, or the chain can be asked about what it does not know.
 * @param isNamed the answer names the chain
 */
function takenBack(
  { operation, state }: BackOfficeRecord,
  type: string | undefined,
  isNamed: true | undefined,
): ReversedKind | undefined {
  if (!isReversal(operation) || type === 'PRE_AUTHORIZATION_REVERSAL') return undefined;
  const { mayBeHold, traceable } = state;
  const canBeAsked = traceable || isNamed;
  // Another system may have captured what the journal knows as a hold, or the type is wrong.
  if (mayBeHold === 'hold' && canBeAsked) return undefined;
  return mayBeHold === 'hold' || (mayBeHold === 'unknown' && canBeAsked) ? takenBackByType(type) : 'money';
}

/**
 * Sends an order, once.
 * @param reference our own, for an operation that starts a chain
 * @throws PaymentError
 */
export async function sendOrder(
  client: Client,
  order: BackOfficeOrder,
  reference: string | undefined,
  options: CallOptions,
): Promise<Reply> {
  const own = reference === undefined ? {} : { transactionReference: reference };
  switch (order.operation) {
    case 'reversal': {
      const read = await client.reversal.reverse(order.body, options);
      return { ...paymentOf(read), transactionId: read.reversalGuid ?? read.transactionID };
    }
    case 'moto/sale':
      return motoOf(await client.moto.sale({ ...order.body, ...own }, options));
    case 'moto/refund':
      return motoOf(await client.moto.refund({ ...order.body, ...own }, options));
    case 'moto/reversal':
      return motoOf(await client.moto.reversal(order.body, options));
    case 'preauthorization/capture': {
      const read = await client.preauthorization.capture(order.body, options);
      const { preAuthorizationCaptureGuid, transactionID } = read;
      const transactionId = preAuthorizationCaptureGuid ?? transactionID;
      return { ...paymentOf(read), transactionId, ...capturedAs(requestedAmount(order), read) };
    }
    case 'preauthorization/increase': {
      const read = await client.preauthorization.increase(order.body, options);
      const { transactionID: transactionId, holdAmount: hold, increaseAmount: amount } = read;
      return { ...paymentOf(read), transactionId, hold, amount };
    }
    case 'tip-adjustment': {
      const read = await client.tip.adjust(order.body, options);
      return { ...paymentOf(read), tip: read.tipAmount };
    }
    case 'token': {
      const read = await client.token.fetch(order.body.transactionID, options);
      const { cardToken: token, maskedCardNumber: masked, expiryDateMMYY: expiry, raw } = read;
      checkToken(order, read.transactionReference);
      return { approved: true, token, masked, expiry, raw };
    }
    case 'batch/close':
      return batchOf(await client.batch.close(order.body, options));
    case 'batch/summary':
      return batchOf(await client.batch.summary(order.body, options));
    case 'batch/detail':
      return batchOf(await client.batch.detail(order.body, options));
  }
}

function paymentOf(read: PaymentResult): Reply {
  return {
    approved: read.approved,
    masked: read.maskedCardNumber,
    scheme: read.cardTypeName,
    expiry: read.expiryDateMMYY,
    authorisationCode: read.approvalCode ?? read.authorisationCode,
    issuerCode: read.issuerResponseCode,
    batch: read.batchNumber,
    amount: read.amount,
    currency: read.currency?.toUpperCase(),
    type: read.type,
    about: namedIn(read),
    raw: read.raw,
  };
}

function motoOf(read: MotoResult): Reply {
  return { ...paymentOf(read), transactionId: read.guid };
}

/**
 * The field holds the id of the payment; a service may have the reference of its chain there, as its name says.
 * @throws UnreadableAnswerError where a token is that of another payment
 */
function checkToken({ body, originalReference }: BackOfficeOrder & { operation: 'token' }, named = ''): void {
  const isOwn = [body.transactionID, originalReference].some((one) => isSameId(named, one));
  if (!isNoId(named) && !isOwn) throw new UnreadableAnswerError(200, 'the token is that of another transaction');
}

type BatchResult = Pick<BatchSummaryResult, 'approved' | 'batchNumber' | 'issuerResponseCode' | 'raw'>;

function batchOf({ approved, batchNumber: batch, issuerResponseCode: issuerCode = '', raw }: BatchResult): Reply {
  return { approved, batch, issuerCode, raw };
}
