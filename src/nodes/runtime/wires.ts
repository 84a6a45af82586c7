import type { NodeAPI } from 'node-red';

/** A node as the runtime has it. */
interface Wired {
  type?: string;
  wires?: readonly (readonly string[])[];
}

/** Whether Node-RED may copy what leaves by an output: it does for every wire but the first, at a junction too. */
export function isCopied(RED: NodeAPI, { wires = [] }: Wired, output: number): boolean {
  const ids = wires[output] ?? [];
  return ids.length > 1 || ids.some((id) => (RED.nodes.getNode(id) as Wired | null)?.type === 'junction');
}

/**
 * Whether an output leads to a node that is there: Node-RED keeps the wire to one that is disabled or deleted, and drops what is
 * sent along it. Ids are those of the flow or of the instance of a subflow, whose outputs are wired to what is behind it. A
 * junction is a part of the wire.
 * @param passed junctions that the wire has come by
 */
export function leadsSomewhere(
  RED: NodeAPI,
  wires: readonly string[] = [],
  passed: ReadonlySet<string> = new Set(),
): boolean {
  return wires.some((id) => {
    if (passed.has(id)) return false;
    try {
      const node = RED.nodes.getNode(id) as Wired | null;
      if (node?.type !== 'junction') return Boolean(node);
      return (node.wires ?? []).some((behind) => leadsSomewhere(RED, behind, new Set([...passed, id])));
    } catch {
      // Node-RED looks into every subflow, also into one that it failed to make. The node may be there.
      return true;
    }
  });
}
