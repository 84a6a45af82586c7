import type { Request, RequestHandler } from 'express';
import type { NodeAPI } from 'node-red';

/** Who may ask, and from where. */

/** A form of a foreign page cannot send JSON without being asked whether it may; Node-RED may say yes to all of them. */
export const onlyJson: RequestHandler = (request, response, next) => {
  if (request.is('json')) next();
  else response.status(415).json({ error: 'expected application/json' });
};

/**
 * Without a login every page that is open on this computer could ask, and Node-RED 4 lets any of them: no foreign page may.
 * What is no browser says nothing of where it comes from.
 */
export const noForeignPage: RequestHandler = (request, response, next) => {
  if (isOwnPage(request)) next();
  else response.status(403).json({ error: 'asked by a page of another site' });
};

function isOwnPage(request: Request): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.get('origin');
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === request.get('host'));
}

/**
 * What stands in a dialog says where requests go and which variables of this process they carry: that is for those who may
 * deploy it. The environment as it runs is for those who may act with it.
 */
export function mayAskEnvironment(RED: NodeAPI): RequestHandler {
  const mayDeploy = RED.auth.needsPermission('flows.write');
  const mayAct = RED.auth.needsPermission('payments.write');
  return (request, response, next) => {
    const { draft } = (request.body ?? {}) as { draft?: unknown };
    (draft === undefined ? mayAct : mayDeploy)(request, response, next);
  };
}
