import * as z from 'zod';
import { isApproved, isDeclined, paymentAnswer, post, type Read } from './back-office.js';
import { text } from './schema/answer-fields.js';
import { check } from './schema/check.js';
import {
  billing,
  channel,
  checkAmounts,
  currency,
  filledText,
  originalGuid,
  positiveAmount,
  uuidV4,
} from './schema/fields.js';
import { merchantAuth } from './schema/merchant-auth.js';
import type { CallOptions, Transport } from './transport/transport.js';

/** `POST /moto/*`: card-not-present payments at the gateway, with a stored card token. Amounts are major-unit decimals. */

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
    /** Of the sale that is refunded; or else `cardToken`. */
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
  /** Id of what this request made; the `originalGuid` of what follows. */
  guid: text,
  f25: text,
});

/** What `finStatus` may say beside an approval. It is often absent. */
const POSITIVE: ReadonlySet<string> = new Set(['', 'AUTHORISED', 'PROCESSED', 'REFUNDED']);

type MotoAnswer = Read<z.output<typeof answerFields>>;

export type MotoResult = MotoAnswer & {
  /** On a live acquirer a decline comes back as HTTP 200 too. */
  approved: boolean;
};

/** @throws InputError naming the first field that breaks a rule */
export const checkMotoSale = (asked: unknown): MotoSaleRequest => checked(saleRequest, asked);
/** @throws InputError naming the first field that breaks a rule */
export const checkMotoRefund = (asked: unknown): MotoRefundRequest => checked(refundRequest, asked);
/** @throws InputError naming the first field that breaks a rule */
export const checkMotoReversal = (asked: unknown): MotoReversalRequest => checked(reversalRequest, asked);

function checked<Body extends { amount: string; currency: string }>(schema: z.ZodType<Body>, asked: unknown): Body {
  const body = check(schema, asked);
  checkAmounts({ amount: body.amount }, body.currency);
  return body;
}

export class Moto {
  constructor(private readonly transport: Transport) {}

  /** @throws RefusedError: 3107 CVV required, 5252 card token failure; a decline of the simulated acquirer */
  async sale(asked: MotoSaleRequest, options: CallOptions = {}): Promise<MotoResult> {
    const body = checkMotoSale(asked);
    const { read, answer } = await post(this.transport, ['moto', 'sale'], body, answerFields, options);
    const { finStatus = '', issuerResponseCode = '', guid = '', approvalCode = '' } = read;
    const isAuthorised = finStatus === 'AUTHORISED' && issuerResponseCode === '';
    const isApprovedByIssuer = POSITIVE.has(finStatus) && issuerResponseCode === '00';
    const proof = (isAuthorised || isApprovedByIssuer) && guid !== '' && approvalCode !== '';
    return { ...read, approved: isApproved(read, answer, proof, isDeclined(read)) };
  }

  /**
   * A refund of a sale older than 90 days may be approved here and rejected by the acquirer without a word.
   * @throws RefusedError: 3209 above the original, 3210 another currency
   */
  async refund(asked: MotoRefundRequest, options: CallOptions = {}): Promise<MotoResult> {
    const body = checkMotoRefund(asked);
    const { read, answer } = await post(this.transport, ['moto', 'refund'], body, answerFields, options);
    const { finStatus = '', issuerResponseCode = '00', guid = '' } = read;
    const proof = POSITIVE.has(finStatus) && issuerResponseCode === '00' && guid !== '';
    return { ...read, approved: isApproved(read, answer, proof, isDeclined(read)) };
  }

  /**
   * Deprecated by the service in favour of `POST /reversal`.
   * @throws RefusedError: 3153 nothing to reverse
   */
  async reversal(asked: MotoReversalRequest, options: CallOptions = {}): Promise<MotoResult> {
    const body = checkMotoReversal(asked);
    const { read, answer } = await post(this.transport, ['moto', 'reversal'], body, answerFields, options);
    const proof = read.issuerResponseCode === '00' && Boolean(read.guid);
    return { ...read, approved: isApproved(read, answer, proof, Boolean(read.finStatus) && isDeclined(read)) };
  }
}
