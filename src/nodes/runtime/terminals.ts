import type { TerminalNode } from './config-nodes.js';

/** Node-RED lists the nodes of a subflow as they are drawn there, not those that run for each use of it. */
const running = new Set<TerminalNode>();

/** Keeps a terminal in the list until Node-RED closes its node. */
export function addTerminal(node: TerminalNode): void {
  running.add(node);
  node.on('close', () => {
    running.delete(node);
  });
}

/** The config nodes with this serial number. A variable that is not set matches none, so a mistake there stays with its own node. */
export function terminalsWith(serialNumber: string): TerminalNode[] {
  return [...running].filter((node) => String(node.serialNumber).trim() === serialNumber);
}
