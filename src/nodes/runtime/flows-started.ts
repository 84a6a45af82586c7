import type { NodeAPI } from 'node-red';

/** They run once, before the listeners. */
const preparations = new Set<() => void>();
const listeners = new Set<() => void>();
const emitters = new WeakSet<object>();

/**
 * Calls `run` whenever all flows have started, so that messages reach their nodes. Returns how to stop that.
 * All callers share one listener, because an emitter with more than ten warns of a leak.
 */
export function onFlowsStarted(RED: NodeAPI, run: () => void): () => void {
  return noted(RED, run, listeners);
}

/** Calls `run` once, when all nodes are there, and before what {@link onFlowsStarted} calls. Returns how to stop that. */
export function beforeFlowsStarted(RED: NodeAPI, run: () => void): () => void {
  return noted(RED, run, preparations);
}

function noted({ events }: NodeAPI, run: () => void, among: Set<() => void>): () => void {
  if (!emitters.has(events)) {
    emitters.add(events);
    events.on('flows:started', () => {
      const once = [...preparations];
      preparations.clear();
      for (const prepare of once) prepare();
      for (const listener of [...listeners]) listener();
    });
  }
  among.add(run);
  return () => among.delete(run);
}
