import { connect, type Socket } from 'node:net';

export interface Place {
  host: string;
  port: number;
}

/**
 * Opens sockets to one place, none sooner than `pauseMs` after another has closed: a proxy whose server is away accepts a
 * connection and closes it, and whoever opens the next one at once goes round in circles.
 */
export function pacedSockets(pauseMs: number): (place: Place) => Promise<Socket> {
  let closedAt = Number.NEGATIVE_INFINITY;
  return async ({ host, port }) => {
    const left = closedAt + pauseMs - performance.now();
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
    const socket = connect(port, host);
    socket.once('close', () => {
      closedAt = performance.now();
    });
    // For TLS, which checks the name.
    return Object.assign(socket, { host });
  };
}
