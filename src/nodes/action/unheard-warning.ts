import type { Node, NodeAPI } from 'node-red';
import { ATTENTION, isCaught, MONEY_TYPES, type Placed } from '../form/unheard.js';
import { leadsSomewhere } from '../runtime/wires.js';

/** Warns at a deploy, once for each node, of what nobody would hear. */

const WARNINGS = {
  attention:
    'output 3 (needs attention) is not wired to an enabled node: a partial approval, an unknown outcome or an unconfirmed ' +
    'approval would go unnoticed, although money may have moved',
  catch:
    'no Catch node hears this node: an error in the flow or its settings, which means that nothing was paid, would go unnoticed',
} as const;

/** What was warned of, so that a deploy of other nodes does not repeat it. */
const warned = new Set<string>();

/** @param config of the node; `_alias`: its id in the subflow that it is an instance of */
export function warnOfUnheard(RED: NodeAPI, node: Node, { _alias }: { _alias?: string }): void {
  if (!MONEY_TYPES.has(node.type)) return;
  const all: Placed[] = [];
  RED.nodes.eachNode((one) => all.push(one as Placed));
  const placed = all.find(({ id }) => id === (_alias ?? node.id));
  const { wires = [] } = node as Node & { wires?: string[][] };
  warn(node, 'attention', leadsSomewhere(RED, wires[ATTENTION]));
  warn(node, 'catch', placed === undefined || isCaught(placed, all));
}

function warn(node: Node, what: keyof typeof WARNINGS, isHeard: boolean): void {
  const key = `${node.id} ${what}`;
  if (isHeard) warned.delete(key);
  else if (!warned.has(key)) {
    warned.add(key);
    node.warn(WARNINGS[what]);
  }
}
