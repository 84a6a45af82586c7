import * as z from 'zod';
import { parseAmount, toMajorNumber } from '../base/money.js';
import { isApproved, isDeclined, paymentAnswer, post, type Read } from './back-office.js';
import { textOrNumber } from './schema/answer-fields.js';
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

/** Described is the `statusMessage` alone; whatever else it says must not contradict that. */
const answerFields = z.object({ ...paymentAnswer, tipAmount: textOrNumber });

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
    // Its only proof is a text, which may as well say that it is going to be done.
    if (answer.status !== 200) throw unreadable(answer, `HTTP status ${answer.status}`);
    const said = { ...read, httpStatus: read.httpStatus || '200' };
    return { ...read, approved: isApproved(said, answer, !decline, decline) };
  }
}
