import type { Detail, Reversible } from '../../../admin/contract.js';
import type { Checked } from '../../admin-client.js';
import { button, element } from '../../dom.js';
import { RED } from '../../host.js';
import { fullTime, money, text } from '../../words.js';
import { ask } from './question.js';

/** The buttons for one operation, and their results. */

export interface Actions {
  check(): Promise<Checked>;
  reverse(): Promise<void>;
}

const WRITE = 'payments.write';

/** @param answer the element that shows the result */
export function actionButtons(detail: Detail, actions: Actions, answer: HTMLElement): HTMLElement {
  const check = button(text('sidebar.check'), 'fa-refresh', () => {
    answer.textContent = text('sidebar.checking');
    actions.check().then(
      (checked) => answer.replaceChildren(...checkedView(checked)),
      (error: Error) => answer.replaceChildren(problem(error)),
    );
  });
  const reverse = button(text('sidebar.reverse'), 'fa-undo', () => {
    const words = { question: questionOf(detail), yes: text('sidebar.reverseNow'), no: text('sidebar.keep') };
    const run = (): void => {
      reverse.disabled = true;
      actions.reverse().then(
        () => answer.replaceChildren(text('sidebar.reversing')),
        (error: Error) => {
          reverse.disabled = false;
          answer.replaceChildren(problem(error));
        },
      );
    };
    ask(words, run, () => reverse.focus());
  });
  allow(check, detail.canCheck, text('sidebar.cannotCheck'));
  allow(reverse, detail.reversible !== undefined, text('sidebar.cannotReverse'));
  return element('div', { class: 'payments-buttons' }, check, reverse);
}

/** A disabled button has the reason as its title. */
function allow(action: HTMLButtonElement, isPossible: boolean, why: string): void {
  const isAllowed = RED.user.hasPermission(WRITE);
  action.disabled = !isAllowed || !isPossible;
  if (action.disabled) action.title = isAllowed ? why : text('sidebar.needsPermission', { permission: WRITE });
}

/** The question names time and terminal, so that two payments of the same amount are not confused. */
function questionOf({ summary, reversible = 'payment' }: Detail): string {
  const { amount, currency, at, terminal } = summary;
  const where = [money(amount, currency), fullTime(at), terminal].filter(Boolean).join(' · ');
  return text(`sidebar.reverseQuestion.${reversible satisfies Reversible}`, { payment: where });
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
