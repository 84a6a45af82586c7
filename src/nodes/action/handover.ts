import type { NodeAPI } from 'node-red';
import { onFlowsStarted } from '../runtime/flows-started.js';

/**
 * Finds the node that replaced one with the same id. A node that is deployed anew in the middle of a request still gets the
 * answer, but Node-RED drops what a closed node sends. Its replacement sends it instead, once its flow has started.
 */
export class Handover<Replacement> {
  private readonly current = new Map<string, Replacement>();
  private readonly pending = new Map<string, ((node: Replacement) => void)[]>();

  /** `node` has the id from now on. Returns how to unregister it. */
  register(RED: NodeAPI, id: string, node: Replacement): () => void {
    const stopWaiting = onFlowsStarted(RED, () => {
      this.current.set(id, node);
      const pending = this.pending.get(id) ?? [];
      this.pending.delete(id);
      for (const run of pending) run(node);
    });
    return () => {
      stopWaiting();
      if (this.current.get(id) === node) this.current.delete(id);
    };
  }

  /** Calls `run` with the node that has the id, now or as soon as there is one. */
  withReplacement(id: string, run: (node: Replacement) => void): void {
    const node = this.current.get(id);
    if (node === undefined) this.pending.set(id, [...(this.pending.get(id) ?? []), run]);
    else run(node);
  }
}
