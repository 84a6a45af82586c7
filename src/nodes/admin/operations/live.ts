import type { NodeAPI } from 'node-red';
import { subscribe } from '../../runtime/registry.js';
import { type Changed, MOST_CHANGED } from '../contract.js';
import { OpenEditors } from './open-editors.js';

/**
 * Tells open editors which operations have changed, in batches, so that editors do not slow down a busy point of sale. Node-RED tells it
 * everybody who may see the statuses of nodes, so it says no more than the ids: what became of them is asked for with the
 * permission to look at payments.
 */

const TOPIC = 'payments/operations';

const PAUSE_MS = 200;

/**
 * A message holds each changed operation once. Nothing is kept or listened to while no editor is open: an editor that opens asks
 * for the whole list first.
 */
export function publishOperations(RED: NodeAPI): OpenEditors {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

  const publish = (): void => {
    timer = undefined;
    const ids: Changed = [...changed].slice(0, MOST_CHANGED);
    for (const id of ids) changed.delete(id);
    RED.comms.publish(TOPIC, ids, false);
    if (changed.size > 0) later();
  };
  const later = (): void => {
    timer ??= setTimeout(publish, PAUSE_MS).unref();
  };
  const onFirst = (): void => {
    unsubscribe = subscribe(({ operationId }) => {
      changed.add(operationId);
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
