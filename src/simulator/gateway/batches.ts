import type { Merchant } from '../model/merchant.js';
import type { Transaction } from '../model/transaction.js';

/**
 * Settlement. Approved transactions go into the merchant's open batch; closing the batch settles them. A batch that
 * is not closed by its merchant closes at the end of its day: 23:00 Eastern (04:00 UTC) for group B, midnight UTC for
 * the others. This is computed at the next read, so no timer is needed.
 */

export interface Batch {
  number: string;
  transactions: Transaction[];
  /** The end of its day, epoch ms. */
  endsAt: number;
  /** Epoch ms; undefined while open. */
  closedAt?: number;
  /** It closed at the end of its day because the merchant had not closed it. */
  missed: boolean;
}

const DAY = 24 * 60 * 60 * 1000;
const EASTERN_CLOSE = 4 * 60 * 60 * 1000;
/** Every batch of the DEMO merchant has this number. */
export const DEMO_BATCH = '123';

export class Batches {
  private readonly byMerchant = new Map<Merchant, Batch[]>();

  constructor(private readonly now: () => number) {}

  /** The open batch; begins one if there is none. */
  open(merchant: Merchant): Batch {
    const batches = this.of(merchant);
    const last = batches.at(-1);
    if (last !== undefined && last.closedAt === undefined && last.endsAt > this.now()) return last;
    if (last !== undefined && last.closedAt === undefined) {
      last.missed = true;
      settle(last, last.endsAt);
    }
    const next: Batch = {
      number: merchant.demo ? DEMO_BATCH : String(batches.length + 1),
      transactions: [],
      endsAt: endOfDay(merchant, this.now()),
      missed: false,
    };
    batches.push(next);
    return next;
  }

  /** Closes the open batch. */
  close(merchant: Merchant): Batch {
    const batch = this.open(merchant);
    settle(batch, this.now());
    return batch;
  }

  /** The latest closed batch with that number, or else the open one if it has it. */
  find(merchant: Merchant, number: string): Batch | undefined {
    this.open(merchant);
    const named = this.of(merchant).filter((batch) => batch.number === number);
    return named.findLast(({ closedAt }) => closedAt !== undefined) ?? named.at(-1);
  }

  /** A batch that the merchant, who must close every day, failed to close. */
  missed(merchant: Merchant): Batch | undefined {
    if (!merchant.capabilities.mustCloseDaily) return undefined;
    return this.of(merchant).find(({ missed, transactions }) => missed && transactions.length > 0);
  }

  wasClosedToday(merchant: Merchant): boolean {
    const { endsAt } = this.open(merchant);
    return this.of(merchant).some((batch) => batch.closedAt !== undefined && batch.endsAt === endsAt);
  }

  isSettled(transaction: Transaction): boolean {
    this.open(transaction.merchant);
    return transaction.settled;
  }

  private of(merchant: Merchant): Batch[] {
    const known = this.byMerchant.get(merchant);
    if (known !== undefined) return known;
    const none: Batch[] = [];
    this.byMerchant.set(merchant, none);
    return none;
  }
}

function settle(batch: Batch, at: number): void {
  batch.closedAt = at;
  for (const transaction of batch.transactions) transaction.settled = true;
}

function endOfDay({ group }: Merchant, now: number): number {
  const shift = group === 'B' ? EASTERN_CLOSE : 0;
  return (Math.floor((now - shift) / DAY) + 1) * DAY + shift;
}
