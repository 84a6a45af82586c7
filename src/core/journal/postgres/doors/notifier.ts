import type { Clock, Timer } from '../../../base/seams.js';
import type { Watcher } from '../../doors.js';
import type { Database, Sql, TransactionSql } from '../connection/database.js';

const CHANNEL = 'cloud_terminal';
/** Whoever leads. */
export const LEADER = 'leader';

/** Between two looks, ms: where hints come, and where none do, as behind a pooler that gives each transaction a connection. */
const WITH_HINTS = 2000;
const WITHOUT_HINTS = 750;
const WITHOUT_HINTS_WAITING = 250;
/** Between two tries to listen, where nobody can, ms. */
const LISTEN_AGAIN = 60_000;
/** While the database is away for less, no lease of another process ends for it. ms. */
const SHORT = 5000;
/** The most bytes of a hint. PostgreSQL takes less than 8,000. */
const LONGEST = 7000;

interface Hint {
  /** A replica, or whoever leads. */
  to: string;
  environment: string;
  text?: string;
}

interface Watching {
  environment: string;
  watcher: Watcher;
  looking?: Promise<void>;
  again: boolean;
  isWaiting: boolean;
}

/**
 * Makes the parts of this process look for news: when another process notifies them, and every few seconds, because a hint may get
 * lost. Learns by that whether the database can be reached.
 */
export class Notifier {
  private readonly watched = new Set<Watching>();
  private timer: Timer | undefined;
  private stopListening: (() => Promise<void>) | undefined;
  private listening: Promise<void> = Promise.resolve();
  /** When it tried to listen last, epoch ms. */
  private listenedAt = 0;
  /** A hint to itself has come back, so that others come too. */
  private hasHints = false;
  private isStopped = false;
  private isReachable = true;
  /** When the database went away last, epoch ms. */
  private awaySince = 0;
  /** When it was back after it had been away for longer than a moment, epoch ms. */
  private reachedAt = Number.NEGATIVE_INFINITY;

  /**
   * @param onReachable called when the database goes away, and when it is back; with why it cannot be reached
   * @param onListening called after each try to listen; with why nobody can
   */
  constructor(
    private readonly database: Pick<Database, 'read' | 'listen'>,
    private readonly clock: Clock,
    private readonly replica: string,
    private readonly onReachable: (error?: Error) => void,
    private readonly onListening: (error?: Error) => void,
  ) {}

  /** How long ago the database was last away for more than a moment, as far as is known, ms. 0: it is away. */
  get reachableFor(): number {
    return this.isReachable ? this.clock.now() - this.reachedAt : 0;
  }

  async start(): Promise<void> {
    await this.listen();
    this.lookLater();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.timer?.cancel();
    await Promise.all([...this.watched].map(({ looking }) => looking));
    await this.listening;
    await this.stopListening?.().catch(() => undefined);
  }

  watch(environment: string, watcher: Watcher): () => void {
    const watching: Watching = { environment, watcher, again: false, isWaiting: false };
    this.watched.add(watching);
    this.look(watching);
    return () => this.watched.delete(watching);
  }

  /** Rings with the end of a transaction. */
  static async notify(sql: Sql | TransactionSql, to: string, environment: string): Promise<void> {
    await sql`SELECT pg_notify(${CHANNEL}, ${hintText({ to, environment })})`;
  }

  hint(to: string, environment: string, text: string): void {
    const hint = hintText({ to, environment, text });
    if (Buffer.byteLength(hint) > LONGEST || this.isStopped) return;
    this.database.read((sql) => sql`SELECT pg_notify(${CHANNEL}, ${hint})`).catch(() => undefined);
  }

  private listen(): Promise<void> {
    this.listening = this.listenNow();
    return this.listening;
  }

  private async listenNow(): Promise<void> {
    this.hasHints = false;
    this.listenedAt = this.clock.now();
    try {
      await this.stopListening?.();
      this.stopListening = await this.database.listen(CHANNEL, (payload) => this.hear(payload));
      await this.database.read((sql) => Notifier.notify(sql, this.replica, ''));
      this.onListening();
    } catch (error) {
      this.stopListening = undefined;
      this.onListening(error as Error);
    }
  }

  private hear(payload: string): void {
    const hint = hintIn(payload);
    if (hint === undefined || (hint.to !== this.replica && hint.to !== LEADER)) return;
    if (hint.to === this.replica && hint.environment === '') this.hasHints = true;
    for (const watching of this.watched) {
      const isForIt = hint.to === this.replica || watching.watcher.leads;
      if (!isForIt || watching.environment !== hint.environment) continue;
      if (hint.text === undefined) this.look(watching);
      else watching.watcher.hear?.(hint.text);
    }
  }

  private lookLater(): void {
    const isWaiting = [...this.watched].some((watching) => watching.isWaiting);
    const pause = this.hasHints ? WITH_HINTS : isWaiting ? WITHOUT_HINTS_WAITING : WITHOUT_HINTS;
    this.timer = this.clock.after(pause, () => {
      void this.lookAtAll().then(() => {
        if (!this.isStopped) this.lookLater();
      });
    });
  }

  private async lookAtAll(): Promise<void> {
    for (const watching of this.watched) this.look(watching);
    await Promise.all([...this.watched].map(({ looking }) => looking));
    const isDue = this.stopListening === undefined && this.clock.now() >= this.listenedAt + LISTEN_AGAIN;
    if (isDue && this.isReachable && !this.isStopped) await this.listen();
  }

  private look(watching: Watching): void {
    watching.again = true;
    watching.looking ??= this.lookNow(watching).finally(() => {
      watching.looking = undefined;
    });
  }

  private async lookNow(watching: Watching): Promise<void> {
    while (watching.again && !this.isStopped && this.watched.has(watching)) {
      watching.again = false;
      try {
        watching.isWaiting = await watching.watcher.look();
        await this.noteReached();
      } catch (error) {
        this.noteAway(error as Error);
        return;
      }
    }
  }

  private async noteReached(): Promise<void> {
    if (this.isReachable) return;
    this.isReachable = true;
    const now = this.clock.now();
    if (now >= this.awaySince + SHORT) this.reachedAt = now;
    this.onReachable();
    await this.listen();
  }

  private noteAway(error: Error): void {
    if (!this.isReachable || this.isStopped) return;
    this.isReachable = false;
    this.awaySince = this.clock.now();
    this.onReachable(error);
  }
}

function hintText(hint: Hint): string {
  return JSON.stringify(hint);
}

function hintIn(payload: string): Hint | undefined {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}
