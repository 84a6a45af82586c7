import { element } from '../../dom.js';
import { RED } from '../../host.js';

/** A question that has to be answered before anything happens. One at a time: a second one would be answered twice. */

export interface Question {
  question: string;
  yes: string;
  no: string;
}

let isOpen = false;

/** By keyboard too: the careful answer has the focus, which stays inside, and Escape gives it. */
export function ask({ question, yes, no }: Question, run: () => void, back: () => void): void {
  if (isOpen) return;
  isOpen = true;
  const close = (): void => {
    isOpen = false;
    asked.close();
    back();
  };
  const confirm = (): void => {
    if (!isOpen) return;
    close();
    run();
  };
  const asked = RED.notify(element('p', {}, question), {
    type: 'warning',
    modal: true,
    fixed: true,
    buttons: [
      { text: no, click: close },
      { text: yes, class: 'primary', click: confirm },
    ],
  });
  const buttons = [...asked.querySelectorAll('button')];
  asked.setAttribute('role', 'alertdialog');
  asked.setAttribute('aria-modal', 'true');
  asked.setAttribute('aria-label', question);
  asked.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Tab') buttons[document.activeElement === buttons[0] ? 1 : 0]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  buttons[0]?.focus();
}
