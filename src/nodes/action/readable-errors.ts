import type { Node, NodeMessage } from 'node-red';

/** The part of Node-RED's flow that hands an error to its Catch nodes. Not in its documentation, so it may be missing. */
interface Flow {
  handleError?(node: Node, error: unknown, msg: NodeMessage): boolean;
}

/**
 * Calls `report`, which reports an error of a node. Where no Catch node hears it, the debug sidebar would show the Error as an
 * object in one line, cut off: then its message is logged instead. Catch nodes get the Error as ever.
 */
export function reportReadably(node: Node, report: () => void): void {
  const { _flow: flow } = node as Node & { _flow?: Flow };
  const { error: log } = node;
  node.error = (error: unknown, msg?: NodeMessage): void => {
    const isOurs = error instanceof Error && msg !== undefined && typeof flow?.handleError === 'function';
    if (!isOurs) log.call(node, error, msg);
    else if (!flow.handleError?.(node, error, msg)) log.call(node, error.message);
  };
  try {
    report();
  } finally {
    // Back to the prototype's.
    delete (node as Partial<Node>).error;
  }
}
