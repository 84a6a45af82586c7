import type { NodeAPI } from 'node-red';
import type { OperationRecord } from '../../core/journal/record.js';
import { systemClock } from '../../core/platform/system-clock.js';
import { subscribe } from '../runtime/registry.js';
import { OpenEditors } from './open-editors.js';

/** Publishes changes of operations to open editors, in batches, so that editors do not slow down a busy till. */

export const TOPIC = 'payments/operations';

const PAUSE_MS = 200;
const MOST_AT_ONCE = 200;

/**
 * A message holds each changed operation once, in its latest state. Nothing is kept, summarised or listened to while no editor
 * is open: an editor that opens asks for the whole list first.
 */
export function publishOperations(RED: NodeAPI): OpenEditors {
  let changed = new Map<string, OperationRecord>();
  let timer: NodeJS.Timeout | undefined;

  const publish = async (): Promise<void> => {
    const { summaryOf } = await import('./summary.js');
    const records = [...changed.values()];
    changed = new Map(records.slice(MOST_AT_ONCE).map((record) => [record.operationId, record]));
    const now = systemClock.now();
    const summaries = records.slice(0, MOST_AT_ONCE).map((record) => summaryOf(record, now));
    timer = undefined;
    if (summaries.length > 0) RED.comms.publish(TOPIC, summaries, false);
    if (changed.size > 0) later();
  };
  const later = (): void => {
    timer ??= setTimeout(() => void publish(), PAUSE_MS).unref();
  };
  const onFirst = (): void =>
    subscribe((_environment, record) => {
      changed.set(record.operationId, record);
      later();
    });
  const onLast = (): void => {
    subscribe(undefined);
    clearTimeout(timer);
    timer = undefined;
    changed.clear();
  };
  return new OpenEditors(RED, onFirst, onLast);
}
