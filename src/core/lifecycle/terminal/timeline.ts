import type { TimelineNote } from '../../operation/event.js';
import type { LifecycleEvent } from './event.js';
import type { LifecycleState } from './state.js';

/** What the timeline says beside the transitions. */
export const LEARNED = [
  'terminal-result',
  'gateway-result',
  'terminal-idle',
  'cancel-requested',
  'cancel-not-possible',
  'resumed',
] as const;

/** What an event taught, where that was new. */
export function learned(
  before: LifecycleState,
  event: LifecycleEvent,
): (TimelineNote & { event: (typeof LEARNED)[number] }) | undefined {
  switch (event.type) {
    case 'terminal': {
      const { meaning, via } = event;
      return before.terminal?.meaning === meaning ? undefined : { event: 'terminal-result', meaning, via };
    }
    case 'gateway': {
      const { meaning } = event;
      return before.gateway?.meaning === meaning ? undefined : { event: 'gateway-result', meaning };
    }
    case 'idle':
      return before.endedAt === undefined ? { event: 'terminal-idle' } : undefined;
    case 'cancel':
      return { event: 'cancel-requested' };
    case 'stop-not-possible':
      return before.stopNotPossible || before.phase !== 'waiting'
        ? undefined
        : { event: 'cancel-not-possible', code: 'CANCEL_NOT_POSSIBLE' };
    case 'restored':
      return { event: 'resumed' };
    default:
      return undefined;
  }
}
