import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ResultPayload } from '../../src/core/delivery/payload.js';

export interface Collected {
  output: string;
  msg: Record<string, unknown> & { payload: ResultPayload };
}

/** Takes what a Node-RED in a process of its own posts to this one. */
export class Collector {
  readonly messages: Collected[] = [];
  url = '';
  private readonly waiting = new Set<() => void>();
  private readonly server: Server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    req.on('end', () => {
      this.messages.push(JSON.parse(body));
      res.end();
      for (const look of [...this.waiting]) look();
    });
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Waits for the n-th message, from 1. */
  message(count: number): Promise<Collected> {
    return this.found(() => this.messages[count - 1]);
  }

  /** Waits for the first message that fits. */
  until(fits: (message: Collected) => boolean): Promise<Collected> {
    return this.found(() => this.messages.find(fits));
  }

  private found(find: () => Collected | undefined): Promise<Collected> {
    return new Promise((resolve) => {
      const look = (): void => {
        const message = find();
        if (message === undefined) return;
        this.waiting.delete(look);
        resolve(message);
      };
      this.waiting.add(look);
      look();
    });
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
