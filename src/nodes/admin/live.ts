import type { NodeAPI } from 'node-red';
import type { Annotation } from '../../core/journal/annotation.js';
import type { OperationRecord } from '../../core/journal/record.js';
import { systemClock } from '../../core/platform/system-clock.js';
import type { EnvironmentRuntime } from '../runtime/environment-runtime.js';
import { subscribe } from '../runtime/registry.js';

/** Publishes changes of operations to open editors, in batches, so that editors do not slow down a busy till. */

export const TOPIC = 'payments/operations';

const PAUSE_MS = 200;
const MOST_AT_ONCE = 200;

interface Changed {
  environment: EnvironmentRuntime;
  record: OperationRecord;
}

/** A message holds each changed operation once, in its latest state. */
export function publishOperations(RED: NodeAPI): void {
  let changed = new Map<string, Changed>();
  let isWaiting = false;

  const publish = async (): Promise<void> => {
    const { summaryOf } = await import('./summary.js');
    const all = [...changed.values()];
    changed = new Map(all.slice(MOST_AT_ONCE).map((one) => [one.record.operationId, one]));
    const now = systemClock.now();
    const summaries = await Promise.all(
      all
        .slice(0, MOST_AT_ONCE)
        .map(async ({ environment, record }) => summaryOf(record, now, await saidAbout(environment, record))),
    );
    RED.comms.publish(TOPIC, summaries, false);
    isWaiting = changed.size > 0;
    if (isWaiting) later();
  };
  const later = (): void => {
    setTimeout(() => void publish(), PAUSE_MS).unref();
  };

  subscribe((environment, record) => {
    changed.set(record.operationId, { environment, record });
    if (isWaiting) return;
    isWaiting = true;
    later();
  });
}

/** Before a flow was told anything there is nothing to say about it. */
async function saidAbout(
  environment: EnvironmentRuntime,
  { operationId, state }: OperationRecord,
): Promise<readonly Annotation[] | undefined> {
  if (state.reported === undefined) return undefined;
  const engine = await environment.engineIfAny();
  return (await engine?.annotations([operationId]).catch(() => undefined))?.get(operationId);
}
