import { type EditorNode, RED, type Variable } from './host.js';

/** Which nodes move money, and whose environment moves real money. */

const MONEY: ReadonlySet<string> = new Set([
  'payment-sale',
  'payment-refund',
  'payment-reversal',
  'payment-moto',
  'payment-preauth',
  'payment-tip',
]);

/** Types of variables whose value the runtime alone knows. */
const HIDDEN: ReadonlySet<string> = new Set(['cred', 'jsonata']);

/** Whether the money is real; `unsure` where a variable decides that when the flow runs. */
export type Reality = 'live' | 'unsure';

/** Variables by name, of each subflow around a node, the innermost first. */
type Scopes = readonly ReadonlyMap<string, Variable>[];

interface MoneyNode {
  node: EditorNode;
  scopes: Scopes;
}

/** A node that moves money, or a subflow, in which there may be some. */
export function mayMoveMoney(node: EditorNode): boolean {
  return MONEY.has(node.type) || subflowOf(node) !== undefined;
}

/** Undefined: no real money. */
export function realityOf(node: EditorNode): Reality | undefined {
  const found = new Set(moneyNodesAt(node).map(realityOfOne));
  return found.has('live') ? 'live' : found.has('unsure') ? 'unsure' : undefined;
}

/** The nodes that move money with an environment, by themselves or by a terminal of it; for those of a subflow its instances. */
export function moneyNodesOf(environment: string): EditorNode[] {
  const found: EditorNode[] = [];
  RED.nodes.eachNode((node) => {
    if (RED.nodes.subflow(String(node.z))) return;
    if (moneyNodesAt(node).some((one) => environmentOf(one) === environment)) found.push(node);
  });
  return found;
}

/** What runs where a node is drawn: itself, or what its subflow holds. */
function moneyNodesAt(node: EditorNode, scopes: Scopes = []): MoneyNode[] {
  if (MONEY.has(node.type)) return [{ node, scopes }];
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
  return String(kind).includes('${') ? 'unsure' : undefined;
}

/** Id; empty where there is none, undefined where the runtime alone knows which. */
function environmentOf({ node, scopes }: MoneyNode): string | undefined {
  const terminal = resolved(node.terminal, scopes);
  if (terminal === undefined) return undefined;
  return resolved(configNode(terminal)?.environment ?? node.environment, scopes);
}

/** What a property is once `${VAR}` is put in; undefined where the runtime alone knows. */
function resolved(property: unknown, scopes: Scopes): string | undefined {
  const text = String(property ?? '');
  if (!text.includes('${')) return text;
  const name = /^\$\{([^}]+)\}$/.exec(text)?.[1];
  if (name === undefined) return undefined;
  const depth = scopes.findIndex((scope) => scope.has(name));
  const variable = scopes[depth]?.get(name);
  if (variable === undefined || HIDDEN.has(variable.type)) return undefined;
  const value = variable.type === 'env' ? `\${${variable.value}}` : variable.value;
  // What a subflow is told is meant where it stands, outside of it.
  return resolved(value, scopes.slice(depth + 1));
}

function subflowOf({ type }: EditorNode): EditorNode | undefined {
  const [, id] = /^subflow:(.+)$/.exec(type) ?? [];
  return id === undefined ? undefined : (RED.nodes.subflow(id) ?? undefined);
}

function configNode(id: unknown): EditorNode | undefined {
  return typeof id === 'string' && id !== '' ? (RED.nodes.node(id) ?? undefined) : undefined;
}
