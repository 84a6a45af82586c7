import type { CardInput } from '../../model/cards.js';
import type { Key } from '../support/texts.js';

/** The cards that the cardholder can choose from. */

export type Entry = 'CONTACTLESS_ICC' | 'ICC' | 'MAG_STRIPE';

export interface WalletCard {
  id: string;
  scheme: string;
  kind: Key;
  last4: string;
  expiry: string;
  /** The ways in which it can be presented. */
  entries: readonly Entry[];
  card: CardInput;
}

/** The PIN of every card. It stays in the page, which only reports to the terminal whether the PIN was right. */
export const PIN = '1234';

const ALL: readonly Entry[] = ['CONTACTLESS_ICC', 'ICC', 'MAG_STRIPE'];

export const WALLET: readonly WalletCard[] = [
  make('visa', 'VISA', 'card.credit', ALL, { scheme: 'VISA', last4: '1111' }),
  make('mastercard', 'MASTERCARD', 'card.debit', ALL, { scheme: 'MASTERCARD', last4: '4444', tender: 'DEBIT' }),
  make('phone', 'VISA', 'card.phone', ['CONTACTLESS_ICC'], {
    scheme: 'VISA',
    last4: '5001',
    verification: 'MOBILE_PASS_CODE',
  }),
  make('amex', 'AMEX', 'card.signature', ALL, { scheme: 'AMEX', last4: '0005', verification: 'SIGNATURE' }),
  make('unionpay', 'UNIONPAY', 'card.pinAndSignature', ['ICC', 'MAG_STRIPE'], {
    scheme: 'UNIONPAY',
    last4: '6222',
    verification: 'PIN_SIGNATURE',
  }),
  make('prepaid', 'DISCOVER', 'card.prepaid', ALL, { scheme: 'DISCOVER', last4: '7007', tender: 'PREPAID' }),
  make('interac', 'INTERAC', 'card.debit', ALL, { scheme: 'INTERAC', last4: '8800' }),
  make('damaged', 'MAESTRO', 'card.damaged', ALL, { scheme: 'MAESTRO', last4: '0131', unreadable: true }),
];

function make(
  id: string,
  scheme: string,
  kind: Key,
  entries: readonly Entry[],
  card: CardInput & { last4: string },
): WalletCard {
  return { id, scheme, kind, last4: card.last4, expiry: '12/30', entries, card };
}
