import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Control } from './control/control.js';
import { type PageFile, pageFile } from './control/page-files.js';
import { streamViews } from './control/stream.js';
import { lowerCase, type Simulator } from './simulator.js';
import { type Answer, flatError, json, NOT_FOUND } from './wire/errors.js';

export interface ServedSimulator {
  /** `http://host:port` */
  url: string;
  baseUrl: string;
  statusUrl: string;
  port: number;
  /** Closes the port and every connection, and stops the simulator. */
  close(): Promise<void>;
}

export interface ServeOptions {
  port?: number;
  host?: string;
  /** The folder of the virtual terminal's page; by default beside this file, where the build puts it. */
  pageFolder?: string;
}

/** The page's list of simulators, which has one entry here. */
const OWN_ENTRY = { id: 'simulator', name: '', control: '../simulator' };

const FOREIGN = flatError(
  403,
  'Requested by a page of another site, or by a host name (start with --host 0.0.0.0 to be reached by one)',
);

/** This computer alone, as it is listened at or asked for. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/;

const MAX_BODY = 1024 * 1024;
/** Longer than clients keep an idle connection, so that the server never closes one in use, ms. */
const KEEP_ALIVE = 120_000;

/**
 * Serves a simulator: the service below `/api`, the status service below `/status`, the control endpoints below
 * `/simulator`, and the virtual terminal's page below `/terminal`. A lost request or response breaks the connection.
 */
export async function serveSimulator(
  simulator: Simulator,
  { port = 0, host = '127.0.0.1', pageFolder }: ServeOptions = {},
): Promise<ServedSimulator> {
  const control = new Control(simulator);
  const served = { pageFolder, isLocal: LOOPBACK.test(host) };
  const server = createServer((request, response) => {
    handle(simulator, control, request, response, served).catch(() => response.destroy());
  });
  server.keepAliveTimeout = KEEP_ALIVE;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  simulator.publicUrl = `${url}/api`;
  return {
    url,
    baseUrl: `${url}/api`,
    statusUrl: `${url}/status`,
    port: bound,
    close: () =>
      new Promise((resolve) => {
        simulator.stop();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function handle(
  simulator: Simulator,
  control: Control,
  request: IncomingMessage,
  response: ServerResponse,
  { pageFolder, isLocal }: { pageFolder: string | undefined; isLocal: boolean },
) {
  const body = await read(request);
  if (body === 'broken') return;
  if (body === 'too-long') return reply(response, flatError(413, 'The body is too long'));
  const { method = 'GET' } = request;
  const [path = '/'] = (request.url ?? '/').split('?');
  const [, top = ''] = path.split('/');
  const below = path.slice(top.length + 1);
  if (top === '' || path === '/terminal') return void response.writeHead(302, { location: '/terminal/' }).end();
  if (path === '/terminal/simulators') return reply(response, json(200, [OWN_ENTRY]));
  if (top === 'terminal') return sendPage(response, await pageFile(below.slice(1), pageFolder));
  if (top === 'simulator' && !mayControl(request, isLocal)) return reply(response, FOREIGN);
  if (path === '/simulator/events' && method === 'GET') return streamViews(simulator, response);
  if (top === 'simulator') return reply(response, control.answer(method, request.url ?? '/', body));
  if (top !== 'api' && top !== 'status') return reply(response, NOT_FOUND);
  const outcome = await simulator.handle({
    target: top === 'api' ? 'service' : 'status',
    method,
    path: below,
    headers: lowerCase(request.headers),
    body,
  });
  if (typeof outcome === 'string') request.socket.destroy();
  else reply(response, outcome);
}

/**
 * Any page that is open on this computer could send requests here. A client that is not a browser sends no origin. A page whose
 * host name was turned to this computer says so in `Host`; where others may connect, they may do so by a name.
 */
function mayControl({ headers }: IncomingMessage, isLocal: boolean): boolean {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  const isSameHost = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
  // Where the browser says it, it knows: a proxy may have changed the host.
  const isOwn = site === undefined ? isSameHost : site === 'same-origin' || site === 'none';
  return isOwn && (!isLocal || LOOPBACK.test(host.replace(/:\d+$/, '')));
}

function sendPage(response: ServerResponse, { status, headers, body }: PageFile): void {
  response.writeHead(status, headers).end(body);
}

function reply(response: ServerResponse, { status, body, contentType = 'application/json' }: Answer): void {
  if (body === '') response.writeHead(status).end();
  else response.writeHead(status, { 'content-type': contentType }).end(body);
}

function read(request: IncomingMessage): Promise<string | 'too-long' | 'broken'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY) chunks.push(chunk);
    });
    request.on('end', () => resolve(size > MAX_BODY ? 'too-long' : Buffer.concat(chunks).toString('utf8')));
    request.on('error', () => resolve('broken'));
  });
}
