import { element } from '../../dom.js';
import { text } from '../../words.js';
import { ask } from './question.js';

const LONGEST_NOTE = '500';

/** Asks what was done about an operation. @param of names it */
export function askHandled(of: string, run: (note: string) => void, back: () => void): void {
  const note = element('textarea', { rows: '3', maxlength: LONGEST_NOTE, required: '' });
  const field = element('label', {}, element('span', {}, text('sidebar.handledNote')), note);
  const words = { yes: text('sidebar.handledNow'), no: text('sidebar.keep') };
  ask(
    { question: text('sidebar.handledQuestion', { payment: of }), fields: [field], ...words },
    () => run(note.value.trim()),
    back,
  );
}
