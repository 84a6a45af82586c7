import type { NodeAPI } from 'node-red';
import type { Annotation } from '../../../core/journal/annotation.js';
import type { OperationRecord } from '../../../core/journal/record.js';
import { systemClock } from '../../../core/platform/system-clock.js';
import type { EnvironmentRuntime } from '../../runtime/environment-runtime.js';
import { subscribe } from '../../runtime/registry.js';
import { OpenEditors } from './open-editors.js';

/** Publishes changes of operations to open editors, in batches, so that editors do not slow down a busy till. */

const TOPIC = 'payments/operations';

const PAUSE_MS = 200;
const MOST_AT_ONCE = 200;

interface Changed {
  environment: EnvironmentRuntime;
  record: OperationRecord;
}

/**
 * A message holds each changed operation once, in its latest state. Nothing is kept, summarised or listened to while no editor
 * is open: an editor that opens asks for the whole list first.
 */
export function publishOperations(RED: NodeAPI): OpenEditors {
  let changed = new Map<string, Changed>();
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

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
    timer = undefined;
    if (summaries.length > 0) RED.comms.publish(TOPIC, summaries, false);
    if (changed.size > 0) later();
  };
  const later = (): void => {
    timer ??= setTimeout(() => void publish(), PAUSE_MS).unref();
  };
  const onFirst = (): void => {
    unsubscribe = subscribe((environment, record) => {
      changed.set(record.operationId, { environment, record });
      later();
    });
  };
  const onLast = (): void => {
    unsubscribe?.();
    clearTimeout(timer);
    timer = undefined;
    changed.clear();
  };
  return new OpenEditors(RED, onFirst, onLast);
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
