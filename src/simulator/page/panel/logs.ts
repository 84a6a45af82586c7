import type { LedgerEntry } from '../../gateway/bank.js';
import type { LoggedCallback, LoggedRequest } from '../../wire/log-entries.js';
import type { State } from '../state.js';
import { money, timeOf } from '../support/amounts.js';
import { fill, h } from '../support/dom.js';
import { named, t } from '../support/texts.js';

/** The ledger, the request log and the callbacks, newest first. Redrawn only when there is something new. */

export interface LogView {
  element: HTMLElement;
  update(state: State): void;
}

export function ledgerView(): LogView {
  const totals = h('div', { class: 'totals' });
  const rows = h('tbody');
  const head = (['when', 'kind', 'moved', 'held', 'terminal', 'reference'] as const).map((name) =>
    h('th', { text: t(`ledger.${name}`), attrs: { scope: 'col', class: `cell-${name}` } }),
  );
  const table = h('table', { class: 'ledger' }, h('thead', {}, h('tr', {}, ...head)), rows);
  return listing(
    'ledger.empty',
    ({ ledger }) => ledger,
    [totals, table],
    (ledger) => {
      fill(totals, ...totalsOf(ledger));
      fill(rows, ...ledger.map(ledgerRow).reverse());
    },
  );
}

export function requestsView(): LogView {
  const list = h('ol', { class: 'log' });
  return listing(
    'requests.empty',
    ({ requests }) => requests,
    [list],
    (requests) => {
      update(list, requests, requestRow);
    },
  );
}

export function callbacksView(): LogView {
  const list = h('ol', { class: 'log' });
  return listing(
    'callbacks.empty',
    ({ callbacks }) => callbacks,
    [list],
    (callbacks) => {
      update(list, callbacks, callbackRow);
    },
  );
}

function listing<Entry extends { seq: number }>(
  empty: 'ledger.empty' | 'requests.empty' | 'callbacks.empty',
  entriesOf: (state: State) => readonly Entry[],
  parts: HTMLElement[],
  draw: (entries: readonly Entry[]) => void,
): LogView {
  const nothing = h('p', { class: 'nothing', text: t(empty) });
  let shown: readonly Entry[] | undefined;
  return {
    element: h('div', {}, nothing, ...parts),
    update(state) {
      const entries = entriesOf(state);
      if (entries === shown) return;
      shown = entries;
      nothing.hidden = entries.length > 0;
      for (const part of parts) part.hidden = entries.length === 0;
      draw(entries);
    },
  };
}

/** Adds new rows on top and keeps the existing ones, which the user may have opened. */
function update<Entry extends { seq: number }>(
  list: HTMLElement,
  entries: readonly Entry[],
  row: (entry: Entry) => HTMLElement,
): void {
  const first = entries[0]?.seq ?? 0;
  const known = new Set([...list.children].map((child) => Number((child as HTMLElement).dataset.seq)));
  // Another simulator: its numbers begin again.
  if (entries.length < known.size || !entries.some(({ seq }) => known.has(seq))) fill(list);
  for (const child of [...list.children]) if (Number((child as HTMLElement).dataset.seq) < first) child.remove();
  for (const entry of entries) if (list.children.length === 0 || !known.has(entry.seq)) list.prepend(row(entry));
}

function totalsOf(ledger: readonly LedgerEntry[]): HTMLElement[] {
  const currencies = [...new Set(ledger.map(({ currency }) => currency))];
  return currencies.map((currency) => {
    const own = ledger.filter((entry) => entry.currency === currency);
    const moved = own.reduce((sum, entry) => sum + entry.moved, 0);
    const held = own.reduce((sum, entry) => sum + entry.held, 0);
    return h(
      'div',
      { class: 'total' },
      h('span', { class: 'total-label', text: t('ledger.net') }),
      h('strong', { text: money(moved, currency) }),
      held !== 0 && h('span', { class: 'total-held', text: t('ledger.stillHeld', { amount: money(held, currency) }) }),
    );
  });
}

function ledgerRow({ at, kind, moved, held, currency, serial, reference }: LedgerEntry): HTMLElement {
  const amount = (minor: number): string => (minor === 0 ? '' : money(minor, currency));
  return h(
    'tr',
    {},
    h('td', { class: 'cell-when', text: timeOf(at) }),
    h('td', { class: `cell-kind kind-${kind}` }, h('span', { text: named('kind', kind) })),
    h('td', { class: `cell-moved ${moved < 0 ? 'minus' : ''}`, text: amount(moved) }),
    h('td', { class: 'cell-held', text: amount(held) }),
    h('td', { class: 'cell-terminal', text: serial === '' ? t('ledger.backOffice') : serial }),
    h('td', { class: 'cell-reference' }, h('code', { text: reference.slice(0, 8), attrs: { title: reference } })),
  );
}

function requestRow({ seq, at, method, path, status, body }: LoggedRequest): HTMLElement {
  const look = status < 300 ? 'good' : status < 500 ? 'warn' : 'bad';
  return logRow(seq, at, body, [
    h('span', { class: 'log-method', text: method }),
    h('span', { class: 'log-path', text: path, attrs: { title: path } }),
    h('span', { class: `badge badge-${look}`, text: String(status) }),
  ]);
}

function callbackRow({ seq, at, serial, attempt, acknowledged, nextAt, fault, body }: LoggedCallback): HTMLElement {
  const outcome = acknowledged ? 'acknowledged' : nextAt === undefined ? 'overtaken' : 'retry';
  const look = { acknowledged: 'good', retry: 'warn', overtaken: 'plain' }[outcome];
  const next = nextAt === undefined ? '' : t('callbacks.next', { time: timeOf(nextAt) });
  return logRow(seq, at, body, [
    h('span', { class: 'log-method', text: serial }),
    h('span', { class: 'log-path', text: t('callbacks.attempt', { attempt }) }),
    fault !== undefined && h('span', { class: 'log-fault', text: named('fault', fault) }),
    next !== '' && h('span', { class: 'log-next', text: next }),
    h('span', { class: `badge badge-${look}`, text: t(`callbacks.${outcome}` as 'callbacks.acknowledged') }),
  ]);
}

/** A row that can be opened. The body is rendered only then. */
function logRow(seq: number, at: number, body: unknown, parts: (HTMLElement | false)[]): HTMLElement {
  const line = [h('time', { text: timeOf(at) }), ...parts];
  if (body === null)
    return h('li', { class: 'log-row', attrs: { 'data-seq': seq } }, h('div', { class: 'log-line' }, ...line));
  const details = h('details', {}, h('summary', { class: 'log-line' }, ...line));
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1) {
      details.append(h('pre', { text: JSON.stringify(body, null, 2), attrs: { tabindex: 0 } }));
    }
  });
  return h('li', { class: 'log-row', attrs: { 'data-seq': seq } }, details);
}
