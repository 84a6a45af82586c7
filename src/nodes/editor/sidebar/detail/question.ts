import { element } from '../../dom.js';
import { RED } from '../../host.js';

/** A question to answer before an action. Only one is open at a time, so that no action runs twice. */

export interface Question {
  question: string;
  yes: string;
  no: string;
}

let isOpen = false;

/**
 * Asks before `run`. For the keyboard: the focus is on "no" and stays in the dialog, and Escape means "no".
 * @param back called when the question is closed
 */
export function ask({ question, yes, no }: Question, run: () => void, back: () => void): void {
  if (isOpen) return;
  isOpen = true;
  const close = (): void => {
    isOpen = false;
    dialog.close();
    back();
  };
  const confirm = (): void => {
    if (!isOpen) return;
    close();
    run();
  };
  const dialog = RED.notify(element('p', {}, question), {
    type: 'warning',
    modal: true,
    fixed: true,
    buttons: [
      { text: no, click: close },
      { text: yes, class: 'primary', click: confirm },
    ],
  });
  const buttons = [...dialog.querySelectorAll('button')];
  dialog.setAttribute('role', 'alertdialog');
  dialog.setAttribute('aria-modal', 'true');
  dialog.setAttribute('aria-label', question);
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Tab') buttons[document.activeElement === buttons[0] ? 1 : 0]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  buttons[0]?.focus();
}
