import type { NodeAPI } from 'node-red';
import type { OperationRecord } from '../../core/journal/record.js';
import { systemClock } from '../../core/platform/system-clock.js';
import { subscribe } from '../runtime/registry.js';

/** Tells open editors what goes on, some changes at a time: a busy till must not be slowed down by who looks on. */

export const TOPIC = 'payments/operations';

const PAUSE_MS = 200;
const MOST_AT_ONCE = 200;

/** Every operation counts once in a message, as it is when that leaves. */
export function publishOperations(RED: NodeAPI): void {
  let changed = new Map<string, OperationRecord>();
  let isWaiting = false;

  const publish = async (): Promise<void> => {
    const { summaryOf } = await import('./summary.js');
    const records = [...changed.values()];
    changed = new Map(records.slice(MOST_AT_ONCE).map((record) => [record.operationId, record]));
    const now = systemClock.now();
    const summaries = records.slice(0, MOST_AT_ONCE).map((record) => summaryOf(record, now));
    RED.comms.publish(TOPIC, summaries, false);
    isWaiting = changed.size > 0;
    if (isWaiting) later();
  };
  const later = (): void => {
    setTimeout(() => void publish(), PAUSE_MS).unref();
  };

  subscribe((_access, record) => {
    changed.set(record.operationId, record);
    if (isWaiting) return;
    isWaiting = true;
    later();
  });
}
