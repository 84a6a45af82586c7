import { element } from '../../dom.js';
import { RED } from '../../host.js';

/** A question to answer before an action. Only one is open at a time, so that no action runs twice. */

export interface Question {
  question: string;
  /** Fields to fill in; the action can begin once all of them are valid. */
  fields?: HTMLElement[];
  yes: string;
  no: string;
}

let isOpen = false;

/**
 * Asks before `run`. For the keyboard: the focus is on the first field, or else on "no", and stays in the dialog; Escape
 * means "no".
 * @param back called when the question is closed
 */
export function ask({ question, fields = [], yes, no }: Question, run: () => void, back: () => void): void {
  if (isOpen) return;
  isOpen = true;
  const form = element('form', { class: 'payments-question' }, element('p', {}, question), ...fields);
  const close = (): void => {
    isOpen = false;
    dialog.close();
    back();
  };
  const confirm = (): void => {
    if (!isOpen || !form.reportValidity()) return;
    close();
    run();
  };
  const dialog = RED.notify(form, {
    type: 'warning',
    modal: true,
    fixed: true,
    buttons: [
      { text: no, click: close },
      { text: yes, class: 'primary', click: confirm },
    ],
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    confirm();
  });
  const stops = [...dialog.querySelectorAll<HTMLElement>('input, select, textarea, button')];
  dialog.setAttribute('role', 'alertdialog');
  dialog.setAttribute('aria-modal', 'true');
  dialog.setAttribute('aria-label', question);
  dialog.addEventListener('keydown', (event) => {
    // The editor has shortcuts of its own.
    event.stopPropagation();
    if (event.key === 'Escape') close();
    else if (event.key === 'Tab') {
      focused = nextTo(document.activeElement, stops, event.shiftKey);
      focused?.focus();
    } else return;
    event.preventDefault();
  });
  let [focused] = stops;
  focused?.focus();
  // The editor of Node-RED 5 focuses the first button once this has run.
  setTimeout(() => isOpen && focused?.focus());
}

/** Keeps the focus among these elements. The browser itself may skip one while the editor still unfolds the dialog. */
function nextTo(element: Element | null, stops: readonly HTMLElement[], isBack: boolean): HTMLElement | undefined {
  const from = stops.indexOf(element as HTMLElement);
  return stops.at(isBack ? Math.max(0, from) - 1 : (from + 1) % stops.length);
}
