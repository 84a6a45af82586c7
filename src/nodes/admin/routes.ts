import type { NodeAPI } from 'node-red';
import { mayAskEnvironment, noForeignPage, onlyJson } from './guards.js';
import { publishOperations } from './live.js';
import { type Answer, answering } from './respond.js';

/**
 * What the editor asks of the payments that run here. Every address is behind the editor's login: looking needs
 * `payments.read`, whatever sends something to the service `payments.write`, and with what is not deployed yet
 * `flows.write`. What answers is loaded when it is asked.
 */

/** Unlike any path that callbacks are likely to come by: both may share one root. */
const ROOT = '/payment-admin';

/** Registers the addresses, once for each Node-RED. */
export function registerAdmin(RED: NodeAPI): void {
  const mayRead = RED.auth.needsPermission('payments.read');
  const mayWrite = RED.auth.needsPermission('payments.write');
  const mayAsk = mayAskEnvironment(RED);
  const read = (path: string, answer: Answer): void => {
    RED.httpAdmin.get(`${ROOT}/${path}`, noForeignPage, mayRead, answering(answer));
  };
  const write = (path: string, answer: Answer, may = mayWrite): void => {
    RED.httpAdmin.post(`${ROOT}/${path}`, noForeignPage, may, onlyJson, answering(answer));
  };
  const operations = () => import('./operations.js');
  const environments = () => import('./environments.js');

  read('operations', async ({ query }) => (await operations()).list(query));
  read('operations/:id', async ({ params }) => (await operations()).detail(String(params.id)));
  write('operations/:id/check', async ({ params }) => (await operations()).check(String(params.id)));
  write('operations/:id/reverse', async ({ params }) => (await operations()).reverse(String(params.id)));
  for (const what of ['devices', 'ping', 'test'] as const) {
    write(
      `environments/:id/${what}`,
      async ({ params, body }) => (await environments())[what](RED, String(params.id), body),
      mayAsk,
    );
  }
  publishOperations(RED);
}
