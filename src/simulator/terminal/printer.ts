import type { Order } from '../model/order.js';
import { isPrintable, type ReceiptLine, receiptLines } from '../results/receipts.js';
import type { ResultFacts } from '../results/result-facts.js';

/** One printout of a terminal. */
export interface Paper {
  /** Counts from 1. */
  readonly seq: number;
  readonly merchant: string;
  /** The customer's receipt of a payment. */
  readonly lines: readonly ReceiptLine[];
  /** HTML or URL that the point of sale sent to be printed. Untrusted; empty on a receipt. */
  readonly text: string;
}

interface Printed {
  readonly seq: number;
  readonly facts: ResultFacts;
  readonly text: string;
}

const KEPT = 5;

/** A terminal's printer. Keeps the latest printouts. */
export class Printer {
  private printed: readonly Printed[] = [];
  private seq = 0;

  /** Prints the receipt of a payment, or the text of a print operation. */
  print(facts: ResultFacts, { operation, receipt = '' }: Pick<Order, 'operation' | 'receipt'>): void {
    const text = operation === 'printReceipt' && facts.finStatus === 'PROCESSED' ? receipt : '';
    if (text === '' && !isPrintable(facts)) return;
    this.seq++;
    this.printed = [...this.printed, { seq: this.seq, facts, text }].slice(-KEPT);
  }

  /** Oldest first. */
  papers(): Paper[] {
    return this.printed.map(({ seq, facts, text }) => ({
      seq,
      merchant: facts.merchant.name,
      lines: text === '' ? receiptLines(facts) : [],
      text,
    }));
  }
}
