import { type EditorNode, RED } from './host.js';

/** Which nodes move money, and whose environment moves real money. */

const MONEY: ReadonlySet<string> = new Set([
  'payment-sale',
  'payment-refund',
  'payment-reversal',
  'payment-moto',
  'payment-preauth',
  'payment-tip',
]);

export function movesMoney({ type }: EditorNode): boolean {
  return MONEY.has(type);
}

/** Of a node that moves money: whether that is real. */
export function isLive(node: EditorNode): boolean {
  const terminal = configNode(node.terminal);
  const environment = configNode(terminal?.environment) ?? configNode(node.environment);
  return environment?.kind === 'live';
}

/** The nodes that move money with an environment, by themselves or by a terminal of it. */
export function moneyNodesOf(environment: string): EditorNode[] {
  const found: EditorNode[] = [];
  RED.nodes.eachNode((node) => {
    const used = configNode(node.terminal)?.environment ?? node.environment;
    if (movesMoney(node) && used === environment) found.push(node);
  });
  return found;
}

function configNode(id: unknown): EditorNode | undefined {
  return typeof id === 'string' && id !== '' ? (RED.nodes.node(id) ?? undefined) : undefined;
}
