import * as z from 'zod';
import { parseAmount, toMajorNumber } from '../base/money.js';
import { post, type Read } from './back-office.js';
import { text } from './schema/answer-fields.js';
import { checkWithAmounts, currency, filledText, majorAmount } from './schema/fields.js';
import type { CallOptions, Transport } from './transport/transport.js';

/** `POST /transactions/{transactionID}/tip-adjustment`. Group B, before batch close. */

const request = z.strictObject({
  /** `transactionID` of the sale. */
  transactionID: filledText,
  /** Major-unit decimal; zero removes the tip. */
  amount: majorAmount,
  /** Currency of the sale. Not sent; used to check the amount. */
  currency,
});

export type TipRequest = z.output<typeof request>;

const answerFields = z.object({ statusMessage: text });

export type TipResult = Read<z.output<typeof answerFields>>;

/** @throws InputError naming the first field that breaks a rule */
export const checkTip = (draft: unknown): TipRequest => checkWithAmounts(request, draft, ['amount']);

export class Tip {
  constructor(private readonly transport: Transport) {}

  /** Sets the tip, replacing any earlier one, until batch close. Returning means that it is set. */
  async adjust(draft: TipRequest, options: CallOptions = {}): Promise<TipResult> {
    const { transactionID, amount, currency: code } = checkTip(draft);
    const body = { amount: toMajorNumber(parseAmount(amount, code, 'major', 'amount'), code) };
    const path = ['transactions', transactionID, 'tip-adjustment'];
    const { read } = await post(this.transport, path, body, answerFields, options);
    return read;
  }
}
