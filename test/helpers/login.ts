import { laneRequire } from './node-red.js';

/** Settings of a Node-RED with a login, and the login. */

export const PASSWORD = 'let me in';

/** `reader` may look, `owner` may do everything. */
export function withLogin(): Record<string, unknown> {
  const { hashSync } = laneRequire('bcryptjs') as { hashSync(text: string): string };
  const password = hashSync(PASSWORD);
  const users = [
    { username: 'reader', password, permissions: 'read' },
    { username: 'owner', password, permissions: '*' },
  ];
  return { adminAuth: { type: 'credentials', users } };
}

/** The token that the editor would have. */
export async function login(url: string, username: 'reader' | 'owner'): Promise<string> {
  const scope = username === 'reader' ? 'read' : '*';
  const form = { client_id: 'node-red-editor', grant_type: 'password', scope, username, password: PASSWORD };
  const answer = await fetch(`${url}/auth/token`, { method: 'POST', body: new URLSearchParams(form) });
  return ((await answer.json()) as { access_token: string }).access_token;
}
