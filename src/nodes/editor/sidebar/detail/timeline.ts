import type { TimelineEntry } from '../../../../core/operation/event.js';
import { element } from '../../dom.js';
import { text, time } from '../../words.js';
import { wordsOfEvent } from './event-words.js';

/** The timeline of an operation, line by line, in the user's language. */

export function timelineView(entries: readonly TimelineEntry[]): HTMLElement {
  const lines = entries.map(({ at, event }) =>
    element('li', {}, element('time', { datetime: new Date(at).toISOString() }, time(at)), ` ${spoken(event)}`),
  );
  return element('ol', { class: 'payments-timeline' }, ...lines);
}

/** The text of a line. A line of a later version has no text here and is shown as it is. */
function spoken(event: string): string {
  const { key, figures } = wordsOfEvent(event);
  const named = Object.entries(figures).map(([name, figure]) => [name, text(`event.figure.${figure}`)]);
  const found = text(`event.${key}`, Object.fromEntries(named));
  const isKnown = [found, ...named.map(([, word]) => word)].every((word) => word?.startsWith('event.') === false);
  return isKnown ? found : event;
}
