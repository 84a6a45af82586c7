import type { Gateway } from '../../gateway/gateway.js';
import { timestamp } from '../../model/timestamp.js';
import type { Transaction } from '../../model/transaction.js';
import { toMajor } from '../../model/units.js';
import type { Variants } from '../../model/variants.js';
import { shapeFields } from '../../results/result.js';

/** Bodies of successful back-office responses. Amounts are major-unit strings. */

function httpStatus({ httpStatus: form }: Variants): number | string {
  return form === 'number' ? 200 : '200';
}

function issuerCode({ issuerCode: code }: Transaction['decision'], { issuerCodes }: Variants): string | number {
  return issuerCodes === 'number' && /^\d+$/.test(code) ? Number(code) : code;
}

export function reversalAnswer(reversal: Transaction, variants: Variants): Record<string, unknown> {
  const { amounts, currency, card, decision, id, originalId, reference } = reversal;
  const fields = [
    { key: 'messageReasonCode', value: '4000' },
    { key: 'tenderType', value: card?.tender ?? 'NOT_SET' },
    { key: 'issuerResponseCode', value: decision.issuerCode },
  ];
  const common = {
    httpStatus: httpStatus(variants),
    acquirerTid: reversal.merchant.id,
    agreementNumber: reversal.merchant.id,
    amount: toMajor(amounts.total, currency),
    approvalCode: decision.approvalCode,
    batchNumber: reversal.batchNumber,
    cardTypeName: card?.scheme ?? '',
    currency,
    issuerResponseCode: issuerCode(decision, variants),
    issuerResponseText: decision.statusMessage,
    maskedCardNumber: card?.masked ?? '',
    authorizationGuid: originalId,
    originalGuid: originalId,
    reversalGuid: id,
    transactionReference: reference,
    customFields: variants.customFields === 'array' ? { entry: fields } : shapeFields(fields, variants),
  };
  if (reversal.type !== 'PRE_AUTHORIZATION_REVERSAL') return common;
  return {
    ...common,
    finStatus: decision.finStatus,
    type: reversal.type,
    transactionID: id,
    originalEFTTransactionID: originalId,
  };
}

/** The response to a capture, an increase or a decrease. */
export function holdAnswer(done: Transaction, gateway: Gateway, variants: Variants): Record<string, unknown> {
  const { amounts, currency, decision, id, originalId, reference, type, card } = done;
  const hold = gateway.chains.firstOf(done);
  const original = hold.amounts.requested;
  const amount = (minor: number): string | number => {
    const major = toMajor(minor, currency);
    return variants.holdAmounts === 'text' ? major : Number(major);
  };
  const common = {
    httpStatus: httpStatus(variants),
    finStatus: decision.finStatus,
    type,
    transactionID: id,
    originalEFTTransactionID: originalId,
    transactionReference: reference,
    currency,
    maskedCardNumber: card?.masked ?? '',
    approvalCode: decision.approvalCode,
    issuerResponseCode: issuerCode(decision, variants),
    originalAmount: amount(original),
    holdAmount: amount(amounts.hold),
    preAuthorizationGuid: hold.id,
  };
  if (type === 'PRE_AUTHORIZATION_CAPTURE') {
    return {
      ...common,
      capturedAmount: amount(amounts.captured),
      tipAmount: amount(amounts.tip),
      ...(amounts.surcharge === 0
        ? {}
        : { surcharge: { amount: amount(amounts.surcharge), applied: true, reason: '' } }),
      preAuthorizationCaptureGuid: id,
    };
  }
  return { ...common, increaseAmount: amount(Math.abs(amounts.increase)) };
}

export function motoSaleAnswer(sale: Transaction, variants: Variants): Record<string, unknown> {
  const { amounts, currency, card, decision, at } = sale;
  return {
    '@type': 'motoSaleResponse',
    ...finStatusOf(sale, variants),
    httpStatus: httpStatus(variants),
    acquirerTid: sale.merchant.id,
    amount: toMajor(amounts.total, currency),
    approvalCode: decision.approvalCode,
    batchNumber: sale.batchNumber,
    cardTypeName: card?.scheme ?? '',
    currency,
    expiryDateMMYY: card?.expiry ?? '',
    guid: sale.id,
    issuerResponseCode: issuerCode(decision, variants),
    issuerResponseText: decision.statusMessage,
    maskedCardNumber: card?.masked ?? '',
    retrievalReferenceNumber: sale.rrn,
    serverDateTime: timestamp(at),
    terminalDateTime: timestamp(at),
    transactionReference: sale.reference,
  };
}

export function motoRefundAnswer(refund: Transaction, variants: Variants): Record<string, unknown> {
  const { amounts, currency, card, decision, at } = refund;
  return {
    type: 'motoRefundResponse',
    ...finStatusOf(refund, variants),
    httpStatus: httpStatus(variants),
    amount: toMajor(amounts.total, currency),
    currency,
    guid: refund.id,
    originalGuid: refund.originalId,
    issuerResponseCode: issuerCode(decision, variants),
    issuerResponseText: decision.statusMessage,
    maskedCardNumber: card?.masked ?? '',
    approvalCode: decision.approvalCode,
    cardTypeName: card?.scheme ?? '',
    expiryDateMMYY: card?.expiry ?? '',
    acquirerTid: refund.merchant.id,
    serverDateTime: timestamp(at),
    terminalDateTime: timestamp(at),
  };
}

function finStatusOf({ decision }: Transaction, { motoFinStatus }: Variants): Record<string, unknown> {
  return motoFinStatus === 'present' ? { finStatus: decision.finStatus } : {};
}

export function motoReversalAnswer(reversal: Transaction, variants: Variants): Record<string, unknown> {
  const { amounts, currency, card, decision } = reversal;
  return {
    type: 'motoReversalResponse',
    httpStatus: httpStatus(variants),
    amount: toMajor(amounts.total, currency),
    currency,
    guid: reversal.id,
    originalGuid: reversal.originalId,
    issuerResponseCode: issuerCode(decision, variants),
    issuerResponseText: decision.statusMessage,
    maskedCardNumber: card?.masked ?? '',
    f25: '4000',
  };
}
