/** Whether anybody hears what a node that moves money says beside "done". The same rules in the editor and at run time. */

/** The nodes that move money. */
export const MONEY_TYPES: ReadonlySet<string> = new Set([
  'payment-sale',
  'payment-refund',
  'payment-reversal',
  'payment-moto',
  'payment-preauth',
  'payment-tip',
]);

/** The place of the output "needs attention". */
export const ATTENTION = 2;

/** A node, a group or a subflow, as the flows have it. */
export interface Placed {
  id: string;
  type: string;
  /** Its tab or subflow. */
  z?: string;
  /** Its group. */
  g?: string;
  /** Disabled. */
  d?: boolean;
  /** Of a Catch node: the nodes that it listens to, its `group`, or all. */
  scope?: unknown;
}

/**
 * Whether a Catch node hears the errors of a node. An error in a subflow goes on to the flow around it.
 * @param all every node, group and subflow
 */
export function isCaught(node: Placed, all: readonly Placed[]): boolean {
  if (all.some((one) => one.type === 'catch' && !one.d && one.z === node.z && hears(one, node, all))) return true;
  const isInSubflow = all.some(({ type, id }) => type === 'subflow' && id === node.z);
  return isInSubflow && all.filter(({ type }) => type === `subflow:${node.z}`).every((one) => isCaught(one, all));
}

function hears({ scope, g }: Placed, node: Placed, all: readonly Placed[]): boolean {
  if (Array.isArray(scope)) return scope.includes(node.id);
  return scope !== 'group' || g === undefined || groupsAround(node, all).includes(g);
}

function groupsAround({ g }: Placed, all: readonly Placed[]): string[] {
  const group = g === undefined ? undefined : all.find(({ id }) => id === g);
  return group === undefined ? [] : [group.id, ...groupsAround(group, all)];
}
