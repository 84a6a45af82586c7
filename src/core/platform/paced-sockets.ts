import { Socket } from 'node:net';

export interface Place {
  host: string;
  port: number;
}

/** Whoever reads and secures a connection removes listeners, so that only the socket itself certainly knows that it has ended. */
class NotedSocket extends Socket {
  constructor(private readonly onEnd: () => void) {
    super();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.onEnd();
    super._destroy(error, done);
  }
}

export interface SocketTimes {
  /** Between the end of a connection to a place and the next one to it, ms. */
  pauseMs: number;
  /** How long a place may take to answer, ms. */
  answerMs: number;
  /** A connection that ends sooner was of no use. ms. */
  soonMs: number;
}

export interface Opened {
  socket: Socket;
  place: Place;
  /** To be called in time, or the socket ends. */
  noteAnswer(): void;
}

/**
 * Opens sockets to several places that can stand in for each other, to each none sooner than a pause after another has
 * closed there: a proxy whose server is away accepts a connection and closes it, and whoever opens the next one at once goes round
 * in circles. A place whose connection was of no use, or had no answer, comes last from then on.
 */
export class PacedSockets {
  private readonly line: (Place & { closedAt: number })[];

  constructor(
    places: readonly Place[],
    private readonly times: SocketTimes,
  ) {
    this.line = places.map((place) => ({ ...place, closedAt: Number.NEGATIVE_INFINITY }));
  }

  /** Connects to the first place that needs no pause. */
  async open(): Promise<Opened> {
    const { answerMs, soonMs } = this.times;
    const place = await this.next();
    const openedAt = performance.now();
    let isAnswered = false;
    const socket = new NotedSocket(() => {
      clearTimeout(late);
      place.closedAt = performance.now();
      if (!isAnswered || place.closedAt - openedAt < soonMs)
        this.line.push(...this.line.splice(this.line.indexOf(place), 1));
    });
    socket.connect(place.port, place.host);
    const late = setTimeout(() => socket.destroy(new Error(`no answer within ${answerMs} ms`)), answerMs);
    const noteAnswer = (): void => {
      isAnswered = true;
      clearTimeout(late);
    };
    return { socket, place, noteAnswer };
  }

  private async next(): Promise<Place & { closedAt: number }> {
    const { pauseMs } = this.times;
    for (;;) {
      const now = performance.now();
      const free = this.line.find(({ closedAt }) => closedAt + pauseMs <= now);
      if (free !== undefined) return free;
      const until = Math.min(...this.line.map(({ closedAt }) => closedAt)) + pauseMs;
      await new Promise((resolve) => setTimeout(resolve, Math.ceil(until - now)));
    }
  }
}
