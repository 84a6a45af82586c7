import { kindOf, type Operation } from '../../../core/operation/kinds.js';
import { hasApproval, isSuccess } from '../../../core/operation/outcome.js';
import type { Summary } from '../../admin/contract.js';
import { type Entry, entryOf, mayStillMove } from './entry.js';

/** The operations that the sidebar knows, in the order in which it shows them. Independent of the page. */

export type Filter = 'all' | 'open' | 'attention' | 'success' | 'failure';

export const FILTERS: readonly Filter[] = ['all', 'attention', 'open', 'success', 'failure'];

const RANKS = { attention: 0, open: 1, over: 2 };

export class Store {
  private readonly byId = new Map<string, Summary>();
  /** Operation ids by the transaction that the operation made. */
  private readonly byTransaction = new Map<string, string>();
  /** Ids of reversals and of tips, by the transaction that they change. */
  private readonly changes = new Map<string, Set<string>>();
  /** Cached search texts by operation id. */
  private readonly searchTexts = new Map<string, string>();
  private ordered: Summary[] = [];
  private isOrdered = true;

  get size(): number {
    return this.byId.size;
  }

  get(id: string): Summary | undefined {
    return this.byId.get(id);
  }

  clear(): void {
    this.byId.clear();
    this.byTransaction.clear();
    this.changes.clear();
    this.searchTexts.clear();
    this.ordered = [];
  }

  merge(summaries: readonly Summary[]): void {
    for (const summary of summaries) {
      const { id, transactionId, original } = summary;
      this.byId.set(id, summary);
      if (transactionId !== '') this.byTransaction.set(transactionId, id);
      if (isChange(summary)) this.changes.set(original, (this.changes.get(original) ?? new Set()).add(id));
      // The text of an operation depends on its original and on its reversals.
      const related = [id, this.byTransaction.get(original) ?? '', ...(this.changes.get(transactionId) ?? [])];
      for (const one of related) this.searchTexts.delete(one);
    }
    this.isOrdered = false;
  }

  /** An operation combined with what the store knows of its original and its reversals. */
  entry(summary: Summary): Entry {
    const original = this.byId.get(this.byTransaction.get(summary.original) ?? '');
    const reversals = this.changesOf(summary.transactionId).filter(({ reverses }) => reverses !== undefined);
    const before = isChange(summary) ? this.changeBefore(summary) : undefined;
    return entryOf(summary, original && this.asChanged(original), reversals, before);
  }

  /** Where its tip was changed nobody has said how much it was in the end. */
  private asChanged(original: Summary): Summary {
    const hasTips = this.changesOf(original.transactionId).some((change) => isTip(change) && mayHaveMoved(change));
    return hasTips ? { ...original, amount: '' } : original;
  }

  private changesOf(transactionId: string): Summary[] {
    return [...(this.changes.get(transactionId) ?? [])].flatMap((id) => this.get(id) ?? []);
  }

  /** The latest one of the same kind that was done to the same transaction, or may have been. */
  private changeBefore(summary: Summary): Summary | undefined {
    const isAlike = (other: Summary): boolean => isTip(other) === isTip(summary);
    const before = this.changesOf(summary.original).filter(
      (other) => isEarlier(other, summary) && isAlike(other) && mayHaveMoved(other),
    );
    return before.sort((a, b) => (isEarlier(a, b) ? 1 : -1))[0];
  }

  count(standing: Summary['standing']): number {
    let count = 0;
    for (const summary of this.byId.values()) if (this.standingOf(summary) === standing) count++;
    return count;
  }

  /** Operations that need attention first, then open ones, then the rest, each newest first. */
  shown(filter: Filter, search: string, searchTextOf: (entry: Entry) => string): Summary[] {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean).map(withPoint);
    const fits = (summary: Summary): boolean => {
      if (!passes(summary, this.standingOf(summary), filter)) return false;
      if (words.length === 0) return true;
      const text = this.searchTexts.get(summary.id) ?? searchTextOf(this.entry(summary)).toLowerCase();
      this.searchTexts.set(summary.id, text);
      return words.every((word) => text.includes(word));
    };
    return filter === 'all' && words.length === 0 ? this.inOrder() : this.inOrder().filter(fits);
  }

  private inOrder(): Summary[] {
    if (this.isOrdered) return this.ordered;
    const rank = (summary: Summary): number => RANKS[this.standingOf(summary)];
    this.ordered = [...this.byId.values()].sort((a, b) => rank(a) - rank(b) || b.at - a.at);
    this.isOrdered = true;
    return this.ordered;
  }

  /** A reversal decides whether a person still has to look. */
  private standingOf(summary: Summary): Summary['standing'] {
    return summary.standing === 'attention' ? this.entry(summary).standing : summary.standing;
  }
}

/** It takes the place of an earlier one of its kind. */
function isChange({ operation, original, reverses }: Summary): boolean {
  return original !== '' && (reverses !== undefined || isTip({ operation }));
}

function isTip({ operation }: Pick<Summary, 'operation'>): boolean {
  return kindOf(operation as Operation) === 'tip';
}

/** Of two in the same millisecond one has to be the first. */
function isEarlier(one: Summary, other: Summary): boolean {
  return one.at === other.at ? one.id < other.id : one.at < other.at;
}

/** The release of a hold is completed, and moves nothing. */
function mayHaveMoved(summary: Summary): boolean {
  const { outcome } = summary;
  return mayStillMove(summary) || (hasApproval(outcome) && outcome !== 'completed');
}

/** An amount is shown with a point in every language. */
function withPoint(word: string): string {
  return /^\d+,\d+$/.test(word) ? word.replace(',', '.') : word;
}

function passes({ outcome }: Summary, standing: Summary['standing'], filter: Filter): boolean {
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
