import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

type Fate = 'answer lost' | 'never sent' | 'held up';

/**
 * Stands between a client and a server on this machine, and spoils what they say to each other where it is told to.
 */
export class CutProxy {
  private plan: { text: string; fate: Fate; done: (release: () => void) => void } | undefined;
  private readonly sockets = new Set<Socket>();
  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async before(port: number): Promise<CutProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const proxy = new CutProxy(server, address.port);
    server.on('connection', (client: Socket) => proxy.join(client, connect(port, '127.0.0.1')));
    return proxy;
  }

  /**
   * Spoils the next thing that the client says and that holds a text. Resolves once that has happened.
   * @param fate `answer lost`: the server gets it, and the connection ends instead of the answer; `never sent`: the server
   * does not get it, and the connection stays open; `held up`: the server gets it once what this resolves with is called
   */
  spoil(text: string, fate: Fate): Promise<() => void> {
    return new Promise((done) => {
      this.plan = { text, fate, done };
    });
  }

  /** No connection lives, and each new one is refused, until {@link bringBack}. */
  async takeAway(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  async bringBack(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  private join(client: Socket, server: Socket): void {
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        server.destroy();
        this.sockets.delete(socket);
      });
    }
    let cut: (() => void) | undefined;
    client.on('data', (data: Buffer) => {
      const { plan } = this;
      if (plan === undefined || !data.includes(plan.text)) {
        server.write(data);
        return;
      }
      this.plan = undefined;
      if (plan.fate !== 'answer lost') plan.done(() => plan.fate === 'held up' && server.write(data));
      else {
        cut = () => plan.done(() => undefined);
        server.write(data);
      }
    });
    server.on('data', (data: Buffer) => {
      if (cut === undefined) client.write(data);
      else {
        client.destroy();
        cut();
      }
    });
  }
}
