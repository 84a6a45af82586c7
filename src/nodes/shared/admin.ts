import type { Request, RequestHandler, Response } from 'express';
import type { NodeAPI } from 'node-red';
import { PaymentError } from '../../core/errors.js';
import { publishOperations } from './admin-live.js';

/**
 * What the editor asks of the payments that run here. Every address is behind the editor's login: looking needs
 * `payments.read`, and whatever sends something to the service `payments.write`. What answers is loaded when it is asked.
 */

type Answer = (request: Request) => Promise<object | undefined>;

/** Unlike any path that callbacks are likely to come by: both may share one root. */
const ROOT = '/payment-admin';

/** Registers the addresses, once for each Node-RED. */
export function registerAdmin(RED: NodeAPI): void {
  const may = (permission: string): RequestHandler => RED.auth.needsPermission(permission);
  const read = (path: string, answer: Answer): void => {
    RED.httpAdmin.get(`${ROOT}/${path}`, may('payments.read'), handler(answer));
  };
  const write = (path: string, answer: Answer): void => {
    RED.httpAdmin.post(`${ROOT}/${path}`, may('payments.write'), onlyJson, handler(answer));
  };
  const operations = () => import('./admin-operations.js');
  const environments = () => import('./admin-environments.js');

  read('operations', async ({ query }) => (await operations()).list(query));
  read('operations/:id', async ({ params }) => (await operations()).detail(String(params.id)));
  write('operations/:id/check', async ({ params }) => (await operations()).check(String(params.id)));
  write('operations/:id/reverse', async ({ params }) => (await operations()).reverse(String(params.id)));
  write('environments/:id/devices', async ({ params, body }) =>
    (await environments()).devices(RED, String(params.id), body),
  );
  write('environments/:id/ping', async ({ params, body }) => (await environments()).ping(RED, String(params.id), body));
  write('environments/:id/test', async ({ params, body }) => (await environments()).test(RED, String(params.id), body));
  publishOperations(RED);
}

/** A form of a foreign page cannot send JSON without being asked whether it may. */
export const onlyJson: RequestHandler = (request, response, next) => {
  if (request.is('json')) next();
  else response.status(415).json({ error: 'expected application/json' });
};

/** Undefined is answered by 404. An error of ours is text that may be shown: it was redacted when it was made. */
function handler(answer: Answer): RequestHandler {
  return (request: Request, response: Response): void => {
    response.set('Cache-Control', 'no-store');
    answer(request).then(
      (body) => {
        if (body === undefined) response.status(404).json({ error: 'not found' });
        else response.json(body);
      },
      (error: unknown) => {
        const isOurs = error instanceof PaymentError;
        response
          .status(isOurs ? 422 : 500)
          .json({ error: isOurs ? error.message : 'unexpected', ...(isOurs ? { code: error.code } : {}) });
      },
    );
  };
}
