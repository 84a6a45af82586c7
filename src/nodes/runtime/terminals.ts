import type { TerminalNode } from './config-nodes.js';

/** Node-RED lists the nodes of a subflow as they are drawn there, not those that run for each use of it. */
const running = new Set<TerminalNode>();

/** Until Node-RED closes the node. */
export function addTerminal(node: TerminalNode): void {
  running.add(node);
  node.on('close', () => {
    running.delete(node);
  });
}

/** The config nodes of a terminal. One whose number is a variable that is not set is none of them: that is a mistake of its own alone. */
export function terminalsWith(serialNumber: string): TerminalNode[] {
  return [...running].filter((node) => String(node.serialNumber).trim() === serialNumber);
}
