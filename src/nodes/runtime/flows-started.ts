import type { NodeAPI } from 'node-red';

const listeners = new Set<() => void>();
const emitters = new WeakSet<object>();

/**
 * Calls `run` whenever all flows have started, so that messages reach their nodes. Returns how to stop that.
 * All callers share one listener, because an emitter with more than ten warns of a leak.
 */
export function onFlowsStarted({ events }: NodeAPI, run: () => void): () => void {
  if (!emitters.has(events)) {
    emitters.add(events);
    events.on('flows:started', () => {
      for (const listener of [...listeners]) listener();
    });
  }
  listeners.add(run);
  return () => listeners.delete(run);
}
