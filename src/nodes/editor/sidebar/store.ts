import { isSuccess } from '../../../core/operation/outcome.js';
import type { Summary } from '../../admin/contract.js';
import { type Entry, entryOf } from './entry.js';

/** The operations that are known here, in the order they are shown. Knows nothing of the page. */

export type Filter = 'all' | 'open' | 'attention' | 'success' | 'failure';

export const FILTERS: readonly Filter[] = ['all', 'attention', 'open', 'success', 'failure'];

/** So long what needs attention stays in front; it is found by its filter ever after. */
const IN_FRONT_MS = 2 * 24 * 60 * 60 * 1000;

export class Store {
  private readonly byId = new Map<string, Summary>();
  /** Ids by the transaction that the operation made. */
  private readonly byTransaction = new Map<string, string>();
  /** Ids of reversals by the transaction that they take back. */
  private readonly reversals = new Map<string, Set<string>>();
  /** What each of them is found by, from the first search on until something about it changes. */
  private readonly findable = new Map<string, string>();
  private ordered: Summary[] = [];
  private isOrdered = true;

  /** @param now epoch ms, a function of the page */
  constructor(private readonly now: () => number) {}

  get size(): number {
    return this.byId.size;
  }

  get(id: string): Summary | undefined {
    return this.byId.get(id);
  }

  clear(): void {
    this.byId.clear();
    this.byTransaction.clear();
    this.reversals.clear();
    this.findable.clear();
    this.ordered = [];
  }

  merge(summaries: readonly Summary[]): void {
    for (const summary of summaries) {
      const { id, transactionId, original, reverses } = summary;
      this.byId.set(id, summary);
      if (transactionId !== '') this.byTransaction.set(transactionId, id);
      if (reverses !== undefined) this.reversals.set(original, (this.reversals.get(original) ?? new Set()).add(id));
      // An operation is shown beside what it takes back, and beside what takes it back.
      const related = [id, this.byTransaction.get(original) ?? '', ...(this.reversals.get(transactionId) ?? [])];
      for (const one of related) this.findable.delete(one);
    }
    this.isOrdered = false;
  }

  /** One of them as it is shown, beside what else is known here. */
  entry(summary: Summary): Entry {
    const original = this.byId.get(this.byTransaction.get(summary.original) ?? '');
    const reversals = [...(this.reversals.get(summary.transactionId) ?? [])].flatMap((id) => this.get(id) ?? []);
    return entryOf(summary, original, reversals);
  }

  count(standing: Summary['standing']): number {
    let count = 0;
    for (const summary of this.byId.values()) if (summary.standing === standing) count++;
    return count;
  }

  /** What needs a person first, then what goes on, then the rest; the newest first in each. */
  shown(filter: Filter, search: string, wordsOf: (entry: Entry) => string): Summary[] {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (summary: Summary): boolean => {
      if (!passes(summary, filter)) return false;
      if (words.length === 0) return true;
      const text = this.findable.get(summary.id) ?? wordsOf(this.entry(summary)).toLowerCase();
      this.findable.set(summary.id, text);
      return words.every((word) => text.includes(word));
    };
    return filter === 'all' && words.length === 0 ? this.inOrder() : this.inOrder().filter(fits);
  }

  private inOrder(): Summary[] {
    if (this.isOrdered) return this.ordered;
    const now = this.now();
    this.ordered = [...this.byId.values()].sort((a, b) => rank(a, now) - rank(b, now) || b.at - a.at);
    this.isOrdered = true;
    return this.ordered;
  }
}

function rank({ standing, at }: Summary, now: number): number {
  if (standing === 'attention') return now - at < IN_FRONT_MS ? 0 : 2;
  return standing === 'open' ? 1 : 2;
}

function passes({ standing, outcome }: Summary, filter: Filter): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'open':
    case 'attention':
      return standing === filter;
    case 'success':
      return standing === 'over' && outcome !== undefined && isSuccess(outcome);
    case 'failure':
      return standing === 'over' && outcome !== undefined && !isSuccess(outcome);
  }
}
