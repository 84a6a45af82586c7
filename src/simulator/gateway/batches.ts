import type { Merchant } from '../model/merchant.js';
import type { Transaction } from '../model/transaction.js';

/**
 * Settlement. What is approved goes into the merchant's open batch; closing settles it. A batch that nobody closes is
 * closed by itself at the end of its day, which for group B is 23:00 Eastern (04:00 UTC), for the others midnight UTC.
 * That happens when somebody next looks, so that no timer has to wait for it.
 */

export interface Batch {
  number: string;
  transactions: Transaction[];
  /** Epoch ms of the end of its day. */
  endsAt: number;
  /** Epoch ms; undefined while open. */
  closedAt?: number;
  /** Nobody closed it in time. */
  missed: boolean;
}

const DAY = 24 * 60 * 60 * 1000;
const EASTERN_CLOSE = 4 * 60 * 60 * 1000;
/** The DEMO merchant's batches all have this number. */
export const DEMO_BATCH = '123';

export class Batches {
  private readonly byMerchant = new Map<Merchant, Batch[]>();

  constructor(private readonly now: () => number) {}

  /** The batch that is open now. */
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

  /** The latest batch of that number, an open one included only where no closed one has it. */
  find(merchant: Merchant, number: string): Batch | undefined {
    this.open(merchant);
    const named = this.of(merchant).filter((batch) => batch.number === number);
    return named.findLast(({ closedAt }) => closedAt !== undefined) ?? named.at(-1);
  }

  /** A batch that a merchant who must close every day has left to close by itself. */
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
