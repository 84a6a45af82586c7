import * as z from 'zod';
import { isApproved, isDeclined, paymentAnswer, post, type Read } from './back-office.js';
import { id, textOrNumber } from './schema/answer-fields.js';
import { checkWithAmounts, currency, majorAmount, originalGuid, positiveAmount } from './schema/fields.js';
import { merchantAuth } from './schema/merchant-auth.js';
import type { CallOptions, Transport } from './transport/transport.js';

/** `POST /preauthorization/*`: captures or changes a hold at the gateway. Amounts are major-unit decimals. */

const captureRequest = z.strictObject({
  /** `transactionID` of the pre-authorisation. */
  originalGuid,
  /** At most the held amount; a tip is added to it. */
  capturedAmount: positiveAmount,
  tipAmount: majorAmount.optional(),
  currency: currency.optional(),
  customerReference: z.string().max(64).optional(),
  merchantAuth: merchantAuth.optional(),
});

const increaseRequest = z.strictObject({
  /** `transactionID` of the pre-authorisation. */
  originalGuid,
  /** The difference, above zero. */
  increaseAmount: positiveAmount,
  /** Turns the increase into a decrease. */
  subtract: z.literal('1').optional(),
  customerReference: z.string().max(64).optional(),
  merchantAuth: merchantAuth.optional(),
  /** Not sent; used to check the amount. */
  currency: currency.optional(),
});

export type CaptureRequest = z.output<typeof captureRequest>;
export type IncreaseRequest = z.output<typeof increaseRequest>;

/** Taken on top of what was captured. */
const surcharge = z.looseObject({ amount: textOrNumber }).optional().catch(undefined);

const answerFields = z.object({
  ...paymentAnswer,
  capturedAmount: textOrNumber,
  tipAmount: textOrNumber,
  surcharge,
  /** The total amount held. */
  holdAmount: textOrNumber,
  increaseAmount: textOrNumber,
  originalAmount: textOrNumber,
  preAuthorizationGuid: id,
  /** The id that reverses the capture. */
  preAuthorizationCaptureGuid: id,
});

/** Amounts are major-unit strings here, unlike those of the status service. */
export type PreauthorizationResult = Read<z.output<typeof answerFields>> & {
  /** A declined increase leaves the hold unchanged. */
  approved: boolean;
};

/** @throws InputError naming the first field that breaks a rule */
export const checkCapture = (draft: unknown): CaptureRequest =>
  checkWithAmounts(captureRequest, draft, ['capturedAmount', 'tipAmount']);

/** @throws InputError naming the first field that breaks a rule */
export const checkIncrease = (draft: unknown): IncreaseRequest =>
  checkWithAmounts(increaseRequest, draft, ['increaseAmount']);

export class Preauthorization {
  constructor(private readonly transport: Transport) {}

  /**
   * @throws RefusedError: 3215 above the hold, 3052 and 3211 captured or reversed already, 3156, 3207 and 5001 no
   * such pre-authorisation
   */
  async capture(asked: CaptureRequest, options: CallOptions = {}): Promise<PreauthorizationResult> {
    const body = checkCapture(asked);
    const { read, answer } = await post(this.transport, ['preauthorization', 'capture'], body, answerFields, options);
    return { ...read, approved: isApproved(read, answer, read.finStatus === 'AUTHORISED', isDeclined(read)) };
  }

  /**
   * Increases or decreases a hold. Changes add up, so after a lost response compare the hold first instead of sending
   * again.
   * @throws RefusedError: 3211 captured or reversed, 3212 a decrease to zero or below, 3156, 3207 and 5001 no such
   * pre-authorisation
   */
  async increase(asked: IncreaseRequest, options: CallOptions = {}): Promise<PreauthorizationResult> {
    const { currency: _, ...body } = checkIncrease(asked);
    const { read, answer } = await post(this.transport, ['preauthorization', 'increase'], body, answerFields, options);
    const decline = isDeclined(read);
    // A declined change of a hold may say how much is held, too.
    return { ...read, approved: isApproved(read, answer, Boolean(read.holdAmount) && !decline, decline) };
  }
}
