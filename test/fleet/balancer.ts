import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Draw } from '../truth/draw.js';

/** A Node-RED behind the balancer. */
export interface Backend {
  port: number;
  /** Which life of which replica has the port now. */
  life: string;
}

interface Passed {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

interface Response {
  status: number;
  type: string;
  body: Buffer;
}

/** Names the message that a request is, so that it is known which life had it. */
export const ENTRY = 'x-entry';

/**
 * Passes each request to a replica drawn at random, as the balancer of `docs/failover.md` does: to another one only where
 * there is no connection, or the answer is 503.
 */
export class Balancer {
  /** Answers 503 of replicas. */
  unavailable = 0;
  /** Requests whose connection ended without an answer. */
  lost = 0;
  /** By entry: the lives that had it. */
  readonly handed = new Map<string, string[]>();
  /** Orders that a life has in its hands. */
  private readonly open = new Map<string, number>();
  private readonly server: Server;

  private constructor(
    private readonly backends: () => readonly Backend[],
    private readonly draw: Draw,
  ) {
    this.server = createServer((incoming, outgoing) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('error', () => undefined);
      outgoing.on('error', () => undefined);
      incoming.on('end', () => {
        const { method = 'GET', url: path = '/', headers } = incoming;
        void this.pass({ method, path, headers, body: Buffer.concat(parts) }).then(({ status, type, body }) => {
          if (!outgoing.destroyed) outgoing.writeHead(status, { 'content-type': type }).end(body);
        });
      });
    });
  }

  static async open(backends: () => readonly Backend[], draw: Draw): Promise<Balancer> {
    const balancer = new Balancer(backends, draw);
    balancer.server.listen(0, '127.0.0.1');
    await once(balancer.server, 'listening');
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The life with the most orders in its hands. */
  busiest(): string | undefined {
    const [busiest] = [...this.open].sort(([, a], [, b]) => b - a);
    return busiest?.[0];
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async pass(passed: Passed): Promise<Response> {
    const left = [...this.backends()];
    while (left.length > 0) {
      const [backend] = left.splice(this.draw.int(0, left.length - 1), 1);
      if (backend === undefined) break;
      const response = await this.hand(passed, backend);
      if (response === 'refused') continue;
      if (response === 'lost') {
        this.lost++;
        return { status: 502, type: 'text/plain', body: Buffer.from('the replica ended') };
      }
      if (response.status !== 503) return response;
      this.unavailable++;
    }
    return { status: 503, type: 'text/plain', body: Buffer.from('no replica takes this') };
  }

  private hand(
    { method, path, headers, body }: Passed,
    { port, life }: Backend,
  ): Promise<Response | 'refused' | 'lost'> {
    return new Promise((resolve) => {
      const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false });
      const { [ENTRY]: entry } = headers;
      if (typeof entry === 'string') {
        this.count(life, 1);
        outgoing.on('close', () => this.count(life, -1));
        outgoing.on('socket', (socket) => socket.once('connect', () => this.note(entry, life)));
      }
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'lost');
      });
      outgoing.on('response', (incoming) => {
        const parts: Buffer[] = [];
        incoming.on('data', (part: Buffer) => parts.push(part));
        incoming.on('error', () => resolve('lost'));
        incoming.on('end', () => {
          const { statusCode: status = 502, headers: said } = incoming;
          // Its server runs, and its flows do not yet.
          if (status === 404 && typeof entry === 'string') this.handed.get(entry)?.pop();
          resolve({ status, type: said['content-type'] ?? 'text/plain', body: Buffer.concat(parts) });
        });
      });
      outgoing.end(body);
    });
  }

  private note(entry: string, life: string): void {
    this.handed.set(entry, [...(this.handed.get(entry) ?? []), life]);
  }

  private count(life: string, more: number): void {
    this.open.set(life, (this.open.get(life) ?? 0) + more);
  }
}
