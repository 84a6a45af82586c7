import type { NodeAPI } from 'node-red';

/**
 * Whether an output leads to a node that is there: Node-RED keeps the wire to one that is disabled or deleted, and drops what is
 * sent along it. Ids are those of the flow or of the instance of a subflow, whose outputs are wired to what is behind it.
 */
export function leadsSomewhere({ nodes }: NodeAPI, wires: readonly string[] = []): boolean {
  return wires.some((id) => {
    try {
      return Boolean(nodes.getNode(id));
    } catch {
      // Node-RED looks into every subflow, also into one that it failed to make. The node may be there.
      return true;
    }
  });
}
