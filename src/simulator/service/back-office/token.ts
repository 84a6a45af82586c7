import type { NewId } from '../../../core/base/seams.js';
import type { Gateway } from '../../gateway/gateway.js';
import type { Tokens } from '../../gateway/tokens.js';
import type { Merchant } from '../../model/merchant.js';
import { timestamp } from '../../model/timestamp.js';
import { wasApproved } from '../../model/transaction.js';
import type { ResultType } from '../../model/vocabulary.js';
import { type Answer, json, nestedError } from '../../wire/errors.js';
import { notOffered } from './refusals.js';

const YEAR = 365 * 24 * 60 * 60 * 1000;

const ELIGIBLE: ReadonlySet<ResultType> = new Set([
  'SALE',
  'REFUND',
  'PRE_AUTHORIZATION_CAPTURE',
  'MOTO_SALE',
  'MOTO_REFUND',
]);

/** Deferred tokenisation: a card token for a payment of the last twelve months. Refusals use the nested pattern. */
export class TokenOperations {
  constructor(
    private readonly now: () => number,
    private readonly newId: NewId,
    private readonly gateway: Gateway,
    private readonly tokens: Tokens,
  ) {}

  fetch(transactionId: string, merchant: Merchant): Answer {
    if (merchant.group !== 'B') return notOffered('Deferred tokenization');
    if (!merchant.capabilities.deferredTokenization) {
      return nestedError('TOKENIZATION_NOT_ENABLED', 'Tokenization is not enabled', this.newId());
    }
    const found = this.gateway.chains.find(transactionId, merchant);
    const card = found?.card;
    const isEligible = found !== undefined && ELIGIBLE.has(found.type) && wasApproved(found);
    if (!isEligible || card === undefined || this.now() - found.at > YEAR) {
      return nestedError('3112', 'The transaction type is not eligible', this.newId());
    }
    return json(200, {
      httpStatus: '200',
      cardToken: this.tokens.issue(card, merchant),
      maskedCardNumber: card.masked,
      expiryDateMMYY: card.expiry,
      cardTokenizationGuid: this.newId(),
      serverDateTime: timestamp(this.now()),
      agreementNumber: merchant.id,
      transactionReference: found.id,
    });
  }
}
