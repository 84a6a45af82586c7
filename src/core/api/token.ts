import * as z from 'zod';
import { type Read, readAnswer } from './back-office.js';
import { secretText, text, textOrNumber } from './schema/answer-fields.js';
import { check } from './schema/check.js';
import { originalGuid } from './schema/fields.js';
import { type CallOptions, type Transport, unreadable } from './transport/transport.js';

/** `GET /transactions/{transactionID}/token`: deferred tokenisation. Group B, within 12 months of the transaction. */

const request = z.strictObject({ transactionID: originalGuid });

const answerFields = z.object({
  httpStatus: textOrNumber,
  cardToken: secretText,
  maskedCardNumber: text,
  expiryDateMMYY: text,
  cardTokenizationGuid: text,
  /** `YYYYMMDDHHmmssSSS`. */
  serverDateTime: text,
  agreementNumber: text,
  /** The id of the original transaction. */
  transactionReference: text,
});

export type TokenResult = Read<z.output<typeof answerFields>> & {
  /** A secret: never logged or stored. */
  cardToken: string;
};

export type TokenRequest = z.output<typeof request>;

/** @throws InputError naming the first field that breaks a rule */
export const checkToken = (draft: unknown): TokenRequest => check(request, draft);

export class Token {
  constructor(private readonly transport: Transport) {}

  /** @throws RefusedError: 3112 not for this type of transaction, `TOKENIZATION_NOT_ENABLED` */
  async fetch(transactionID: string, options: CallOptions = {}): Promise<TokenResult> {
    const checked = checkToken({ transactionID });
    const path = ['transactions', checked.transactionID, 'token'];
    const answer = await this.transport.request({ ...options, endpoint: 'back-office', method: 'GET', path });
    const read = readAnswer(answer, answerFields);
    const { cardToken = '' } = read;
    if (cardToken === '') throw unreadable(answer, 'no cardToken');
    return { ...read, cardToken };
  }
}
