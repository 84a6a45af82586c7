import type { NewId } from '../../core/base/seams.js';
import type { Bank } from '../gateway/bank.js';
import { type Gateway, refundable } from '../gateway/gateway.js';
import type { Holds } from '../gateway/holds.js';
import type { Problem, Reversals } from '../gateway/reversals.js';
import { makeCard } from '../model/cards.js';
import type { Merchant } from '../model/merchant.js';
import type { Order } from '../model/order.js';
import { NO_ECHO, type Transaction, wasApproved } from '../model/transaction.js';
import type { Operation } from '../model/vocabulary.js';
import type { Terminal } from '../terminal/terminal.js';
import type { Tips } from './back-office/tip.js';

/** Amounts in minor units. */
export interface OtherPayment {
  amount: number;
  currency?: string;
}

export interface OtherSystemParts {
  newId: NewId;
  /** Whose account it works with, unless a transaction says so. */
  merchant: Merchant;
  bank: Bank;
  gateway: Gateway;
  holds: Holds;
  reversals: Reversals;
  tips: Tips;
  terminals: ReadonlyMap<string, Terminal>;
}

/** What every payment of the other system carries; its entries of the ledger are `by: 'other-system'` besides. */
export const OTHER_SYSTEM = 'other-system';

const ECHO = { ...NO_ECHO, customerReference: OTHER_SYSTEM };

/**
 * A second point of sale of the same merchant. It asks nobody's leave: neither the network nor its faults lie between it
 * and the gateway. What it does returns the `transactionID`, or undefined where the gateway refused.
 */
export class OtherSystem {
  constructor(private readonly parts: OtherSystemParts) {}

  sale(payment: OtherPayment): string | undefined {
    return this.authorise('SALE', payment);
  }

  preAuthorise(payment: OtherPayment): string | undefined {
    return this.authorise('PRE_AUTHORIZATION', payment);
  }

  /** Linked; without an amount all that is left. */
  refund(originalId: string, amount?: number): string | undefined {
    const original = this.known(originalId);
    if (original?.card === undefined) return undefined;
    const { merchant, currency, card } = original;
    return this.act(({ gateway, newId }) =>
      gateway.authorise({
        ...this.attempt(),
        id: newId(),
        merchant,
        type: 'REFUND',
        currency,
        amount: amount ?? Math.max(0, refundable(original)),
        card: { ...card, entry: 'CNP' },
        originalId,
      }),
    );
  }

  /** Of a sale, refund, capture or hold; without an amount the whole. */
  reverse(originalId: string, amount?: number): string | undefined {
    return this.follow(originalId, (request) => this.parts.reversals.reverse({ ...request, amount }));
  }

  capture(holdId: string, captured: number, tip = 0): string | undefined {
    return this.follow(holdId, (request) => this.parts.holds.capture(request, captured, tip));
  }

  /** A negative delta holds less. */
  increase(holdId: string, delta: number): string | undefined {
    return this.follow(holdId, (request) => this.parts.holds.adjust(request, delta));
  }

  /** Sets the tip of a sale; false where that was refused. */
  tip(saleId: string, tip: number): boolean {
    const merchant = this.known(saleId)?.merchant ?? this.parts.merchant;
    return this.parts.bank.as(OTHER_SYSTEM, () => this.parts.tips.adjust(saleId, tip, merchant).status === 200);
  }

  closeBatch(): void {
    this.parts.gateway.batches.close(this.parts.merchant);
  }

  /** Starts a sale on a terminal; its `transactionReference`, or undefined where the terminal refused. */
  saleOnTerminal(serial: string, { amount, currency = 'EUR' }: OtherPayment): string | undefined {
    const transactionReference = this.parts.newId();
    this.parts.bank.claim(transactionReference, OTHER_SYSTEM);
    return this.order(serial, 'sale', { amount, currency, transactionReference }) ? transactionReference : undefined;
  }

  /** Stops whatever runs on a terminal; false where nothing could be stopped. */
  stopTerminal(serial: string): boolean {
    return this.order(serial, 'stopCurrentTransaction', {});
  }

  private authorise(type: 'SALE' | 'PRE_AUTHORIZATION', { amount, currency = 'EUR' }: OtherPayment) {
    const card = makeCard({ scheme: 'MASTERCARD', last4: '2222' });
    return this.act(({ gateway, newId, merchant }) =>
      gateway.authorise({ ...this.attempt(), id: newId(), merchant, type, currency, amount, card, originalId: '' }),
    );
  }

  private attempt() {
    const verification = 'NOT_REQUIRED' as const;
    return { reference: this.parts.newId(), serial: '', tip: 0, verification, cardToken: '', echo: ECHO };
  }

  private follow(
    originalId: string,
    act: (request: {
      merchant: Merchant;
      originalId: string;
      serial: string;
      echo: typeof ECHO;
    }) => Transaction | Problem,
  ): string | undefined {
    const merchant = this.known(originalId)?.merchant ?? this.parts.merchant;
    return this.act(() => act({ merchant, originalId, serial: '', echo: ECHO }));
  }

  private act(work: (parts: OtherSystemParts) => Transaction | object): string | undefined {
    const done = this.parts.bank.as(OTHER_SYSTEM, () => work(this.parts));
    return 'decision' in done && wasApproved(done) ? done.id : undefined;
  }

  private order(serial: string, operation: Operation, more: Partial<Order>): boolean {
    const terminal = this.parts.terminals.get(serial);
    if (terminal === undefined) throw new Error(`no terminal ${serial}`);
    const { serial_number, terminal_type } = terminal;
    const started = terminal.start({ ...BARE_ORDER, operation, serial_number, terminal_type, ...more });
    return typeof started === 'object';
  }

  private known(transactionId: string): Transaction | undefined {
    return this.parts.gateway.chains.transaction(transactionId);
  }
}

const BARE_ORDER: Omit<Order, 'operation' | 'serial_number' | 'terminal_type'> = {
  amount: 0,
  currency: '',
  customerReference: OTHER_SYSTEM,
  duplicateCheck: false,
  isReferenceUsed: false,
  signatureBypass: true,
  pinBypass: true,
  metadata: null,
  moneyRemittanceOptions: null,
  originalTransactionId: '',
  returnDeviceInfo: false,
  cardPresent: false,
  tokenize: false,
};
