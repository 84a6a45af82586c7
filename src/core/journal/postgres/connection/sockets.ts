import { isIP, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import { PacedSockets, type Place, type SocketTimes } from '../../../platform/paced-sockets.js';
import type { TlsSettings } from './address.js';

/** Length, and the number by which a server knows that it is asked for TLS. */
const ASKS_FOR_TLS = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const YES = 'S';

/**
 * The sockets of a database, which may have several hosts. With TLS they are secured here and not by the driver, which would
 * check the certificate of an address in digits for the name `localhost`.
 */
export class Sockets {
  private readonly failures = new Map<string, string>();
  private readonly paced: PacedSockets;

  constructor(
    places: readonly Place[],
    private readonly tls: TlsSettings,
    times: SocketTimes,
  ) {
    this.paced = new PacedSockets(places, times);
  }

  /** Why no host is of use: what became of the last connection to each. Empty where one is. */
  get failure(): string {
    return [...this.failures].map(([place, why]) => `${place}: ${why}`).join('; ');
  }

  /** Does not reject: the driver hears of errors from a socket alone. @param over nobody wants it any more */
  async open(over: AbortSignal): Promise<Duplex> {
    const { socket, place, noteAnswer } = await this.paced.open();
    const end = (): void => void socket.destroy(new Error('the connection is not needed any more'));
    const name = `${place.host}:${place.port}`;
    socket.on('error', ({ message }) => this.failures.set(name, message));
    over.addEventListener('abort', end);
    try {
      if (over.aborted) end();
      const secured = await this.secured(socket, place.host);
      if (secured !== socket) noteAnswer();
      secured.once('data', () => {
        noteAnswer();
        this.failures.clear();
      });
      return secured;
    } catch (error) {
      this.failures.set(name, (error as Error).message);
      socket.destroy();
      return failing(error as Error);
    } finally {
      over.removeEventListener('abort', end);
    }
  }

  private async secured(socket: Socket, host: string): Promise<Socket> {
    const { mode, isDirect, authorities } = this.tls;
    if (mode === 'off') return socket;
    if (!isDirect) {
      socket.write(ASKS_FOR_TLS);
      const answer = await next(socket, 'data');
      // More than one byte would be from somebody in between, before anything is encrypted.
      if (String(answer) !== YES && mode === 'preferred') return socket;
      if (String(answer) !== YES) throw new Error(`the server offers no TLS, which sslmode asks for`);
    }
    const secured = connect({
      socket,
      // What the certificate has to be for. An address in digits is no name that a server may be asked for.
      host,
      ...(isIP(host) === 0 && { servername: host }),
      rejectUnauthorized: mode === 'checked',
      ...(authorities !== undefined && { ca: authorities }),
      ...(isDirect && { ALPNProtocols: ['postgresql'] }),
    });
    await next(secured, 'secureConnect');
    return secured;
  }
}

/** What comes with an event. Rejects where the socket ends instead. */
function next(socket: Socket, event: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(new Error('the server has closed the connection'));
    socket.once('error', reject);
    socket.once('close', onClose);
    socket.once(event, (value) => {
      socket.off('error', reject).off('close', onClose);
      resolve(value);
    });
  });
}

/** Fails once the driver has written to it: whatever ended before that would leave the driver in the middle of writing. */
function failing(error: Error): Duplex {
  return new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done(error) });
}
