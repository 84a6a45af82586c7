import { isSuccess } from '../../../core/operation/outcome.js';
import type { Summary } from '../../admin/contract.js';
import { type Entry, entryOf } from './entry.js';

/** The operations that the sidebar knows, in the order in which it shows them. Independent of the page. */

export type Filter = 'all' | 'open' | 'attention' | 'success' | 'failure';

export const FILTERS: readonly Filter[] = ['all', 'attention', 'open', 'success', 'failure'];

/** How long an operation that needs attention stays in front. Its filter finds it after that too. */
const IN_FRONT_MS = 2 * 24 * 60 * 60 * 1000;

export class Store {
  private readonly byId = new Map<string, Summary>();
  /** Operation ids by the transaction that the operation made. */
  private readonly byTransaction = new Map<string, string>();
  /** Ids of reversals by the transaction that they reverse. */
  private readonly reversals = new Map<string, Set<string>>();
  /** Cached search texts by operation id. */
  private readonly searchTexts = new Map<string, string>();
  private ordered: Summary[] = [];
  private isOrdered = true;

  /** @param now returns epoch ms */
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
    this.searchTexts.clear();
    this.ordered = [];
  }

  merge(summaries: readonly Summary[]): void {
    for (const summary of summaries) {
      const { id, transactionId, original, reverses } = summary;
      this.byId.set(id, summary);
      if (transactionId !== '') this.byTransaction.set(transactionId, id);
      if (reverses !== undefined) this.reversals.set(original, (this.reversals.get(original) ?? new Set()).add(id));
      // The text of an operation depends on its original and on its reversals.
      const related = [id, this.byTransaction.get(original) ?? '', ...(this.reversals.get(transactionId) ?? [])];
      for (const one of related) this.searchTexts.delete(one);
    }
    this.isOrdered = false;
  }

  /** An operation combined with what the store knows of its original and its reversals. */
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

  /** Operations that need attention first, then open ones, then the rest, each newest first. */
  shown(filter: Filter, search: string, searchTextOf: (entry: Entry) => string): Summary[] {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (summary: Summary): boolean => {
      if (!passes(summary, filter)) return false;
      if (words.length === 0) return true;
      const text = this.searchTexts.get(summary.id) ?? searchTextOf(this.entry(summary)).toLowerCase();
      this.searchTexts.set(summary.id, text);
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
