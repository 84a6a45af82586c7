import type { EditorNode } from '../host.js';

/** An environment as the editor has it: deployed or not. */

export interface Draft {
  kind: string;
  baseUrl: string;
  statusUrl: string;
  callbackUrl: string;
  /** Typed since the last deploy; absent: the one that is kept. */
  apiKey?: string;
}

/** What the editor shows in place of a password that is kept. */
const KEPT = '__PWRD__';

/** From a config node, as the editor remembers it. */
export function draftOfNode(node: EditorNode): Draft {
  const field = (name: string): string => String(node[name] ?? '');
  return {
    kind: field('kind') || 'simulator',
    baseUrl: field('baseUrl'),
    statusUrl: field('statusUrl'),
    callbackUrl: field('callbackUrl'),
    ...typedKey(node),
  };
}

/** From the open dialog of a config node. */
export function draftOfDialog(node: EditorNode, fieldOf: (name: string) => string): Draft {
  const apiKey = fieldOf('apiKey');
  return {
    kind: fieldOf('kind'),
    baseUrl: fieldOf('baseUrl'),
    statusUrl: fieldOf('statusUrl'),
    callbackUrl: fieldOf('callbackUrl'),
    ...(apiKey === KEPT ? typedKey(node) : { apiKey }),
  };
}

/** Whether there is a key, typed or kept. */
export function hasKey({ apiKey }: Draft): boolean {
  return apiKey === undefined || apiKey.trim() !== '';
}

/** The editor asks what is kept when a dialog opens, and forgets it with a deploy: a key it knows nothing of may be there. */
export function isKnownToLackKey(credentials: Readonly<Record<string, unknown>> = {}): boolean {
  const { has_apiKey: isKept, apiKey } = credentials;
  return isKept === false || (typeof apiKey === 'string' && apiKey.trim() === '');
}

function typedKey({ credentials }: EditorNode): { apiKey?: string } {
  const { apiKey } = (credentials ?? {}) as { apiKey?: unknown };
  return typeof apiKey === 'string' && apiKey !== KEPT && apiKey !== '' ? { apiKey } : {};
}
