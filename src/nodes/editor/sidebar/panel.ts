import type { Changed, Summary } from '../../admin/contract.js';
import * as service from '../admin-client.js';
import { button, element } from '../dom.js';
import { text, word } from '../words.js';
import { toCsv } from './csv.js';
import { detailView } from './detail/detail.js';
import type { RefundOrder } from './detail/refund-dialog.js';
import { fillRow, makeRow, type OperationRow, ROW_HEIGHT, searchTextOf, statusTextOf } from './row.js';
import { statementOf } from './statement.js';
import { FILTERS, type Filter, Store } from './store.js';
import { WindowList } from './window-list.js';

/** So many operations are asked for at once: a proxy may allow an address no more than two thousand characters. */
const AT_ONCE = 50;

/** The sidebar's tab: a list with search and filter, or one opened operation. */
export class Panel {
  readonly root = element('div', { class: 'payments-panel' });
  private readonly store = new Store();
  private readonly list: WindowList<Summary, OperationRow>;
  private readonly search = element('input', { type: 'search', autocomplete: 'off' });
  private readonly filter = element('select');
  private readonly note = element('div', { class: 'payments-note', role: 'status' });
  private readonly overview = element('div', { class: 'payments-overview' });
  private next: number | undefined;
  private loading: Promise<void> | undefined;
  private isLoaded = false;
  /** Counts how often everything was loaded again: what was asked for before that may be older. */
  private reloads = 0;
  /** Ids of operations that have changed, and were not read since. */
  private readonly changed = new Set<string>();
  private isCatchingUp = false;
  /** What was read while a page was loading: it is newer than the page. */
  private readonly updates = new Map<string, Summary>();
  private opened: string | undefined;
  /** Counts the requests for the opened operation, so that a late answer to an earlier one can be ignored. */
  private requests = 0;
  /** The service's id of the transaction that the opened operation made. */
  private openedTransaction = '';
  /** A reversal or refund of the opened operation that was begun here. */
  private begun: string | undefined;
  /** Shows the result of an action on the opened operation. */
  private answer = answerArea();

  constructor() {
    this.list = new WindowList<Summary, OperationRow>({
      label: text('sidebar.title'),
      rowHeight: ROW_HEIGHT,
      make: makeRow,
      fill: (row, summary) => fillRow(row, this.store.entry(summary)),
      idOf: ({ id }) => id,
      open: ({ id }) => void this.open(id),
      nearEnd: () => void this.loadMore(),
    });
    this.overview.append(this.toolbar(), this.note, this.list.root);
    this.root.append(this.overview);
  }

  /** Called when the tab becomes visible. */
  appear(): void {
    if (this.isLoaded) this.render();
    else void this.reload();
  }

  /** Loads everything again from the runtime: after a deploy or a lost connection. */
  reload(): Promise<void> {
    return this.afterOthers(undefined);
  }

  /** Operations have changed. Without a list they may be what this user must not see, so that nothing is asked. */
  update(ids: Changed): void {
    if (!this.isLoaded && this.loading === undefined) return;
    for (const id of ids) this.changed.add(id);
    void this.catchUp();
  }

  /** Reads what has changed, one request after the other, so that no older response comes last. */
  private async catchUp(): Promise<void> {
    if (this.isCatchingUp) return;
    this.isCatchingUp = true;
    try {
      while (this.isLoaded && this.changed.size > 0) await this.readChanged();
    } catch (error) {
      this.fail(error as Error);
    }
    this.isCatchingUp = false;
  }

  private async readChanged(): Promise<void> {
    const ids = [...this.changed].slice(0, AT_ONCE);
    for (const id of ids) this.changed.delete(id);
    const { reloads } = this;
    try {
      const { operations } = await service.summaries(ids);
      if (reloads === this.reloads) this.take(operations);
      else for (const id of ids) this.changed.add(id);
    } catch (error) {
      // With the next change they are asked for again.
      for (const id of ids) this.changed.add(id);
      throw error;
    }
  }

  private fail(error: Error): void {
    this.note.textContent = text('sidebar.unavailable', { why: error.message });
    if (error.cause === 401) this.isLoaded = false;
    if (!this.isLoaded) this.changed.clear();
  }

  private take(summaries: readonly Summary[]): void {
    if (this.loading !== undefined) for (const summary of summaries) this.updates.set(summary.id, summary);
    this.store.merge(summaries);
    this.render();
    this.tellEnd();
    const isAbout = ({ id, original }: Summary): boolean =>
      id === this.opened || (original !== '' && original === this.openedTransaction);
    if (summaries.some(isAbout)) void this.refreshDetail();
  }

  private toolbar(): HTMLElement {
    this.search.setAttribute('placeholder', text('sidebar.search'));
    this.search.setAttribute('aria-label', text('sidebar.search'));
    this.search.addEventListener('input', () => this.render());
    this.filter.setAttribute('aria-label', text('sidebar.filter.label'));
    for (const name of FILTERS) this.filter.append(element('option', { value: name }, text(`sidebar.filter.${name}`)));
    this.filter.addEventListener('change', () => this.render());
    const csv = button('CSV', 'fa-download', () => void this.download());
    csv.title = text('sidebar.csv');
    csv.setAttribute('aria-label', text('sidebar.csv'));
    return element('div', { class: 'payments-toolbar' }, this.search, this.filter, csv);
  }

  private shown(): Summary[] {
    return this.store.shown(this.filter.value as Filter, this.search.value, searchTextOf);
  }

  private render(): void {
    const shown = this.shown();
    this.list.show(shown);
    const attention = this.store.count('attention');
    const open = this.store.count('open');
    this.note.classList.toggle('payments-alarm', attention > 0);
    const counts = text('sidebar.counts', { shown: shown.length, open, attention });
    const none =
      this.store.size === 0 ? 'sidebar.empty' : this.next === undefined ? 'sidebar.noMatch' : 'sidebar.searching';
    this.note.textContent = shown.length > 0 ? counts : text(none);
  }

  private async load(until: number | undefined): Promise<void> {
    this.updates.clear();
    if (until === undefined) this.reloads++;
    try {
      const { operations, next } = await service.list(until);
      if (until === undefined) this.store.clear();
      // A page further back must not replace operations that are known already; updates since then replace all.
      this.store.merge(operations.filter(({ id }) => this.store.get(id) === undefined));
      this.store.merge([...this.updates.values()]);
      this.next = next === until ? undefined : next;
      this.isLoaded = true;
      this.render();
      void this.catchUp();
    } catch (error) {
      this.fail(error as Error);
    }
  }

  private async loadMore(): Promise<void> {
    if (this.next !== undefined && this.loading === undefined) await this.afterOthers(this.next);
  }

  /** Loads one page at a time. */
  private afterOthers(until: number | undefined): Promise<void> {
    const mine = (this.loading ?? Promise.resolve())
      .then(() => this.load(until))
      .finally(() => {
        if (this.loading === mine) this.loading = undefined;
      });
    this.loading = mine;
    return mine;
  }

  private async download(): Promise<void> {
    while (this.next !== undefined) await (this.loading ?? this.loadMore());
    const rows = statementOf(this.shown().map((summary) => this.store.entry(summary)));
    const address = URL.createObjectURL(new Blob(['\ufeff', toCsv(rows)], { type: 'text/csv' }));
    element('a', { href: address, download: 'payments.csv' }).click();
    URL.revokeObjectURL(address);
  }

  private async open(id: string): Promise<void> {
    this.opened = id;
    this.begun = undefined;
    this.answer = answerArea();
    await this.refreshDetail();
    if (this.opened === id) this.root.querySelector<HTMLElement>('.payments-detail')?.focus();
  }

  private async refreshDetail(): Promise<void> {
    const id = this.opened;
    if (id === undefined) return;
    const turn = ++this.requests;
    try {
      const detail = await service.detail(id);
      if (turn !== this.requests || this.opened !== id) return;
      this.openedTransaction = detail.summary.transactionId;
      const before = this.root.querySelector<HTMLElement>('.payments-detail');
      const place = before?.dataset.id === id ? placeIn(before) : undefined;
      const actions = {
        back: () => this.close(),
        open: (other: string) => void this.open(other),
        check: () => service.checkNow(id),
        reverse: (key: string) => service.reverse(id, key),
        refund: (order: RefundOrder) => service.refund(id, order),
        begun: (operationId: string) => {
          this.begun = operationId;
          this.tellEnd();
        },
        handle: (note: string) => service.handle(id, note),
        withdrawHandled: () => service.withdrawHandled(id),
        fetchReceipts: async () => {
          const { isFound } = await service.fetchReceipts(id);
          if (isFound) await this.refreshDetail();
          return isFound;
        },
      };
      const view = detailView(detail, actions, this.answer);
      this.overview.hidden = true;
      this.root.replaceChildren(this.overview, view);
      if (place !== undefined) restore(view, place);
    } catch (error) {
      this.note.textContent = (error as Error).message;
    }
  }

  /** What was begun here is not "on its way" any more once it is over. */
  private tellEnd(): void {
    const ended = this.begun === undefined ? undefined : this.store.get(this.begun);
    if (ended?.outcome === undefined) return;
    this.begun = undefined;
    const words = { operation: word('operation', ended.operation), status: statusTextOf(ended) };
    this.answer.textContent = text('sidebar.ended', words);
  }

  private close(): void {
    this.opened = undefined;
    this.openedTransaction = '';
    this.overview.hidden = false;
    this.root.replaceChildren(this.overview);
    this.render();
    this.list.focus();
  }
}

function answerArea(): HTMLElement {
  return element('div', { class: 'payments-answer', role: 'status', 'aria-live': 'polite' });
}

/** The user's place in the view of an operation, kept when it is drawn again. */
interface Place {
  unfolded: boolean[];
  /** The index of the button with the focus; -1: none. */
  focused: number;
  scrolled: number;
}

function placeIn(view: HTMLElement): Place {
  const unfolded = [...view.querySelectorAll('details')].map(({ open }) => open);
  const focused = [...view.querySelectorAll('button')].indexOf(document.activeElement as HTMLButtonElement);
  return { unfolded, focused, scrolled: view.scrollTop };
}

function restore(view: HTMLElement, { unfolded, focused, scrolled }: Place): void {
  for (const [place, fold] of [...view.querySelectorAll('details')].entries()) fold.open = unfolded[place] ?? false;
  view.querySelectorAll('button')[focused]?.focus();
  view.scrollTop = scrolled;
}
