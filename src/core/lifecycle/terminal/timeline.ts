import type { TimelineEntry } from '../../operation/event.js';
import type { Meaning } from '../../operation/result-meaning.js';
import type { LifecycleEvent, LifecycleState } from './lifecycle.js';

/** What the timeline says beside the rows of the lifecycle. */
export const NOTES = ['recorded', 'terminal runs nothing', 'cancel asked for', 'taken up again'] as const;

export type Note =
  | (typeof NOTES)[number]
  | `terminal says ${Meaning} (${'callback' | 'poll'})`
  | `status service says ${Meaning | 'none'}`;

/** An operation that is watched for days must not grow without end. */
const MAX_ENTRIES = 200;

/** The timeline with what an event taught, where that was new, and the row of the lifecycle that it led to. */
export function extended(
  timeline: readonly TimelineEntry[],
  at: number,
  before: LifecycleState,
  event: LifecycleEvent,
  row: string | undefined,
): TimelineEntry[] {
  const lines = [learned(before, event), row].filter((line) => line !== undefined);
  return [...timeline, ...lines.map((line) => ({ at, event: line }))].slice(-MAX_ENTRIES);
}

function learned(before: LifecycleState, event: LifecycleEvent): Note | undefined {
  switch (event.type) {
    case 'terminal':
      return before.terminal?.meaning === event.meaning ? undefined : `terminal says ${event.meaning} (${event.via})`;
    case 'gateway':
      return before.gateway?.meaning === event.meaning ? undefined : `status service says ${event.meaning}`;
    case 'idle':
      return before.endedAt === undefined ? 'terminal runs nothing' : undefined;
    case 'cancel':
      return 'cancel asked for';
    case 'restored':
      return 'taken up again';
    default:
      return undefined;
  }
}
