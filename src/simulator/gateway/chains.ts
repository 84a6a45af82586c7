import type { Faults } from '../infra/faults.js';
import type { Merchant } from '../model/merchant.js';
import { MAX_STATUS_LAG } from '../model/timings.js';
import type { Transaction, View } from '../model/transaction.js';

export interface Chain {
  merchant: Merchant;
  /** Oldest first; empty while only the request has been seen. */
  transactions: Transaction[];
}

/** The status service's view: transactions by the reference of their chain, shortly behind the gateway. */
export class Chains {
  private readonly byReference = new Map<string, Chain>();
  private readonly byId = new Map<string, Transaction>();
  /** References that are never shown. */
  private readonly hidden = new Set<string>();

  constructor(
    private readonly now: () => number,
    private readonly faults: Faults,
    private readonly lagMs: number,
    /** Releases expired holds before anything is read. */
    private readonly lapse: () => void,
  ) {}

  /** Records that a request with this reference was seen. It may never lead to a transaction. */
  announce(reference: string, merchant: Merchant): void {
    if (!this.byReference.has(reference)) this.byReference.set(reference, { merchant, transactions: [] });
  }

  add(transaction: Transaction): void {
    this.announce(transaction.reference, transaction.merchant);
    this.byReference.get(transaction.reference)?.transactions.push(transaction);
    this.byId.set(transaction.id, transaction);
    this.publish(transaction);
  }

  /**
   * Makes the transaction's present state visible to the status service once its lag has passed since `at` (epoch
   * ms).
   */
  publish(transaction: Transaction, at = this.now()): void {
    const late = this.faults.at('publish', { serial: transaction.serial, reference: transaction.reference });
    const lag = Math.min(late?.ms ?? (late === undefined ? this.lagMs : MAX_STATUS_LAG), MAX_STATUS_LAG);
    const last = transaction.views.at(-1)?.from ?? 0;
    const { status, amounts, views } = transaction;
    views.push({ at, from: Math.max(last, at + lag), status, amounts: { ...amounts } });
  }

  /** From now on the status service shows nothing under this reference. */
  hide(reference: string): void {
    this.hidden.add(reference);
  }

  chain(reference: string): Chain | undefined {
    this.lapse();
    return this.byReference.get(reference);
  }

  /** A transaction of this merchant. Another merchant's is not found. */
  find(id: string, merchant: Merchant): Transaction | undefined {
    this.lapse();
    const found = this.byId.get(id);
    return found?.merchant === merchant ? found : undefined;
  }

  /** A transaction of any merchant: receipts are public to anyone who knows the id. */
  transaction(id: string): Transaction | undefined {
    return this.byId.get(id);
  }

  original({ originalId, merchant }: Transaction): Transaction | undefined {
    return originalId === '' ? undefined : this.find(originalId, merchant);
  }

  /** The transaction that everything in between goes back to; itself, where it refers to none. */
  firstOf(transaction: Transaction): Transaction {
    const original = this.original(transaction);
    return original === undefined ? transaction : this.firstOf(original);
  }

  /** What the status service shows of a transaction at present; undefined while it shows nothing. `isBehind`: as far as can be. */
  view({ views, reference }: Transaction, isBehind = false): View | undefined {
    if (this.hidden.has(reference)) return undefined;
    const now = this.now();
    return views.findLast(({ at, from }) => (isBehind ? Math.max(from, at + MAX_STATUS_LAG) : from) <= now);
  }
}
