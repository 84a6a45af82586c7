import type { TimelineEntry, TimelineNote } from '../../../../core/operation/event.js';
import { element } from '../../dom.js';
import { time, word } from '../../words.js';

/** The timeline of an operation, line by line, in the user's language. */

export function timelineView(entries: readonly TimelineEntry[]): HTMLElement {
  const lines = entries.map(({ at, ...note }) =>
    element('li', {}, element('time', { datetime: new Date(at).toISOString() }, time(at)), ` ${spoken(note)}`),
  );
  return element('ol', { class: 'payments-timeline' }, ...lines);
}

function spoken({ event, ...parameters }: TimelineNote): string {
  const words = Object.entries(parameters).map(([name, value]) => [name, word('event-value', value)]);
  return word('event', event, Object.fromEntries(words));
}
