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
  const operations = (): typeof import('./operations/operations.js') => require('./operations/operations.js');
  const refunds = (): typeof import('./decisions/refunds.js') => require('./decisions/refunds.js');
  const handled = (): typeof import('./decisions/handled.js') => require('./decisions/handled.js');
  const journals = (): typeof import('./journals/journal-test.js') => require('./journals/journal-test.js');
  const environments = (): typeof import('./environments/environments.js') => require('./environments/environments.js');

  const editors = publishOperations(RED);

  read('operations', async ({ query }) => {
    editors.noteAsking();
    return operations().list(query);
  });
  read('operations/:id', async ({ params }) => operations().detail(String(params.id)));
  write('operations/:id/check-now', async ({ params }) => operations().checkNow(String(params.id)));
  write('operations/:id/receipts', async ({ params }) => operations().fetchReceipts(String(params.id)));
  write('operations/:id/reverse', async ({ params, body }) => refunds().reverse(String(params.id), body));
  write('operations/:id/refund', async ({ params, body }) => refunds().refund(String(params.id), body));
  write('operations/:id/handled', async (request) =>
    handled().handle(String(request.params.id), userOf(request), request.body),
  );
  write('operations/:id/handled/withdraw', async (request) =>
    handled().withdrawHandled(String(request.params.id), userOf(request)),
  );
  write('journals/:id/test', async ({ params, body }) => journals().testJournal(RED, String(params.id), body), mayUse);
  for (const what of ['devices', 'ping', 'test'] as const) {
    write(
      `environments/:id/${what}`,
      async ({ params, body }) => environments()[what](RED, String(params.id), body),
      mayUse,
    );
  }
}
