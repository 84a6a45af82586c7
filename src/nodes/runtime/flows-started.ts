import type { NodeAPI } from 'node-red';

const listeners = new Set<() => void>();
const emitters = new WeakSet<object>();

/**
 * Calls `run` whenever all flows have started, and can be sent to. Returns how to stop that.
 * One listener speaks for all: an emitter with more than ten of them warns of a leak.
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
