import { JournalError } from '../../../src/core/base/errors.js';
import {
  type Database,
  type Sql,
  type TransactionSql,
  UnknownEndError,
} from '../../../src/core/journal/postgres/connection/database.js';
import type { Draw } from '../draw.js';
import type { Process } from '../process.js';
import type { Tally } from '../tally.js';
import type { SharedDatabase } from './shared-database.js';
import type { Fleet } from './strikes.js';

/** A call that takes longer has failed, as with PostgreSQL. ms. */
const PATIENCE = 8000;
/** How long after that a call may still arrive, ms. */
const LATEST = 10_000;

/**
 * How one process reaches the database. A call may get lost on its way, so that nothing was done, or its answer may, so that
 * nobody knows. The process may stand still meanwhile.
 */
export class Link implements Pick<Database, 'place' | 'read' | 'transaction' | 'listen'> {
  readonly place = 'memory';
  /** Until then this process reaches it no more, world time. */
  private cutUntil = 0;
  private isSilent = false;
  private heard: ((payload: string) => void) | undefined;

  constructor(
    private readonly database: SharedDatabase,
    readonly id: string,
    private readonly process: Process,
    private readonly draw: Draw,
    private readonly faults: Tally,
    private readonly fleet: Pick<Fleet, 'latency' | 'lost'>,
    /** From then on nothing gets lost, world time. */
    private readonly calmAt: number,
  ) {}

  /** What the clock of the machine says. */
  get localTime(): number {
    return this.process.clock.wall();
  }

  /** Whether a call would get through. */
  get isThrough(): boolean {
    return this.database.clock.now() >= Math.max(this.cutUntil, this.database.awayUntil);
  }

  cut(ms: number, isSilent: boolean): void {
    this.cutUntil = this.database.clock.now() + ms;
    this.isSilent = isSilent;
    // The driver listens again by itself; nobody knows when.
    this.heard = undefined;
  }

  read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.process.async(() => this.call(() => work(this.statements as Sql), false));
  }

  /** @param mayArriveLate it may get through after the process has given up */
  transaction<T>(work: (sql: TransactionSql) => Promise<T>, mayArriveLate = false): Promise<T> {
    return this.process.async(() => this.call(() => work(this.statements as TransactionSql), true, mayArriveLate));
  }

  async listen(_channel: string, hear: (payload: string) => void): Promise<() => Promise<void>> {
    await this.read(async () => undefined);
    this.heard = hear;
    const disconnect = this.database.connect(this);
    return async () => {
      this.heard = undefined;
      disconnect();
    };
  }

  /** A notification arrives. */
  hear(payload: string): void {
    if (!this.isThrough) this.heard = undefined;
    this.process.whenThawed(() => this.process.alive && this.heard?.(payload));
  }

  /** The only statement that is spelt as one here. */
  private readonly statements = async (_text: unknown, _channel: string, payload: string): Promise<unknown[]> => {
    this.database.notify(payload);
    return [];
  };

  private async call<T>(work: () => Promise<T>, isTransaction: boolean, mayArriveLate = false): Promise<T> {
    const { lost } = this.fleet;
    const startedAt = this.database.clock.now();
    await this.way();
    if (!this.isThrough) throw await this.away();
    // What a door asks is rare among all that is read.
    if (this.happens(mayArriveLate ? 10 * lost.call : lost.call, 'database call lost')) {
      // A commit that never arrived looks like one whose answer was lost.
      if (!isTransaction || this.draw.chance(0.5)) throw new JournalError('the connection was lost');
      if (mayArriveLate) this.arriveLate(work);
      throw new UnknownEndError('the connection was lost');
    }
    const result = await this.database.inTurn(work);
    await this.way();
    // Its patience is over before it reads the answer.
    const sleptOver = this.process.isFrozen && this.process.thawsAt - startedAt > PATIENCE;
    const isLost = !this.isThrough || this.happens(lost.answer, 'database answer lost');
    if (!isLost && !(sleptOver && this.draw.chance(0.5))) return result;
    if (isTransaction) this.faults.add('commit unknown');
    throw isTransaction ? new UnknownEndError('the answer was lost') : new JournalError('the answer was lost');
  }

  private arriveLate<T>(work: () => Promise<T>): void {
    this.faults.add('database call late');
    this.database.clock.after(this.draw.scale(1, LATEST), () => void this.database.inTurn(work).catch(() => undefined));
  }

  private happens(probability: number, name: string): boolean {
    if (probability === 0 || this.database.clock.now() > this.calmAt || !this.draw.chance(probability)) return false;
    this.faults.add(name);
    return true;
  }

  private way(): Promise<void> | undefined {
    const { latency } = this.fleet;
    return latency === 0 ? undefined : this.wait(this.draw.int(0, latency));
  }

  private async away(): Promise<JournalError> {
    if (this.isSilent || this.database.isSilent) await this.wait(PATIENCE);
    return new JournalError('the database does not answer');
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.database.clock.after(ms, resolve);
    });
  }
}
