import type { Request, RequestHandler, Response } from 'express';
import type { NodeAPI } from 'node-red';
import type { Simulator } from '../../simulator/index.js';
import { loadSimulator } from '../runtime/load.js';
import { allEnvironments, environmentById } from '../runtime/registry.js';
import { simulatorFor } from '../runtime/simulators.js';
import { noForeignPage, onlyJson } from './guards.js';

/**
 * The virtual terminal inside Node-RED. The page itself is static and public, like the editor's own. Its requests carry the
 * token of the editor's login: reading needs `payments.read`, acting `payments.write`.
 */

const ROOT = '/payment-admin/virtual-terminal';

/** Registers the routes, once for each Node-RED. */
export function registerVirtualTerminal(RED: NodeAPI): void {
  const { httpAdmin, auth } = RED;
  const mayRead = auth.needsPermission('payments.read');
  const mayWrite = auth.needsPermission('payments.write');
  httpAdmin.get(`${ROOT}/simulators`, noForeignPage, mayRead, (_request, response) => {
    response.set('Cache-Control', 'no-store').json(listed(RED));
  });
  httpAdmin.get(`${ROOT}/simulators/:id/events`, noForeignPage, mayRead, withSimulator(stream));
  httpAdmin.get(`${ROOT}/simulators/:id/*`, noForeignPage, mayRead, withSimulator(control));
  httpAdmin.post(`${ROOT}/simulators/:id/*`, noForeignPage, mayWrite, onlyJson, withSimulator(control));
  httpAdmin.get([ROOT, `${ROOT}/:file`, `${ROOT}/:folder/:file`], page);
}

function listed(RED: NodeAPI): object[] {
  const simulated = allEnvironments().filter(({ settings }) => settings.kind === 'simulator');
  return simulated.map(({ id }) => ({
    id,
    name: RED.nodes.getNode(id)?.name ?? '',
    control: `simulators/${encodeURIComponent(id)}`,
  }));
}

type Handle = (simulator: Simulator, request: Request, response: Response) => void;

function withSimulator(handle: Handle): RequestHandler {
  return (request, response, next) => {
    const environment = environmentById(String(request.params.id));
    if (environment?.settings.kind !== 'simulator') {
      response.status(404).json({ error: 'no such simulator' });
      return;
    }
    simulatorFor(environment.id, environment.settings.group)
      .then((simulator) => handle(simulator, request, response))
      .catch(next);
  };
}

function stream(simulator: Simulator, _request: Request, response: Response): void {
  loadSimulator().streamViews(simulator, response);
}

function control(simulator: Simulator, request: Request, response: Response): void {
  const { Control } = loadSimulator();
  const query = request.originalUrl.replace(/^[^?]*/, '');
  const path = `/simulator/${request.params[0] ?? ''}${query}`;
  const sent = textOf(request.body ?? {});
  if (sent === undefined) {
    response.status(422).json({ error: 'the body is nested too deeply' });
    return;
  }
  const { status, body, contentType } = new Control(simulator).answer(request.method, path, sent);
  response
    .status(status)
    .set('Cache-Control', 'no-store')
    .type(contentType ?? 'application/json')
    .send(body);
}

/** Undefined where it is nested more deeply than JSON can be written: it can be read at any depth. */
function textOf(body: unknown): string | undefined {
  try {
    return JSON.stringify(body);
  } catch {
    return undefined;
  }
}

const page: RequestHandler = (request, response, next) => {
  const { folder, file } = request.params;
  // The page refers to its files by relative addresses, which need the trailing slash.
  if (file === undefined && !request.path.endsWith('/')) {
    response.redirect(`virtual-terminal/${request.originalUrl.replace(/^[^?]*/, '')}`);
    return;
  }
  loadSimulator()
    .pageFile([folder, file].filter((part) => part !== undefined).join('/'))
    .then(({ status, headers, body }) => response.status(status).set(headers).send(body))
    .catch(next);
};
