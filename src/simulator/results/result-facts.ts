import type { FaultKind } from '../infra/faults.js';
import type { Card } from '../model/cards.js';
import type { Merchant } from '../model/merchant.js';
import { type Amounts, amountsOf, type Echo, NO_ECHO, type Transaction, wasApproved } from '../model/transaction.js';
import type { CustomField, FinStatus, ResultType, Verification } from '../model/vocabulary.js';

/** The content of a TransactionResult, before it is formatted according to the variants. */
export interface ResultFacts {
  transactionId: string;
  /** Epoch ms. */
  at: number;
  reference: string;
  originalId: string;
  type: ResultType;
  finStatus: FinStatus;
  statusMessage: string;
  errorMessage: string;
  recovered: boolean;
  currency: string;
  amounts: Amounts;
  card?: Card;
  verification: Verification;
  approvalCode: string;
  issuerCode: string;
  arc: string;
  rrn: string;
  batchNumber: string;
  merchant: Merchant;
  serial: string;
  echo: Echo;
  customFields: CustomField[];
  cardToken: string;
  unMaskedPan: string;
  signed: boolean;
  deviceStatus: Record<string, string>;
  /** In which way the terminal's result does not fit the order. */
  oddity?: FaultKind;
}

/** Facts of a result that carries only its outcome. */
export function plainFacts(
  merchant: Merchant,
  serial: string,
  at: number,
  own: Partial<ResultFacts> & Pick<ResultFacts, 'finStatus'>,
): ResultFacts {
  return {
    transactionId: '',
    at,
    reference: '',
    originalId: '',
    type: 'UNDEFINED',
    statusMessage: '',
    errorMessage: '',
    recovered: false,
    currency: '',
    amounts: amountsOf(0),
    verification: 'UNDEFINED',
    approvalCode: '',
    issuerCode: '',
    arc: '',
    rrn: '',
    batchNumber: '',
    merchant,
    serial,
    echo: NO_ECHO,
    customFields: [],
    cardToken: '',
    unMaskedPan: '',
    signed: false,
    deviceStatus: {},
    ...own,
  };
}

/** Facts of a transaction on record at the gateway. */
export function factsOf(transaction: Transaction): ResultFacts {
  const { decision, echo } = transaction;
  return {
    transactionId: transaction.id,
    at: transaction.at,
    reference: transaction.reference,
    originalId: transaction.originalId,
    type: transaction.type,
    finStatus: decision.finStatus,
    statusMessage: decision.statusMessage,
    errorMessage: decision.errorMessage,
    recovered: false,
    currency: transaction.currency,
    amounts: transaction.amounts,
    card: transaction.card,
    verification: transaction.verification,
    approvalCode: decision.approvalCode,
    issuerCode: decision.issuerCode,
    arc: decision.arc,
    rrn: transaction.rrn,
    batchNumber: transaction.batchNumber,
    merchant: transaction.merchant,
    serial: transaction.serial,
    echo,
    customFields: [],
    cardToken: wasApproved(transaction) ? transaction.cardToken : '',
    unMaskedPan: '',
    signed: false,
    deviceStatus: {},
  };
}
