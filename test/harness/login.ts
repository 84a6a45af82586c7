import { laneRequire } from './node-red.js';

/** Settings of a Node-RED with a login, and the login. */

export const PASSWORD = 'let me in';

/** What each of them may. */
const PERMISSIONS = {
  /** Look at everything. */
  reader: 'read',
  /** Do everything. */
  owner: '*',
  /** See the flows and the statuses of their nodes, and no payments. */
  viewer: ['flows.read', 'nodes.read', 'plugins.read', 'settings.read', 'status.read'],
  /** Act on payments, and deploy nothing. */
  cashier: ['flows.read', 'payments.read', 'payments.write'],
} as const;

type User = keyof typeof PERMISSIONS;

export function withLogin(): Record<string, unknown> {
  const { hashSync } = laneRequire('bcryptjs') as { hashSync(text: string): string };
  const password = hashSync(PASSWORD);
  const users = Object.entries(PERMISSIONS).map(([username, permissions]) => ({ username, password, permissions }));
  return { adminAuth: { type: 'credentials', users } };
}

/** The token that the editor would have. */
export async function login(url: string, username: User): Promise<string> {
  const scope = [PERMISSIONS[username]].flat().join(' ');
  const form = { client_id: 'node-red-editor', grant_type: 'password', scope, username, password: PASSWORD };
  const answer = await fetch(`${url}/auth/token`, { method: 'POST', body: new URLSearchParams(form) });
  return ((await answer.json()) as { access_token: string }).access_token;
}
