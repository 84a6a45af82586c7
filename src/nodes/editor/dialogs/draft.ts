import type { EditorNode } from '../host.js';

/** An environment as the editor has it, deployed or not. */

export interface Draft {
  kind: string;
  baseUrl: string;
  statusUrl: string;
  callbackUrl: string;
  /** Typed since the last deploy; absent: the stored key. */
  apiKey?: string;
  /** Typed since the last deploy; absent: the stored second key. */
  secondApiKey?: string;
}

type KeyName = 'apiKey' | 'secondApiKey';

/** The editor's placeholder for a stored password. */
const STORED = '__PWRD__';

/** The draft of a config node in the editor. */
export function draftOfNode(node: EditorNode): Draft {
  const field = (name: string): string => String(node[name] ?? '');
  return {
    kind: field('kind') || 'simulator',
    baseUrl: field('baseUrl'),
    statusUrl: field('statusUrl'),
    callbackUrl: field('callbackUrl'),
    ...typed(node, 'apiKey'),
    ...typed(node, 'secondApiKey'),
  };
}

/** The draft in the open dialog of a config node. */
export function draftOfDialog(node: EditorNode, fieldOf: (name: string) => string): Draft {
  const keyOf = (name: KeyName): Pick<Draft, KeyName> => {
    const value = fieldOf(name);
    return value === STORED ? typed(node, name) : { [name]: value };
  };
  return {
    kind: fieldOf('kind'),
    baseUrl: fieldOf('baseUrl'),
    statusUrl: fieldOf('statusUrl'),
    callbackUrl: fieldOf('callbackUrl'),
    ...keyOf('apiKey'),
    ...keyOf('secondApiKey'),
  };
}

/** Whether there is a key, typed or stored. */
export function hasKey({ apiKey }: Draft): boolean {
  return apiKey === undefined || apiKey.trim() !== '';
}

/**
 * Whether a key is certainly missing. The editor loads which credentials are stored when a dialog opens, and forgets that
 * with a deploy, so without that information there may be a key.
 */
export function isKnownToLackKey(credentials: Readonly<Record<string, unknown>> = {}): boolean {
  const { has_apiKey: isStored, apiKey } = credentials;
  return isStored === false || (typeof apiKey === 'string' && apiKey.trim() === '');
}

function typed({ credentials }: EditorNode, name: KeyName): Pick<Draft, KeyName> {
  const key = ((credentials ?? {}) as Readonly<Record<KeyName, unknown>>)[name];
  return typeof key === 'string' && key !== STORED && key !== '' ? { [name]: key } : {};
}
