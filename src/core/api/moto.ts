import * as z from 'zod';
import { isApproved, isDeclined, paymentAnswer, post, type Read } from './back-office.js';
import { id, text } from './schema/answer-fields.js';
import {
  billing,
  channel,
  checkWithAmounts,
  currency,
  filledText,
  originalGuid,
  positiveAmount,
  uuidV4,
} from './schema/fields.js';
import { merchantAuth } from './schema/merchant-auth.js';
import type { CallOptions, Transport } from './transport/transport.js';

/** `POST /moto/*`: card-not-present payments with a stored token, at the gateway. Amounts are major-unit decimals. */

const cardToken = filledText.max(64);
const customerReference = z.string().max(50).optional();

const saleRequest = z.strictObject({
  amount: positiveAmount,
  currency,
  cardToken,
  transactionReference: uuidV4.optional(),
  billing: billing.optional(),
  customerReference,
  channel: channel.optional(),
  merchantAuth: merchantAuth.optional(),
});

const refundRequest = z
  .strictObject({
    amount: positiveAmount,
    currency,
    /** `guid` of the refunded sale; `cardToken` is given instead for an unlinked refund. */
    originalGuid: originalGuid.optional(),
    cardToken: cardToken.optional(),
    transactionReference: uuidV4.optional(),
    customerReference,
    channel: channel.optional(),
    merchantAuth: merchantAuth.optional(),
  })
  .superRefine((body, context) => {
    if (body.originalGuid === undefined && body.cardToken === undefined) {
      context.addIssue({ code: 'custom', path: ['originalGuid'], message: 'either originalGuid or cardToken' });
    } else if (body.originalGuid !== undefined && body.cardToken !== undefined) {
      context.addIssue({ code: 'custom', path: ['cardToken'], message: 'no cardToken beside an originalGuid' });
    } else if (body.originalGuid !== undefined && body.transactionReference !== undefined) {
      const message = 'no reference with a linked refund';
      context.addIssue({ code: 'custom', path: ['transactionReference'], message });
    }
  });

/** A reversal belongs to its original's chain, so it carries no `transactionReference`. */
const reversalRequest = z.strictObject({
  originalGuid,
  amount: positiveAmount,
  currency,
  customerReference,
  merchantAuth: merchantAuth.optional(),
});

export type MotoSaleRequest = z.output<typeof saleRequest>;
export type MotoRefundRequest = z.output<typeof refundRequest>;
export type MotoReversalRequest = z.output<typeof reversalRequest>;

const answerFields = z.object({
  ...paymentAnswer,
  /** Id of the new transaction; the `originalGuid` of follow-ups. */
  guid: id,
  f25: text,
});

/** What `finStatus` may say beside an approval. It is often absent. */
const POSITIVE: ReadonlySet<string> = new Set(['', 'AUTHORISED', 'PROCESSED', 'REFUNDED']);

type MotoAnswer = Read<z.output<typeof answerFields>>;

export type MotoResult = MotoAnswer & {
  /** A decline by a live acquirer also comes as HTTP 200. */
  approved: boolean;
};

/** @throws InputError naming the first field that breaks a rule */
export const checkMotoSale = (draft: unknown): MotoSaleRequest => checkWithAmounts(saleRequest, draft, ['amount']);
/** @throws InputError naming the first field that breaks a rule */
export const checkMotoRefund = (draft: unknown): MotoRefundRequest =>
  checkWithAmounts(refundRequest, draft, ['amount']);
/** @throws InputError naming the first field that breaks a rule */
export const checkMotoReversal = (draft: unknown): MotoReversalRequest =>
  checkWithAmounts(reversalRequest, draft, ['amount']);

export class Moto {
  constructor(private readonly transport: Transport) {}

  /** @throws RefusedError: 3107 CVV required, 5252 card token failure; a decline of the simulated acquirer */
  async sale(draft: MotoSaleRequest, options: CallOptions = {}): Promise<MotoResult> {
    const body = checkMotoSale(draft);
    const { read, answer } = await post(this.transport, ['moto', 'sale'], body, answerFields, options);
    const { finStatus = '', issuerResponseCode = '', guid = '', approvalCode = '' } = read;
    const isAuthorised = finStatus === 'AUTHORISED' && issuerResponseCode === '';
    const isApprovedByIssuer = POSITIVE.has(finStatus) && issuerResponseCode === '00';
    const proof = (isAuthorised || isApprovedByIssuer) && guid !== '' && approvalCode !== '';
    return { ...read, approved: isApproved(read, answer, proof, isDeclined(read)) };
  }

  /**
   * A refund of a sale older than 90 days may be approved here and then silently rejected by the acquirer.
   * @throws RefusedError: 3209 above the original, 3210 another currency
   */
  async refund(draft: MotoRefundRequest, options: CallOptions = {}): Promise<MotoResult> {
    const body = checkMotoRefund(draft);
    const { read, answer } = await post(this.transport, ['moto', 'refund'], body, answerFields, options);
    const { finStatus = '', issuerResponseCode = '00', guid = '' } = read;
    const proof = POSITIVE.has(finStatus) && issuerResponseCode === '00' && guid !== '';
    return { ...read, approved: isApproved(read, answer, proof, isDeclined(read)) };
  }

  /**
   * Deprecated by the service in favour of `POST /reversal`.
   * @throws RefusedError: 3153 nothing to reverse
   */
  async reversal(draft: MotoReversalRequest, options: CallOptions = {}): Promise<MotoResult> {
    const body = checkMotoReversal(draft);
    const { read, answer } = await post(this.transport, ['moto', 'reversal'], body, answerFields, options);
    const proof = read.issuerResponseCode === '00' && Boolean(read.guid);
    return { ...read, approved: isApproved(read, answer, proof, Boolean(read.finStatus) && isDeclined(read)) };
  }
}
