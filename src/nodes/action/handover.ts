import type { NodeAPI } from 'node-red';
import { onFlowsStarted } from '../runtime/flows-started.js';

/**
 * Finds the node that replaced one with the same id. A node that is deployed anew in the middle of a request still gets the
 * answer, but Node-RED drops what a closed node sends. Its replacement sends it instead, once its flow has started.
 */
export class Handover<Replacement> {
  private readonly current = new Map<string, Replacement>();

  /** `node` has the id from now on. Returns how to unregister it. */
  register(RED: NodeAPI, id: string, node: Replacement): () => void {
    const stopWaiting = onFlowsStarted(RED, () => this.current.set(id, node));
    return () => {
      stopWaiting();
      if (this.current.get(id) === node) this.current.delete(id);
    };
  }

  /** The node that has the id, while the flows are up. Undefined: there is none any more. */
  replacementOf(id: string): Replacement | undefined {
    return this.current.get(id);
  }
}
