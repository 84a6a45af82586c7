import type { Detail, Reversible } from '../../../admin/contract.js';
import { type Begun, type Checked, newKey } from '../../admin-client.js';
import { button, element } from '../../dom.js';
import { RED } from '../../host.js';
import { fullTime, money, text } from '../../words.js';
import { askHandled } from './handled-dialog.js';
import { ask } from './question.js';
import { askRefund, type RefundOrder } from './refund-dialog.js';

/** The buttons for one operation, and their results. */

export interface Actions {
  check(): Promise<Checked>;
  /** @param key of the dialog that asked for it */
  reverse(key: string): Promise<Begun>;
  refund(order: RefundOrder): Promise<Begun>;
  /** A reversal or refund has begun: the panel says when it is over. */
  begun(operationId: string): void;
  handle(note: string): Promise<unknown>;
  withdrawHandled(): Promise<unknown>;
  /** False where the service has none any more. */
  fetchReceipts(): Promise<boolean>;
}

const WRITE = 'payments.write';

/** @param answer the element that shows the result */
export function actionButtons(detail: Detail, actions: Actions, answer: HTMLElement): HTMLElement {
  const { reversible, refundable, canHandle } = detail;
  const check = button(text('sidebar.check'), 'fa-refresh', () => {
    answer.textContent = text('sidebar.checking');
    actions.check().then(
      (checked) => answer.replaceChildren(...checkedView(checked)),
      (error: Error) => answer.replaceChildren(problem(error)),
    );
  });
  const reverse = button(text('sidebar.reverse'), 'fa-undo', () => {
    const key = newKey();
    const words = { question: questionOf(detail), yes: text('sidebar.reverseNow'), no: text('sidebar.keep') };
    ask(
      words,
      () => begin(reverse, answer, actions, actions.reverse(key)),
      () => reverse.focus(),
    );
  });
  const refund = button(text('sidebar.refund'), 'fa-reply', () => {
    if (refundable === undefined) return;
    const run = (order: RefundOrder): void => begin(refund, answer, actions, actions.refund(order));
    askRefund({ ...detail, refundable }, nameOf(detail), run, () => refund.focus());
  });
  allow(check, detail.canCheck, text('sidebar.cannotCheck'));
  allow(reverse, reversible !== undefined, text('sidebar.cannotReverse'));
  allow(refund, refundable !== undefined, text('sidebar.cannotRefund'));
  const buttons = [check, reverse, refund];
  if (canHandle !== undefined) buttons.push(handledButton(detail, actions, answer));
  return element('div', { class: 'payments-buttons' }, ...buttons);
}

/** The list shows what is begun as an operation of its own. */
function begin(pressed: HTMLButtonElement, answer: HTMLElement, actions: Actions, begun: Promise<Begun>): void {
  pressed.disabled = true;
  begun.then(
    ({ operationId }) => {
      answer.replaceChildren(text('sidebar.reversing'));
      actions.begun(operationId);
    },
    (error: Error) => {
      pressed.disabled = false;
      answer.replaceChildren(problem(error));
    },
  );
}

function handledButton(detail: Detail, actions: Actions, answer: HTMLElement): HTMLButtonElement {
  const say = (saying: Promise<unknown>): void => {
    saying.then(
      () => answer.replaceChildren(),
      (error: Error) => answer.replaceChildren(problem(error)),
    );
  };
  const made =
    detail.canHandle === 'withdraw'
      ? button(text('sidebar.withdrawHandled'), 'fa-flag-o', () => say(actions.withdrawHandled()))
      : button(text('sidebar.handled'), 'fa-check', () => {
          askHandled(
            nameOf(detail),
            (note) => say(actions.handle(note)),
            () => made.focus(),
          );
        });
  allow(made, true, '');
  return made;
}

/** For an operation whose receipts are gone here. */
export function fetchButton(actions: Actions, answer: HTMLElement): HTMLButtonElement {
  const fetch = button(text('sidebar.fetchReceipts'), 'fa-download', () => {
    fetch.disabled = true;
    actions.fetchReceipts().then(
      (isFound) => answer.replaceChildren(isFound ? '' : text('sidebar.receiptsGone')),
      (error: Error) => {
        fetch.disabled = false;
        answer.replaceChildren(problem(error));
      },
    );
  });
  allow(fetch, true, '');
  return fetch;
}

/** A disabled button has the reason as its title. */
function allow(action: HTMLButtonElement, isPossible: boolean, why: string): void {
  const isAllowed = RED.user.hasPermission(WRITE);
  action.disabled = !isAllowed || !isPossible;
  if (action.disabled) action.title = isAllowed ? why : text('sidebar.needsPermission', { permission: WRITE });
}

function questionOf(detail: Detail): string {
  const { reversible = 'payment' } = detail;
  return text(`sidebar.reverseQuestion.${reversible satisfies Reversible}`, { payment: nameOf(detail) });
}

/** With what tells it from another payment of the same amount. */
function nameOf({ summary: { amount, currency, card, orderReference, at, terminal } }: Detail): string {
  return [money(amount, currency), card, orderReference, fullTime(at), terminal].filter(Boolean).join(' · ');
}

function checkedView({ isOpen, entries }: Checked): HTMLElement[] {
  const notes = [isOpen ? text('sidebar.checkedOpen') : '', entries === undefined ? text('sidebar.cannotKnow') : ''];
  if (entries?.length === 0) notes.push(text('sidebar.noRecord'));
  const lines = (entries ?? []).map(({ type, finStatus, amount, currency }) =>
    element('li', {}, [type, finStatus, money(amount, currency)].filter(Boolean).join(' · ')),
  );
  return [
    ...notes.filter(Boolean).map((line) => element('p', {}, line)),
    ...(lines.length === 0 ? [] : [element('p', {}, text('sidebar.bankSays')), element('ul', {}, ...lines)]),
  ];
}

function problem(error: Error): HTMLElement {
  return element('p', { class: 'payments-problem' }, error.message);
}
