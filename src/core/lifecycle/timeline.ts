import type { TimelineEntry, TimelineNote } from '../operation/event.js';

/** An operation that is watched for days must not grow without end. */
const MAX_ENTRIES = 200;

/** The timeline with what has happened. @param at epoch ms */
export function appended(
  timeline: TimelineEntry[],
  at: number,
  notes: readonly (TimelineNote | undefined)[],
): TimelineEntry[] {
  const entries = notes.filter((note) => note !== undefined).map((note) => ({ at, ...note }));
  if (entries.length === 0) return timeline;
  const all = timeline.concat(entries);
  return all.length > MAX_ENTRIES ? all.slice(-MAX_ENTRIES) : all;
}
