import type { Detail, Reversible } from '../../../admin/contract.js';
import type { Checked } from '../../admin-client.js';
import { button, element } from '../../dom.js';
import { RED } from '../../host.js';
import { fullTime, money, text } from '../../words.js';
import { ask } from './question.js';

/** What a person may do about one operation, and what came of that. */

export interface Actions {
  check(): Promise<Checked>;
  reverse(): Promise<void>;
}

const WRITE = 'payments.write';

/** @param answer where it is said what came of it */
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

/** What cannot be pressed says why. */
function allow(action: HTMLButtonElement, isPossible: boolean, why: string): void {
  const isAllowed = RED.user.hasPermission(WRITE);
  action.disabled = !isAllowed || !isPossible;
  if (action.disabled) action.title = isAllowed ? why : text('sidebar.needsPermission', { permission: WRITE });
}

/** Two payments of the same amount are told apart by when and where they were made. */
function questionOf({ summary, reversible = 'payment' }: Detail): string {
  const { amount, currency, at, terminal } = summary;
  const where = [money(amount, currency), fullTime(at), terminal].filter(Boolean).join(' · ');
  return text(`sidebar.reverseQuestion.${reversible satisfies Reversible}`, { payment: where });
}

function checkedView({ isOpen, entries }: Checked): HTMLElement[] {
  const said = [isOpen ? text('sidebar.checkedOpen') : '', entries === undefined ? text('sidebar.cannotKnow') : ''];
  if (entries?.length === 0) said.push(text('sidebar.noRecord'));
  const lines = (entries ?? []).map(({ type, finStatus, amount, currency }) =>
    element('li', {}, [type, finStatus, money(amount, currency)].filter(Boolean).join(' · ')),
  );
  return [
    ...said.filter(Boolean).map((line) => element('p', {}, line)),
    ...(lines.length === 0 ? [] : [element('p', {}, text('sidebar.bankSays')), element('ul', {}, ...lines)]),
  ];
}

function problem(error: Error): HTMLElement {
  return element('p', { class: 'payments-problem' }, error.message);
}
