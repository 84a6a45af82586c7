import type { Request, RequestHandler } from 'express';
import type { NodeAPI } from 'node-red';
import { NO_LOGIN } from './contract.js';

/** Who may send requests to the admin routes, and from where. */

/** A form of a foreign page cannot send JSON without a preflight request. Node-RED may allow those, see the next guard. */
export const onlyJson: RequestHandler = (request, response, next) => {
  if (request.is('json')) next();
  else response.status(415).json({ error: 'expected application/json' });
};

/**
 * Without a login any page open on this computer could send requests, and Node-RED 4 allows that, so requests of foreign
 * pages are refused here. A client that is not a browser sends no origin, and is not refused.
 */
export const noForeignPage: RequestHandler = (request, response, next) => {
  if (isOwnPage(request)) next();
  else response.status(403).json({ error: 'requested by a page of another site' });
};

function isOwnPage(request: Request): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.get('origin');
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === request.get('host'));
}

/**
 * A draft decides where requests go and which variables of this process they carry, so it needs the permission to deploy.
 * The deployed environment needs the permission to act.
 */
export function mayUseEnvironment(RED: NodeAPI): RequestHandler {
  const mayDeploy = RED.auth.needsPermission('flows.write');
  const mayAct = RED.auth.needsPermission('payments.write');
  return (request, response, next) => {
    const { draft } = (request.body ?? {}) as { draft?: unknown };
    (draft === undefined ? mayAct : mayDeploy)(request, response, next);
  };
}

/** The user of the editor's login; without a login nobody knows. */
export function userOf(request: Request): string {
  const { username } = ((request as { user?: unknown }).user ?? {}) as { username?: unknown };
  return typeof username === 'string' && username !== '' ? username : NO_LOGIN;
}
