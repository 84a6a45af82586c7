import * as z from 'zod';
import { isApproved, isDeclined, paymentAnswer, post, type Read } from './back-office.js';
import { id } from './schema/answer-fields.js';
import { checkWithAmounts, currency, originalGuid, positiveAmount, timestamp } from './schema/fields.js';
import type { CallOptions, Transport } from './transport/transport.js';

/** `POST /reversal`: reverses any transaction without a terminal, before batch close. */

const request = z
  .strictObject({
    /** `transactionID` or `guid` of the original. */
    originalGuid,
    /** The part to reverse, major units; absent: in full. Group B, if enabled for the merchant. */
    amount: positiveAmount.optional(),
    currency: currency.optional(),
    /** A name; absent: `CUSTOMER_CANCELLATION`. */
    messageReasonCode: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]*$/, 'a reason name such as CUSTOMER_CANCELLATION')
      .optional(),
    timestamp: timestamp.optional(),
  })
  .refine(({ amount, currency: code }) => amount === undefined || code !== undefined, {
    path: ['currency'],
    error: 'an ISO 4217 currency code such as EUR (a partial reversal needs it)',
  });

export type ReversalRequest = z.output<typeof request>;

const answerFields = z.object({
  ...paymentAnswer,
  authorizationGuid: id,
  /** Id of the new reversal. */
  reversalGuid: id,
});

export type ReversalResult = Read<z.output<typeof answerFields>> & {
  /** The money was returned or the hold released. */
  approved: boolean;
};

/** What proves that a payment went back. The release of a hold may be answered without it. */
export function isReversed({ issuerResponseCode, reversalGuid = '' }: Partial<z.output<typeof answerFields>>): boolean {
  return issuerResponseCode === '00' && reversalGuid !== '';
}

/** @throws InputError naming the first field that breaks a rule */
export const checkReversal = (draft: unknown): ReversalRequest => checkWithAmounts(request, draft, ['amount']);

export class Reversal {
  constructor(private readonly transport: Transport) {}

  /**
   * @throws RefusedError: 3051 already reversed, 3052 already completed, 3153 nothing to reverse, 4066 above the
   * original, 3109 partial reversals not enabled
   */
  async reverse(draft: ReversalRequest, options: CallOptions = {}): Promise<ReversalResult> {
    const body = checkReversal(draft);
    const { read, answer } = await post(this.transport, ['reversal'], body, answerFields, options);
    const { finStatus = '', type } = read;
    const isReleased = finStatus === 'AUTHORISED' && type === 'PRE_AUTHORIZATION_REVERSAL';
    // A code alone is no decline: some acquirers answer with one although they have reversed it.
    const decline = finStatus !== '' && isDeclined(read);
    return { ...read, approved: isApproved(read, answer, isReversed(read) || isReleased, decline) };
  }
}
