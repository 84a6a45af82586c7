import type { ErrorRequestHandler, Express, NextFunction, Request, RequestHandler, Response } from 'express';
import type { NodeAPI } from 'node-red';
import { UUID_V4 } from '../../core/base/uuid.js';
import type { CallbackAnswer } from '../../core/engine/callback-receiver.js';
import { MAX_BODY, textIn } from '../../core/platform/body-text.js';

/**
 * Receives callbacks on a path of Node-RED's own HTTP server. The body is read here, before any body parser of the host, so
 * that every malformed one gets the same answer.
 */

/** The HTTP status that answers a callback. */
export const CALLBACK_STATUSES: Readonly<Record<CallbackAnswer, number>> = {
  taken: 200,
  'not-found': 404,
  unavailable: 503,
};

export type Receive = (attemptId: string, token: string | undefined, body: string) => Promise<CallbackAnswer>;

/** Whether a callback is known to be forged before its body is read: nothing of it is kept then. */
type IsForged = (attemptId: string, token: string | undefined) => boolean;

type Handler = RequestHandler | ErrorRequestHandler;

interface Captured extends Request {
  /** Set: the host's body parsers skip this request. */
  _body?: boolean;
  isTooLong?: true;
}

/** Paths in use, across all environments. */
const usedPaths = new Set<string>();

/** By attempt id: calls that this process makes to itself, to test whether a public address leads here. */
const expectedCalls = new Map<string, () => void>();

export function isListening(path: string): boolean {
  return usedPaths.has(path);
}

/** Calls `onArrival` when a call to the address of this attempt arrives. Returns how to stop waiting for it. */
export function expectCall(attemptId: string, onArrival: () => void): () => void {
  expectedCalls.set(attemptId, onArrival);
  return () => expectedCalls.delete(attemptId);
}

/**
 * Listens below a path. Returns how to stop; undefined when another node has the path.
 * @param path below `httpNodeRoot`, with a leading slash and no trailing one
 */
export function listen(
  RED: NodeAPI,
  path: string,
  receive: Receive,
  isForged: IsForged = () => false,
): (() => void) | undefined {
  if (usedPaths.has(path)) return undefined;
  usedPaths.add(path);
  const root = rootOf(RED.httpNode);
  const base = trimmed(root === RED.httpNode ? '' : RED.httpNode.path());
  const prefix = `${base}${path}/`;
  const isDirect = nothingStandsBefore(RED, root, path);
  /** Another environment may listen below the path of this one. */
  const isAnothers = (url: string): boolean =>
    [...usedPaths].some((other) => other.length > path.length && url.startsWith(`${other}/`));
  const capture: RequestHandler = (req, res, next) => {
    const tidy = tidied(req.url);
    const url = pathOf(tidy);
    // At the root of the server every other path may belong to another handler.
    const isOurs =
      url.startsWith(prefix) &&
      !isAnothers(url.slice(base.length)) &&
      (path !== '' || UUID_V4.test(attemptIn(url, prefix) ?? ''));
    if (req.method !== 'POST' || !isOurs) {
      next();
      return;
    }
    // Express would not find the path with two slashes in it.
    req.url = tidy;
    const attemptId = attemptIn(url, prefix);
    if (attemptId === undefined) {
      next();
      return;
    }
    const goOn = isDirect() ? () => answer(attemptId, req, res, receive) : next;
    if (isForged(attemptId, tokenOf(req))) discardBody(req, goOn);
    else readBody(req, goOn);
  };
  const handle: RequestHandler = (req, res, next) => {
    const attemptId = req.method === 'POST' ? attemptIn(req.path, '/') : undefined;
    if (isAnothers(path + req.path) || (path === '' && !UUID_V4.test(attemptId ?? ''))) next();
    else answer(attemptId, req, res, receive);
  };
  captures.add(capture);
  root.use(capture);
  moveToTop(root, capture);
  const guarded = chain([...middlewareOf(RED), handle]);
  guards.add(guarded);
  RED.httpNode.use(path === '' ? '/' : path, guarded);
  return () => {
    usedPaths.delete(path);
    removeLayer(root, capture);
    removeLayer(RED.httpNode, guarded);
  };
}

/** The path below `httpNodeRoot` of a public address, whether or not a proxy removes the root from it. */
export function routeFor(address: string, httpNodeRoot: string): string {
  const path = trimmed(tidied(new URL(address).pathname));
  const root = trimmed(httpNodeRoot);
  return root !== '' && (path === root || path.startsWith(`${root}/`)) ? path.slice(root.length) : path;
}

const TEXTS: Readonly<Record<number, string>> = {
  200: 'OK',
  404: 'Not Found',
  413: 'Payload Too Large',
  503: 'Unavailable',
};

function answer(attemptId: string | undefined, req: Captured, res: Response, receive: Receive): void {
  // At the top of the stack Express has not yet added its response methods.
  const respond = (status: number): void => {
    // Middleware may have been faster, as one with a time limit is.
    if (res.headersSent || res.writableEnded) return;
    const text = TEXTS[status] ?? '';
    // Without its length the text would leave in chunks, and in several writes.
    res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': text.length }).end(text);
  };
  if (attemptId === undefined) {
    respond(404);
    return;
  }
  expectedCalls.get(attemptId)?.();
  const { 'content-encoding': packing } = req.headers;
  const token = tokenOf(req);
  const text = Buffer.isBuffer(req.body) ? textIn(req.body, packing) : parsedText(req.body);
  const received =
    typeof text === 'string' ? receive(attemptId, token, text) : text.then((one) => receive(attemptId, token, one));
  received
    .then(
      (result) => respond(req.isTooLong ? 413 : CALLBACK_STATUSES[result]),
      () => respond(503),
    )
    // Whoever stands in front may have spoilt the response. A rejection that nobody takes would end Node-RED.
    .catch(() => res.destroy());
}

function tokenOf({ headers: { 'auth-token': header } }: Request): string | undefined {
  return typeof header === 'string' ? header : undefined;
}

/** The text of a body that a parser of the host has read first. */
function parsedText(body: unknown): string {
  return typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
}

/** Reads a body and keeps nothing of it: it may be of any length. */
function discardBody(req: Captured, next: NextFunction): void {
  req.body = undefined;
  req._body = true;
  req.resume();
  next();
}

function readBody(req: Captured, next: NextFunction): void {
  // A parser of the host has read it first, and no other end comes.
  if (req.readableEnded) {
    next();
    return;
  }
  const parts: Buffer[] = [];
  let size = 0;
  /** Whoever sends it with the right token says that the payment has ended, even where nobody reads how. */
  const goOnWithout = (): void => {
    req.removeAllListeners('data');
    discardBody(req, next);
  };
  const refuse = (): void => {
    req.isTooLong = true;
    goOnWithout();
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
  req.once('close', () => {
    if (!req.complete && !req.isTooLong) goOnWithout();
  });
  req.once('end', () => {
    if (req.isTooLong) return;
    req.body = Buffer.concat(parts);
    req._body = true;
    next();
  });
}

/** As Express takes it: a handler, or a list that may hold lists. */
function middlewareOf(RED: NodeAPI): Handler[] {
  const all: unknown[] = [RED.settings.httpNodeMiddleware].flat(Infinity);
  return all.filter((one): one is Handler => typeof one === 'function');
}

/**
 * What Express itself adds; applications with a path of their own, as Node-RED's editor and its HTTP nodes; and what keeps the
 * body of a request as it came, for "http in" nodes that ask for that.
 */
const HARMLESS_LAYERS: ReadonlySet<string> = new Set([
  'query',
  'expressInit',
  'mounted_app',
  'serveStatic',
  'rawBodyCapture',
]);

/** Stands for the id of an attempt in a path. */
const ANY_ATTEMPT = '00000000-0000-4000-8000-000000000000';

/** Our own handlers in front of everything, and those behind what guards HTTP nodes. */
const captures = new WeakSet<object>();
const guards = new WeakSet<object>();

/**
 * Whether a callback may be answered before Express routes it: only where nobody put anything in front of HTTP nodes (a
 * login, middleware of the settings or of another node, a handler of an application that embeds Node-RED). The token of a
 * callback is checked either way. Other nodes may come and go, so it is asked for each callback.
 * @param path below `httpNodeRoot`
 */
function nothingStandsBefore(RED: NodeAPI, root: Express, path: string): () => boolean {
  if (root === RED.httpNode || middlewareOf(RED).length > 0 || RED.settings.httpNodeAuth) return () => false;
  return () => {
    const { stack } = layersOf(root);
    const before = layersOf(RED.httpNode).stack;
    return stack.every(isHarmless) && before.every((layer) => !standsBefore(layer, path));
  };
}

function isHarmless({ name, handle }: Layer): boolean {
  return HARMLESS_LAYERS.has(name) || captures.has(handle);
}

/** A route answers its own requests alone, and what is mounted elsewhere none of ours. */
function standsBefore(layer: Layer, path: string): boolean {
  if (layer.route !== undefined || guards.has(layer.handle)) return false;
  const isMounted = layer.name === 'mounted_app';
  return (isMounted || !isHarmless(layer)) && layer.match(`${path}/${ANY_ATTEMPT}`);
}

/** Chains several handlers into one, which can be removed as one. */
function chain(handlers: readonly Handler[]): RequestHandler {
  return (req, res, next) => {
    const from =
      (place: number): NextFunction =>
      (error?: unknown) => {
        const handler = handlers[place];
        if (handler === undefined) next(error);
        else run(handler, error, req, res, from(place + 1));
      };
    from(0)();
  };
}

/** Express catches only what the first handler throws: a later one may run when nobody would, and that would end Node-RED. */
function run(handler: Handler, error: unknown, req: Request, res: Response, next: NextFunction): void {
  try {
    if (isForErrors(handler)) {
      if (error === undefined) next();
      else handler(error, req, res, next);
    } else if (error === undefined) handler(req, res, next);
    else next(error);
  } catch (thrown) {
    next(thrown);
  }
}

/** Express tells them by their arguments. */
function isForErrors(handler: Handler): handler is ErrorRequestHandler {
  return handler.length === 4;
}

interface Layer {
  handle: object;
  name: string;
  /** Of an `app.get(…)` or the like, as of an "http in" node; a middleware has none. */
  route?: object;
  match: (path: string) => boolean;
}

interface Layers {
  stack: Layer[];
}

/** Express 4 keeps its layers in `_router`, and its `router` throws; Express 5 has only `router`. */
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

/** The one segment behind the prefix. */
function attemptIn(path: string, prefix: string): string | undefined {
  return /^([^/]+)\/?$/.exec(path.slice(prefix.length))?.[1];
}

function pathOf(url: string): string {
  return url.split('?')[0] ?? '';
}

/** Without the scheme and the host that some proxies send, and with every slash of the path once. */
function tidied(url: string): string {
  // Both have two slashes, and hardly any address has.
  if (!url.includes('//')) return url;
  return url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '').replace(/^[^?]+/, (path) => path.replace(/\/{2,}/g, '/'));
}

function trimmed(path: string): string {
  return path.replace(/\/+$/, '');
}
