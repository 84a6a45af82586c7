import type { Detail, Summary } from '../../../admin/contract.js';
import { button, element } from '../../dom.js';
import { RED } from '../../host.js';
import { fullTime, money, text, time, word } from '../../words.js';
import { type Entry, entryOf } from '../entry.js';
import { amountOf, nameOf, nodeOf, statusTextOf, toneOf } from '../row.js';
import { type Actions, actionButtons, fetchButton } from './actions.js';
import { receiptViews } from './receipt.js';
import { timelineView } from './timeline.js';

/** The view of one operation. */

export interface DetailActions extends Actions {
  back(): void;
  /** Opens a related operation. */
  open(id: string): void;
}

/** @param answer the result of the last action; the same element stays when the rest is drawn again */
export function detailView(detail: Detail, actions: DetailActions, answer: HTMLElement): HTMLElement {
  const entry = entryOf(detail.summary, detail.original, detail.takenBackBy ? [detail.takenBackBy] : []);
  const result = JSON.stringify(detail.result, null, 2);
  return element(
    'div',
    { class: 'payments-detail', tabindex: '-1', 'data-id': entry.id, 'aria-label': text('sidebar.detail') },
    head(entry, actions),
    actionButtons(detail, actions, answer),
    answer,
    facts(entry, detail, actions),
    element('h4', {}, text('sidebar.timeline')),
    timelineView(detail.timeline),
    element('h4', {}, text('sidebar.receipts')),
    ...receiptViews(detail.receipts),
    ...(detail.canFetchReceipts ? [fetchButton(actions, answer)] : []),
    element(
      'details',
      {},
      element('summary', {}, text('sidebar.result')),
      element('pre', { tabindex: '0', 'aria-label': text('sidebar.result') }, result),
    ),
  );
}

function head(entry: Entry, { back }: DetailActions): HTMLElement {
  const standing = element('div', { class: 'payments-standing', 'data-tone': toneOf(entry) }, statusTextOf(entry));
  const why = [entry.reason?.code, entry.reason?.message].filter(Boolean).join(' · ');
  return element(
    'div',
    { class: 'payments-head' },
    button(text('sidebar.back'), 'fa-chevron-left', back),
    element('h3', {}, nameOfOperation(entry)),
    standing,
    ...(why === '' ? [] : [element('p', { class: 'payments-reason' }, why)]),
    ...(asksForRest(entry) ? [element('p', {}, text('sidebar.askForRest'))] : []),
  );
}

function asksForRest({ outcome, standing }: Entry): boolean {
  return outcome === 'partial' && standing === 'attention';
}

function facts(entry: Entry, detail: Detail, { open }: DetailActions): HTMLElement {
  const { original, takenBackBy, resultId, references } = detail;
  const node = nodeOf(entry.node);
  const operation = (other: Summary): Node =>
    link(`${nameOfOperation(other)} · ${time(other.at)}`, () => open(other.id));
  const rows: [string, Node | string][] = [
    ['time', fullTime(entry.at)],
    ['terminal', entry.terminal],
    ['card', entry.card],
    ['approvalCode', entry.approvalCode],
    ['requested', entry.requested ? money(entry.requested, entry.currency) : ''],
    ['tip', money(entry.tip, entry.tip && entry.currency)],
    ['orderReference', entry.orderReference],
    ['orderKey', entry.orderKey ?? ''],
    ['environment', nameOf(entry.environment)],
    ['node', node ? link(nameOf(entry.node), () => RED.view.reveal(node.id)) : ''],
    ['operationId', entry.id],
    ['transactionId', entry.transactionId],
    ['original', original ? operation(original) : entry.original],
    ['reversal', takenBackBy ? operation(takenBackBy) : ''],
    ['reference', entry.reference],
    ['resultId', resultId],
    ['references', references.filter((one) => one !== entry.reference && one !== entry.id).join(', ')],
  ];
  const shown = rows.filter(([, value]) => value !== '');
  const cells = shown.flatMap(([key, value]) => [
    element('dt', {}, text(`sidebar.fact.${key}`)),
    element('dd', {}, value),
  ]);
  return element('dl', {}, ...cells);
}

function link(label: string, run: () => void): HTMLElement {
  const made = element('button', { type: 'button', class: 'payments-link' }, label);
  made.addEventListener('click', run);
  return made;
}

function nameOfOperation(summary: Summary): string {
  return `${word('operation', summary.operation)} ${amountOf(summary)}`.trim();
}
