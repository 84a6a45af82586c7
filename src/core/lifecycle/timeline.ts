import type { TimelineEntry, TimelineNote } from '../operation/event.js';

/** An operation that is watched for days must not grow without end. */
const MAX_ENTRIES = 200;

/** The timeline with what has happened. @param at epoch ms */
export function appended(
  timeline: TimelineEntry[],
  at: number,
  notes: readonly (TimelineNote | undefined)[],
): TimelineEntry[] {
  // Not by `map`: V8 makes an array that may have holes of it, which takes twice as long to put into JSON.
  let all = timeline;
  for (const note of notes) if (note !== undefined) all = [...all, { at, ...note }];
  return all.length > MAX_ENTRIES ? all.slice(-MAX_ENTRIES) : all;
}
