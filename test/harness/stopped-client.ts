import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const PROTOCOL = 196608;
const READY = 'Z';
const PARSED = '1';

/**
 * A client of a database that is stopped when it has sent a part of a statement, within a transaction: what a process does
 * that is frozen there. No driver stops so, hence the messages of the protocol.
 */
export class StoppedClient {
  /** Once the server has closed the connection. */
  readonly ended: Promise<unknown>;
  private received = Buffer.alloc(0);

  private constructor(private readonly socket: Socket) {
    this.ended = once(socket, 'close');
    socket.on('data', (data) => {
      this.received = Buffer.concat([this.received, data]);
      socket.emit('message');
    });
  }

  /** @param held a statement that takes locks @param cut the statement of which the server hears a part */
  static async within(port: number, database: string, held: string, cut: string): Promise<StoppedClient> {
    const client = new StoppedClient(connect(port, '127.0.0.1'));
    const who = ['user', 'payments', 'database', database, 'application_name', 'cloud-terminal', '', ''];
    const version = Buffer.alloc(4);
    version.writeInt32BE(PROTOCOL);
    client.send('', version, Buffer.from(who.join('\0')));
    await client.hears(READY);
    client.send('Q', text(`BEGIN; ${held}`));
    await client.hears(READY);
    client.send('P', text(''), text(cut), Buffer.alloc(2));
    client.send('H');
    await client.hears(PARSED);
    return client;
  }

  private send(type: string, ...parts: Buffer[]): void {
    const body = Buffer.concat(parts);
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    this.socket.write(Buffer.concat([Buffer.from(type), length, body]));
  }

  /** Waits for a message of that type. */
  private async hears(type: string): Promise<void> {
    for (;;) {
      while (this.received.length >= 5 && this.received.length > this.received.readInt32BE(1)) {
        const found = this.received.toString('latin1', 0, 1);
        this.received = this.received.subarray(1 + this.received.readInt32BE(1));
        if (found === type) return;
      }
      await once(this.socket, 'message');
    }
  }
}

const text = (of: string): Buffer => Buffer.from(`${of}\0`);
