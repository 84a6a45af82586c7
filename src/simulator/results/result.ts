import type { Card } from '../model/cards.js';
import { timestamp } from '../model/timestamp.js';
import type { Transaction, View } from '../model/transaction.js';
import type { Variants } from '../model/variants.js';
import type { CustomField, FinStatus, ResultType } from '../model/vocabulary.js';
import { receipt } from './receipts.js';
import { factsOf, type ResultFacts } from './result-facts.js';

/** The receipts and the signature. The status service has none of them. */
interface Printed {
  merchantReceipt: string;
  customerReceipt: string;
  signatureUrl: string;
}

const NOT_PRINTED: Printed = { merchantReceipt: '', customerReceipt: '', signatureUrl: '' };

/** The TransactionResult of a callback or a poll. `publicUrl`: base address of receipts and signatures. */
export function resultBody(facts: ResultFacts, variants: Variants, publicUrl: string): Record<string, unknown> {
  return body(facts, variants, {
    merchantReceipt: receipt(facts, 'merchant', variants, publicUrl),
    customerReceipt: receipt(facts, 'customer', variants, publicUrl),
    signatureUrl: signature(facts, variants, publicUrl),
  });
}

/**
 * The TransactionResult of the status service: the chain's present state, without receipts, with the hold's amounts.
 */
export function statusBody(transaction: Transaction, view: View, isFirst: boolean, variants: Variants) {
  const facts = factsOf(transaction);
  const { amounts } = view;
  const finStatus = statusShown(isFirst ? view.status : facts.finStatus, facts.type, variants);
  return {
    ...body({ ...facts, finStatus, amounts }, variants, NOT_PRINTED),
    holdAmount: amounts.hold,
    increaseAmount: amounts.increase,
    capturedAmount: amounts.captured,
  };
}

/** One flat literal with every field in the service's order, because it is built for each result. */
function body(facts: ResultFacts, variants: Variants, printed: Printed): Record<string, unknown> {
  const { amounts, card, merchant, echo, customFields } = facts;
  const chip = card !== undefined && (card.entry === 'ICC' || card.entry === 'CONTACTLESS_ICC');
  return {
    transactionID: facts.transactionId,
    efttransactionID: facts.transactionId,
    efttimestamp: variants.timestamps === 'number' ? facts.at : timestamp(facts.at),
    transactionReference: facts.reference,
    originalEFTTransactionID: facts.originalId,
    transactionOrigin: 'CLOUD',
    type: facts.type,
    finStatus: facts.finStatus === 'PARTIAL_APPROVAL' ? variants.partialSpelling : facts.finStatus,
    statusMessage: facts.statusMessage,
    errorMessage: facts.errorMessage,
    multiLanguageStatusMessages: facts.statusMessage === '' ? {} : { en_US: facts.statusMessage },
    multiLanguageErrorMessages: facts.errorMessage === '' ? {} : { en_US: facts.errorMessage },
    recoveredTransaction: facts.recovered,
    requestedAmount: amounts.requested,
    totalAmount: amounts.total,
    tipAmount: amounts.tip,
    tipPercentage: amounts.requested === 0 ? 0 : Math.round((amounts.tip * 10_000) / amounts.requested) / 100,
    dueAmount: amounts.due,
    taxAmount: null,
    surcharge: { amount: amounts.surcharge, applied: amounts.surcharge > 0, reason: '' },
    currency: facts.currency,
    cardEntryType: card?.entry ?? 'UNDEFINED',
    paymentScenario: scenario(card),
    tenderType: card === undefined || card.entry === 'CNP' ? 'NOT_SET' : card.tender,
    verificationMethod: facts.verification,
    cardSchemeName: card?.scheme ?? '',
    maskedCardNumber: card?.masked ?? '',
    cardTypeId: card?.masked ?? '',
    expiryDateMMYY: card?.expiry ?? '',
    cardHolderName: card?.holder ?? '',
    cardLanguagePreference: '',
    accountType: '',
    unMaskedPan: facts.unMaskedPan,
    cardToken: facts.cardToken,
    balance: null,
    authorisationCode: facts.approvalCode,
    issuerResponseCode: facts.issuerCode,
    rrn: facts.rrn,
    aid: chip ? 'A0000000031010' : '',
    applicationLabel: chip ? `${card.scheme} ${card.tender}` : '',
    tvr: chip ? '0000008000' : '',
    tsi: chip ? 'E800' : '',
    iad: chip ? '06010A03A00000' : '',
    chipTransactionReport: '',
    arc: facts.arc,
    mid: merchant.id,
    tid: facts.serial,
    merchantName: merchant.name,
    merchantAddress: '1 Example Street, Exampleton',
    customerReference: variants.customerReference === 'echoed' ? echo.customerReference : '',
    budgetNumber: '',
    customData: '',
    batchNumber: facts.batchNumber,
    metadata: echo.metadata,
    customFields: customFields.length === 0 ? null : shapeFields(customFields, variants),
    moneyRemittanceOptions: echo.moneyRemittanceOptions,
    merchantReceipt: printed.merchantReceipt,
    customerReceipt: printed.customerReceipt,
    signatureUrl: printed.signatureUrl,
    deviceStatus: facts.deviceStatus,
  };
}

function statusShown(status: FinStatus, type: ResultType, { partialInStatus, refundInStatus }: Variants): FinStatus {
  if (status === 'PARTIAL_APPROVAL') return partialInStatus;
  const isRefund = type === 'REFUND' || type === 'MOTO_REFUND';
  return isRefund && status === 'AUTHORISED' ? refundInStatus : status;
}

export function shapeFields(fields: CustomField[], { customFields }: Variants): unknown {
  if (customFields === 'array') return fields;
  if (customFields === 'entry') return { entry: fields };
  return Object.fromEntries(fields.map(({ key, value }) => [key, value]));
}

function scenario(card: Card | undefined): string {
  switch (card?.entry) {
    case undefined:
      return 'UNKNOWN';
    case 'ICC':
      return 'CHIP';
    case 'CONTACTLESS_ICC':
      return 'CHIPCONTACTLESS';
    case 'MAG_STRIPE':
      return card.fallback ? 'CHIPFAILMAGSTRIPE' : 'MAGSTRIPE';
    case 'CNP':
      return 'MOTO';
  }
}

/** A grey dot in place of a signature. */
const SIGNATURE_IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

function signature({ signed, transactionId }: ResultFacts, { signatures }: Variants, publicUrl: string): string {
  if (!signed) return '';
  return signatures === 'url' ? `${publicUrl}/signatures/${transactionId}` : SIGNATURE_IMAGE;
}
