import { textOf } from '../../../core/base/objects.js';
import { redactText } from '../../../core/base/privacy/redact.js';
import type { OperationRecord } from '../../../core/journal/record.js';
import { requestedOf } from '../../../core/lifecycle/back-office/amounts.js';
import { chainReferenceOf } from '../../../core/original/chain-reference.js';
import { majorOf } from './money.js';

/** What a receipt, a point of sale or a bank statement calls an operation by. Empty where it has none. */
export interface BankFacts {
  /** Scheme and masked number. */
  card: string;
  approvalCode: string;
  /** `customerReference`: the shop's own number of the order. */
  orderReference: string;
  /** `transactionReference` of the chain. */
  reference: string;
  /** Decimal in major units, contained in the amount; of a tip adjustment the tip itself. */
  tip: string;
}

export function bankFactsOf(record: OperationRecord): BankFacts {
  const { result = {} } = record;
  const scheme = textOf(result.cardSchemeName) || textOf(result.cardTypeName);
  return {
    card: redactText([scheme, textOf(result.maskedCardNumber)].filter(Boolean).join(' ')),
    approvalCode: textOf(result.authorisationCode) || textOf(result.approvalCode),
    orderReference: orderReferenceIn(record),
    reference: chainReferenceOf(record) ?? '',
    tip: tipIn(record),
  };
}

function orderReferenceIn({ request }: OperationRecord): string {
  const body: object = 'body' in request ? request.body : request;
  return 'customerReference' in body ? textOf(body.customerReference) : '';
}

function tipIn({ request, result = {} }: OperationRecord): string {
  if ('body' in request) {
    const requested = requestedOf(request);
    return (request.operation === 'tip-adjustment' ? requested?.amount : requested?.tip) ?? '';
  }
  const { tipAmount } = result;
  return typeof tipAmount === 'number' && tipAmount > 0 ? majorOf(tipAmount, textOf(result.currency)) : '';
}
