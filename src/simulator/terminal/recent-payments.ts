import type { Card } from '../model/cards.js';
import type { Order } from '../model/order.js';
import { DUPLICATE_WINDOW } from '../model/timings.js';
import type { Duplicates } from './operations/card-payment.js';

/** The cards, amounts and references of the last five minutes. */
export class RecentPayments implements Duplicates {
  private readonly seen = new Map<string, number>();

  constructor(private readonly now: () => number) {}

  knows(order: Order, card: Card): boolean {
    this.forget();
    return marksOf(order, card).some((mark) => this.seen.has(mark));
  }

  note(order: Order, card: Card): void {
    this.forget();
    for (const mark of marksOf(order, card)) {
      this.seen.delete(mark);
      this.seen.set(mark, this.now());
    }
  }

  /** Payments are ordered oldest first, so the first recent one ends the loop. */
  private forget(): void {
    for (const [mark, at] of this.seen) {
      if (this.now() - at < DUPLICATE_WINDOW) return;
      this.seen.delete(mark);
    }
  }
}

function marksOf({ operation, amount, currency, transactionReference }: Order, { pan }: Card): string[] {
  const payment = `${operation} ${pan} ${amount} ${currency}`;
  return transactionReference === undefined ? [payment] : [payment, transactionReference];
}
