import type { NodeAPI } from 'node-red';
import { mayUseEnvironment, noForeignPage, onlyJson, userOf } from './guards.js';
import { publishOperations } from './operations/live.js';
import { type Answer, answering } from './respond.js';

/**
 * The admin routes of the editor's sidebar and dialogs, behind the editor's login. Reading needs `payments.read`. Sending
 * something to the service needs `payments.write`, or `flows.write` with settings that are not deployed yet. The code that
 * answers is loaded with the first request.
 */

/** Callbacks may share the server's root, so the path is one that no public address is likely to have. */
const ROOT = '/payment-admin';

/** Registers the routes, once for each Node-RED. */
export function registerAdmin(RED: NodeAPI): void {
  const mayRead = RED.auth.needsPermission('payments.read');
  const mayWrite = RED.auth.needsPermission('payments.write');
  const mayUse = mayUseEnvironment(RED);
  const read = (path: string, answer: Answer): void => {
    RED.httpAdmin.get(`${ROOT}/${path}`, noForeignPage, mayRead, answering(answer));
  };
  const write = (path: string, answer: Answer, may = mayWrite): void => {
    RED.httpAdmin.post(`${ROOT}/${path}`, noForeignPage, may, onlyJson, answering(answer));
  };
  const operations = () => import('./operations/operations.js');
  const refunds = () => import('./decisions/refunds.js');
  const handled = () => import('./decisions/handled.js');
  const environments = () => import('./environments/environments.js');

  const editors = publishOperations(RED);

  read('operations', async ({ query }) => {
    editors.noteAsking();
    return (await operations()).list(query);
  });
  read('operations/:id', async ({ params }) => (await operations()).detail(String(params.id)));
  write('operations/:id/check-now', async ({ params }) => (await operations()).checkNow(String(params.id)));
  write('operations/:id/receipts', async ({ params }) => (await operations()).fetchReceipts(String(params.id)));
  write('operations/:id/reverse', async ({ params, body }) => (await refunds()).reverse(String(params.id), body));
  write('operations/:id/refund', async ({ params, body }) => (await refunds()).refund(RED, String(params.id), body));
  write('operations/:id/handled', async (request) =>
    (await handled()).handle(String(request.params.id), userOf(request), request.body),
  );
  write('operations/:id/handled/withdraw', async (request) =>
    (await handled()).withdrawHandled(String(request.params.id), userOf(request)),
  );
  write(
    'journals/:id/test',
    async ({ params, body }) => (await import('./journals/journal-test.js')).testJournal(RED, String(params.id), body),
    mayUse,
  );
  for (const what of ['devices', 'ping', 'test'] as const) {
    write(
      `environments/:id/${what}`,
      async ({ params, body }) => (await environments())[what](RED, String(params.id), body),
      mayUse,
    );
  }
}
