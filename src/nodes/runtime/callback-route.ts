import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import type { NodeAPI } from 'node-red';
import type { CallbackAnswer } from '../../core/engine/callback-receiver.js';

/**
 * The way in for results: a path of Node-RED's own HTTP server. The body is read here, before any parser of the host
 * sees it, so that every bad one is answered alike.
 */

/** A result may carry receipts as HTML. */
const MAX_BODY = 1024 * 1024;

/** HTTP statuses. */
export const CALLBACK_STATUSES: Readonly<Record<CallbackAnswer, number>> = {
  taken: 200,
  'not-found': 404,
  unavailable: 503,
};

export type Take = (attemptId: string, token: string | undefined, body: string) => Promise<CallbackAnswer>;

interface Captured extends Request {
  /** Tells the host's parsers that there is nothing left to read. */
  _body?: boolean;
}

/** Paths in use, across all environments. */
const taken = new Set<string>();

/** Calls that this process makes to itself, to see whether a public address leads here. */
const expected = new Map<string, () => void>();

export function isListening(path: string): boolean {
  return taken.has(path);
}

/** Calls `arrived` when a call to the address of this attempt comes in. Returns how to stop waiting for it. */
export function expectCall(attemptId: string, arrived: () => void): () => void {
  expected.set(attemptId, arrived);
  return () => expected.delete(attemptId);
}

/**
 * Listens below a path. Returns how to stop; undefined when another node has the path.
 * @param path below `httpNodeRoot`, with a slash before and none after it
 */
export function listen(RED: NodeAPI, path: string, take: Take): (() => void) | undefined {
  if (taken.has(path)) return undefined;
  taken.add(path);
  const root = rootOf(RED.httpNode);
  const prefix = `${trimmed(root === RED.httpNode ? '' : RED.httpNode.path())}${path}/`;
  const capture: RequestHandler = (req, res, next) => {
    if (req.method !== 'POST' || !pathOf(req).startsWith(prefix)) next();
    else readBody(req, res, next);
  };
  const handle: RequestHandler = (req, res, next) => {
    const attemptId = req.method === 'POST' ? /^\/([^/]+)\/?$/.exec(req.path)?.[1] : undefined;
    // At the root of the server the path is everybody's.
    if (attemptId === undefined && path === '') next();
    else answer(attemptId, req, res, take);
  };
  root.use(capture);
  moveToTop(root, capture);
  const guarded = inTurn([...middlewareOf(RED), handle]);
  RED.httpNode.use(path === '' ? '/' : path, guarded);
  return () => {
    taken.delete(path);
    removeLayer(root, capture);
    removeLayer(RED.httpNode, guarded);
  };
}

/** Where below `httpNodeRoot` a public address leads: a proxy may or may not have taken the root off. */
export function routeFor(address: string, httpNodeRoot: string): string {
  const path = trimmed(new URL(address).pathname);
  const root = trimmed(httpNodeRoot);
  return root !== '' && (path === root || path.startsWith(`${root}/`)) ? path.slice(root.length) : path;
}

function answer(attemptId: string | undefined, req: Request, res: Response, take: Take): void {
  const respond = (status: number): void => {
    res
      .status(status)
      .type('text')
      .send(status === 200 ? 'OK' : status === 404 ? 'Not Found' : 'Unavailable');
  };
  if (attemptId === undefined) {
    respond(404);
    return;
  }
  expected.get(attemptId)?.();
  const token = req.headers['auth-token'];
  const body = Buffer.isBuffer(req.body) ? req.body.toString('utf8') : '';
  take(attemptId, typeof token === 'string' ? token : undefined, body).then(
    (result) => respond(CALLBACK_STATUSES[result]),
    () => respond(503),
  );
}

function readBody(req: Captured, res: Response, next: NextFunction): void {
  const parts: Buffer[] = [];
  let size = 0;
  const refuse = (): void => {
    req.removeAllListeners('data');
    req.resume();
    // The host's own sugar is not there yet at the top of the stack.
    res.writeHead(413, { 'Content-Type': 'text/plain' }).end('Payload Too Large');
  };
  if (Number(req.headers['content-length'] ?? 0) > MAX_BODY) {
    refuse();
    return;
  }
  req.on('data', (part: Buffer) => {
    size += part.length;
    if (size > MAX_BODY) refuse();
    else parts.push(part);
  });
  req.once('end', () => {
    if (size > MAX_BODY) return;
    req.body = Buffer.concat(parts);
    req._body = true;
    next();
  });
}

function middlewareOf(RED: NodeAPI): RequestHandler[] {
  const { httpNodeMiddleware: middleware } = RED.settings;
  if (Array.isArray(middleware)) return middleware as RequestHandler[];
  return typeof middleware === 'function' ? [middleware as RequestHandler] : [];
}

/** One handler made of several, so that it can be taken away as one. */
function inTurn(handlers: readonly RequestHandler[]): RequestHandler {
  return (req, res, next) => {
    const from =
      (place: number): NextFunction =>
      (error?: unknown) => {
        const handler = handlers[place];
        if (handler === undefined || error !== undefined) next(error);
        else handler(req, res, from(place + 1));
      };
    from(0)();
  };
}

interface Layers {
  stack: { handle: unknown }[];
}

/** Express 4 keeps its layers in `_router`, and its `router` throws; Express 5 has `router` alone. */
function layersOf(app: Express): Layers {
  const layered = app as unknown as { _router?: Layers; router: Layers };
  return layered._router ?? layered.router;
}

function moveToTop(app: Express, handle: RequestHandler): void {
  const { stack } = layersOf(app);
  const place = stack.findIndex((layer) => layer.handle === handle);
  stack.unshift(...stack.splice(place, 1));
}

function removeLayer(app: Express, handle: RequestHandler): void {
  const { stack } = layersOf(app);
  const place = stack.findIndex((layer) => layer.handle === handle);
  if (place >= 0) stack.splice(place, 1);
}

function rootOf(app: Express): Express {
  const { parent } = app as unknown as { parent?: Express };
  return parent === undefined ? app : rootOf(parent);
}

function pathOf(req: Request): string {
  return (req.url.split('?')[0] ?? '').replace(/\/{2,}/g, '/');
}

function trimmed(path: string): string {
  return path.replace(/\/+$/, '');
}
