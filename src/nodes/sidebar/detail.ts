import type { Detail } from '../shared/admin-summary.js';
import { button, element } from './dom.js';
import { RED } from './host.js';
import { receiptViews } from './receipt.js';
import { nameOf, standingOf, toneOf } from './row.js';
import type { Checked } from './service.js';
import { fullTime, money, text, time, word } from './words.js';

/** Everything about one operation, and what a person may do about it. */

export interface DetailActions {
  back(): void;
  check(): Promise<Checked>;
  reverse(): Promise<void>;
}

export function detailView(detail: Detail, actions: DetailActions): HTMLElement {
  const answer = element('div', { class: 'payments-answer', role: 'status', 'aria-live': 'polite' });
  const result = JSON.stringify(detail.result, null, 2);
  return element(
    'div',
    { class: 'payments-detail', tabindex: '-1', 'data-id': detail.summary.id, 'aria-label': text('sidebar.detail') },
    head(detail, actions),
    ...buttons(detail, actions, answer),
    answer,
    facts(detail),
    element('h4', {}, text('sidebar.timeline')),
    timeline(detail),
    element('h4', {}, text('sidebar.receipts')),
    ...receiptViews(detail.receipts),
    element(
      'details',
      {},
      element('summary', {}, text('sidebar.result')),
      element('pre', { tabindex: '0', 'aria-label': text('sidebar.result') }, result),
    ),
  );
}

function head({ summary }: Detail, { back }: DetailActions): HTMLElement {
  const label = `${word('operation', summary.operation)} ${money(summary.amount, summary.currency)}`.trim();
  const standing = element('div', { class: 'payments-standing', 'data-tone': toneOf(summary) }, standingOf(summary));
  return element(
    'div',
    { class: 'payments-head' },
    button(text('sidebar.back'), 'fa-chevron-left', back),
    element('h3', {}, label),
    standing,
  );
}

function buttons(
  { canCheck, canReverse, summary }: Detail,
  actions: DetailActions,
  answer: HTMLElement,
): HTMLElement[] {
  const mayWrite = RED.user.hasPermission('payments.write');
  const check = button(text('sidebar.check'), 'fa-refresh', () => {
    answer.textContent = text('sidebar.checking');
    actions.check().then(
      (checked) => answer.replaceChildren(...checkedView(checked)),
      (error: Error) => answer.replaceChildren(problem(error)),
    );
  });
  const reverse = button(text('sidebar.reverse'), 'fa-undo', () => {
    confirmReversal(money(summary.amount, summary.currency), () => {
      actions.reverse().then(
        () => answer.replaceChildren(text('sidebar.reversing')),
        (error: Error) => answer.replaceChildren(problem(error)),
      );
    });
  });
  check.disabled = !mayWrite || !canCheck;
  reverse.disabled = !mayWrite || !canReverse;
  return [element('div', { class: 'payments-buttons' }, check, reverse)];
}

/** Money goes back only after a second, deliberate click. */
function confirmReversal(amount: string, run: () => void): void {
  const question = RED.notify(text('sidebar.reverseQuestion', { amount }), {
    type: 'warning',
    modal: true,
    fixed: true,
    buttons: [
      { text: text('sidebar.keep'), click: () => question.close() },
      {
        text: text('sidebar.reverseNow'),
        class: 'primary',
        click: () => {
          question.close();
          run();
        },
      },
    ],
  });
}

function checkedView({ isOpen, entries }: Checked): HTMLElement[] {
  const said = [isOpen ? text('sidebar.checkedOpen') : '', entries === undefined ? text('sidebar.cannotKnow') : ''];
  if (entries?.length === 0) said.push(text('sidebar.noRecord'));
  const lines = (entries ?? []).map(({ type, finStatus, minor, currency }) =>
    element('li', {}, [type, finStatus, minor === null ? '' : `${minor} ${currency}`].filter(Boolean).join(' · ')),
  );
  return [
    ...said.filter(Boolean).map((line) => element('p', {}, line)),
    ...(lines.length === 0 ? [] : [element('p', {}, text('sidebar.bankSays')), element('ul', {}, ...lines)]),
  ];
}

function problem(error: Error): HTMLElement {
  return element('p', { class: 'payments-problem' }, error.message);
}

function facts({ summary, transactionId, original, resultId, references }: Detail): HTMLElement {
  const node = RED.nodes.node(summary.node);
  const place = node ? nodeLink(summary.node) : '';
  const rows: [string, Node | string][] = [
    ['time', fullTime(summary.at)],
    ['terminal', summary.terminal],
    ['environment', nameOf(summary.environment)],
    ['node', place],
    ['operationId', summary.id],
    ['transactionId', transactionId],
    ['original', original],
    ['resultId', resultId],
    ['reference', references.length > 1 ? references.slice(1).join(', ') : ''],
  ];
  const shown = rows.filter(([, value]) => value !== '');
  const cells = shown.flatMap(([key, value]) => [
    element('dt', {}, text(`sidebar.fact.${key}`)),
    element('dd', {}, value),
  ]);
  return element('dl', {}, ...cells);
}

function nodeLink(id: string): HTMLElement {
  const link = element('button', { type: 'button', class: 'payments-link' }, nameOf(id));
  link.addEventListener('click', () => RED.view.reveal(id));
  return link;
}

function timeline({ timeline: entries }: Detail): HTMLElement {
  const lines = entries.map(({ at, event }) =>
    element('li', {}, element('time', { datetime: new Date(at).toISOString() }, time(at)), ` ${event}`),
  );
  return element('ol', { class: 'payments-timeline' }, ...lines);
}
