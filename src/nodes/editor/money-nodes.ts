import { MONEY_TYPES } from '../form/unheard.js';
import { variableIn, wholeVariable } from '../form/variables.js';
import { type EditorNode, RED, type Variable } from './host.js';

/** Finds the nodes that move money, and whether it is real money. */

/** Types of variables whose value only the runtime knows. */
const HIDDEN: ReadonlySet<string> = new Set(['cred', 'jsonata']);

/** Whether the money is real; `unsure` where a variable decides that at run time. */
export type Reality = 'live' | 'unsure';

/** The variables of each subflow around a node by name, the innermost subflow first. */
type Scopes = readonly ReadonlyMap<string, Variable>[];

interface MoneyNode {
  node: EditorNode;
  scopes: Scopes;
}

/** True for a node that moves money, and for a subflow, which may contain one. */
export function mayMoveMoney(node: EditorNode): boolean {
  return MONEY_TYPES.has(node.type) || subflowOf(node) !== undefined;
}

/** Undefined: no real money. */
export function realityOf(node: EditorNode): Reality | undefined {
  const found = new Set(moneyNodesAt(node).map(realityOfOne));
  return found.has('live') ? 'live' : found.has('unsure') ? 'unsure' : undefined;
}

/**
 * The nodes that move money with an environment, directly or through a terminal. A subflow's instance stands for the nodes
 * in it.
 */
export function moneyNodesOf(environment: string): EditorNode[] {
  const found: EditorNode[] = [];
  RED.nodes.eachNode((node) => {
    if (RED.nodes.subflow(String(node.z))) return;
    if (moneyNodesAt(node).some((one) => environmentOf(one) === environment)) found.push(node);
  });
  return found;
}

/** The money nodes that a drawn node stands for: itself, or those in its subflow. */
function moneyNodesAt(node: EditorNode, scopes: Scopes = []): MoneyNode[] {
  if (MONEY_TYPES.has(node.type)) return [{ node, scopes }];
  const subflow = subflowOf(node);
  if (subflow === undefined) return [];
  const variables = new Map([...(subflow.env ?? []), ...(node.env ?? [])].map((one) => [one.name, one]));
  return RED.nodes.filterNodes({ z: subflow.id }).flatMap((inner) => moneyNodesAt(inner, [variables, ...scopes]));
}

function realityOfOne(node: MoneyNode): Reality | undefined {
  const id = environmentOf(node);
  if (id === undefined) return 'unsure';
  const kind = configNode(id)?.kind;
  if (kind === 'live') return 'live';
  return variableIn(String(kind)) === undefined ? undefined : 'unsure';
}

/** The id of a node's environment; empty where it has none, undefined where only the runtime knows. */
function environmentOf({ node, scopes }: MoneyNode): string | undefined {
  const terminal = resolved(node.terminal, scopes);
  if (terminal === undefined) return undefined;
  return resolved(configNode(terminal)?.environment ?? node.environment, scopes);
}

/** A property with `${VAR}` replaced; undefined where only the runtime knows the value. */
function resolved(property: unknown, scopes: Scopes): string | undefined {
  const text = String(property ?? '');
  if (variableIn(text) === undefined) return text;
  const name = wholeVariable(text);
  if (name === undefined) return undefined;
  const depth = scopes.findIndex((scope) => scope.has(name));
  const variable = scopes[depth]?.get(name);
  if (variable === undefined || HIDDEN.has(variable.type)) return undefined;
  const value = variable.type === 'env' ? `\${${variable.value}}` : variable.value;
  // A value given to a subflow may name a variable of the scope around it.
  return resolved(value, scopes.slice(depth + 1));
}

function subflowOf({ type }: EditorNode): EditorNode | undefined {
  const [, id] = /^subflow:(.+)$/.exec(type) ?? [];
  return id === undefined ? undefined : (RED.nodes.subflow(id) ?? undefined);
}

function configNode(id: unknown): EditorNode | undefined {
  return typeof id === 'string' && id !== '' ? (RED.nodes.node(id) ?? undefined) : undefined;
}
