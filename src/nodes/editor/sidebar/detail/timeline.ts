import type { TimelineNote } from '../../../../core/operation/event.js';
import { type Detail, NO_LOGIN, type SaidEntry } from '../../../admin/contract.js';
import { element } from '../../dom.js';
import { text, time, word } from '../../words.js';

/** The timeline of an operation, line by line, in the user's language. */

export function timelineView(entries: Detail['timeline']): HTMLElement {
  const lines = entries.map((entry) =>
    element(
      'li',
      {},
      element('time', { datetime: new Date(entry.at).toISOString() }, time(entry.at)),
      ` ${'by' in entry ? said(entry) : spoken(entry)}`,
    ),
  );
  return element('ol', { class: 'payments-timeline' }, ...lines);
}

/** What a person wrote is shown as it is, and never looked up. */
function said({ event, by, note }: SaidEntry): string {
  const name = by === NO_LOGIN ? text('sidebar.noLogin') : by;
  return [text(`event.${event}`, { by: name }), note].filter(Boolean).join(': ');
}

function spoken({ event, ...rest }: TimelineNote & { at?: number }): string {
  const { at: _at, ...parameters } = rest;
  const words = Object.entries(parameters).map(([name, value]) => [name, word('event-value', value)]);
  return word('event', event, Object.fromEntries(words));
}
