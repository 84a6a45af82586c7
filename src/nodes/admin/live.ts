import type { NodeAPI } from 'node-red';
import type { OperationRecord } from '../../core/journal/record.js';
import { systemClock } from '../../core/platform/system-clock.js';
import { subscribe } from '../runtime/registry.js';

/** Publishes changes of operations to open editors, in batches, so that editors do not slow down a busy till. */

export const TOPIC = 'payments/operations';

const PAUSE_MS = 200;
const MOST_AT_ONCE = 200;

/** A message holds each changed operation once, in its latest state. */
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

  subscribe((_environment, record) => {
    changed.set(record.operationId, record);
    if (isWaiting) return;
    isWaiting = true;
    later();
  });
}
