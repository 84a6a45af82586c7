import * as z from 'zod';
import { parseAmount, toMajorNumber } from '../base/money.js';
import { isApproved, isDeclined, post, type Read } from './back-office.js';
import { text } from './schema/answer-fields.js';
import { checkWithAmounts, currency, majorAmount, originalGuid } from './schema/fields.js';
import { type CallOptions, type Transport, unreadable } from './transport/transport.js';

/** `POST /transactions/{transactionID}/tip-adjustment`. Group B, before batch close. */

const request = z.strictObject({
  /** `transactionID` of the sale. */
  transactionID: originalGuid,
  /** Major-unit decimal; zero removes the tip. */
  amount: majorAmount,
  /** Currency of the sale. Not sent; used to check the amount. */
  currency,
});

export type TipRequest = z.output<typeof request>;

const answerFields = z.object({ statusMessage: text, errorMessage: text, finStatus: text });

export type TipResult = Read<z.output<typeof answerFields>> & {
  /** A declined adjustment leaves the tip as it was. */
  approved: boolean;
};

/** @throws InputError naming the first field that breaks a rule */
export const checkTip = (draft: unknown): TipRequest => checkWithAmounts(request, draft, ['amount']);

export class Tip {
  constructor(private readonly transport: Transport) {}

  /** Sets the tip, whatever it was; the last one before batch close wins. */
  async adjust(asked: TipRequest, options: CallOptions = {}): Promise<TipResult> {
    const { transactionID, amount, currency: code } = checkTip(asked);
    const body = { amount: toMajorNumber(parseAmount(amount, code, 'major', 'amount'), code) };
    const path = ['transactions', transactionID, 'tip-adjustment'];
    const { read, answer } = await post(this.transport, path, body, answerFields, options);
    const decline = isDeclined(read);
    // Empty on success (spec: results).
    const isError = (Boolean(read.errorMessage) && !decline) || 'error' in read.raw;
    if (!read.statusMessage || isError) throw unreadable(answer, 'no word that the tip was adjusted');
    return { ...read, approved: isApproved(read, answer, !decline, decline) };
  }
}
