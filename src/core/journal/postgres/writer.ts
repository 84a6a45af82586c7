import { Abort } from '../../base/abort.js';
import { JournalError, LeaseLostError } from '../../base/errors.js';
import type { Clock } from '../../base/seams.js';
import { sleep } from '../../platform/sleep.js';
import {
  type Database,
  hasWaitedInVain,
  isRefusal,
  type Sql,
  type TransactionSql,
  UnknownEndError,
} from './connection/database.js';
import type { LeaderLease, Stamp } from './lease/leader-lease.js';

/** The most changes of one transaction. */
const BATCH = 200;
/** The same before it is known how long one takes. */
const FIRST_BATCH = 20;
/** What a transaction should take at most, ms: while it runs nobody can renew the lease. */
const MOST_TIME = 2000;
/** The pause between two tries to find out what became of a transaction, ms. */
const PAUSE = 1000;
const NEVER = new Abort().signal;

/** One change of the journal. A `JournalError` that it throws concerns it alone. */
export interface Change<T> {
  write(sql: TransactionSql, stamp: Stamp): Promise<T>;
  /** Gives its outcome if it is durable already. Absent where writing it twice is the same as once. */
  written?(sql: Sql): Promise<T | undefined>;
  /** It takes more than one statement, each after the answer to the one before. */
  takesSteps?: true;
}

interface Waiting {
  change: Change<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * Writes all changes of this process one after the other, those that come at once in one transaction: so they stay in order,
 * and share the waiting for the disk. Every transaction first makes sure that the journal is still this process's.
 */
export class Writer {
  private waiting: Waiting[] = [];
  private working: Promise<void> | undefined;
  /** How many changes the next transaction has at most. */
  private most = FIRST_BATCH;

  constructor(
    private readonly database: Pick<Database, 'place' | 'read' | 'transaction'>,
    private readonly lease: Pick<LeaderLease, 'hold'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves once the change is durable.
   * @throws LeaseLostError, JournalError: it is not, and will not be
   */
  change<T>(change: Change<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ change, resolve: resolve as (value: unknown) => void, reject });
      this.working ??= this.work();
    });
  }

  /** Resolves once it is known of every change whether it is durable. */
  async close(): Promise<void> {
    await this.working;
  }

  private async work(): Promise<void> {
    // What comes in the same turn belongs to the same transaction.
    await Promise.resolve();
    while (this.waiting.length > 0) await this.write(this.waiting.splice(0, this.most));
    this.working = undefined;
  }

  /** @param mayBeDone an earlier transaction with them may be durable, so none is rejected before that is known */
  private async write(batch: readonly Waiting[], mayBeDone = false): Promise<void> {
    const begun = this.clock.now();
    try {
      const outcomes = await this.database.transaction((sql) => this.writeAll(sql, batch));
      this.most = this.mostFor(batch.length, begun);
      for (const [place, waiting] of batch.entries()) {
        const outcome = outcomes[place];
        if (outcome?.status === 'fulfilled') waiting.resolve(outcome.value);
        else await this.refuse([waiting], outcome?.reason, mayBeDone);
      }
    } catch (error) {
      // An earlier try that is still being committed holds up the next one.
      const isRefused = isRefusal(error) && !(mayBeDone && hasWaitedInVain(error));
      if (!isRefused) this.most = Math.min(this.most, this.mostFor(batch.length, begun));
      if (error instanceof UnknownEndError) await this.findOut(batch);
      // One of them cannot be written, and must not keep the others from it.
      else if (batch.length > 1 && isRefused) for (const waiting of batch) await this.write([waiting], mayBeDone);
      else if (mayBeDone && !isRefused && !(error instanceof LeaseLostError)) throw error;
      else await this.refuse(batch, error, mayBeDone);
    }
  }

  /** A database that is far away takes several round trips for each change: too many at once would fail together, again and again. */
  private mostFor(changes: number, begun: number): number {
    const took = Math.max(1, this.clock.now() - begun);
    return Math.max(1, Math.min(BATCH, Math.floor((MOST_TIME * changes) / took)));
  }

  /** An earlier transaction that was still under way when it was looked for has ended by now, and may have been the reason. */
  private async refuse(batch: readonly Waiting[], error: unknown, mayBeDone: boolean): Promise<void> {
    for (const { reject } of mayBeDone ? await this.unwritten(batch) : batch) reject(error);
  }

  private async writeAll(sql: TransactionSql, batch: readonly Waiting[]): Promise<PromiseSettledResult<unknown>[]> {
    const stamp = await this.lease.hold(sql);
    const writes: Promise<PromiseSettledResult<unknown>[]>[] = [];
    for (const { change } of batch) {
      const write = Promise.allSettled([change.write(sql, stamp)]);
      writes.push(write);
      if (change.takesSteps) await write;
    }
    const outcomes = (await Promise.all(writes)).flat();
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected' && !(outcome.reason instanceof JournalError)) throw outcome.reason;
    }
    return outcomes;
  }

  /** The connection was lost while they were committed. Nobody is told that something is not durable before that is known. */
  private async findOut(batch: readonly Waiting[]): Promise<void> {
    for (let open = batch; ; ) {
      try {
        open = await this.unwritten(open);
        await this.write(open, true);
        return;
      } catch {
        this.refuseWaiting();
        await sleep(this.clock, PAUSE, NEVER);
      }
    }
  }

  private async unwritten(batch: readonly Waiting[]): Promise<Waiting[]> {
    const open: Waiting[] = [];
    for (const waiting of batch) {
      const written = await this.database.read(async (sql) => {
        const found = await waiting.change.written?.(sql);
        // A standby may not have it yet.
        if (found === undefined) await this.mustNotStandBy(sql);
        return found;
      });
      if (written === undefined) open.push(waiting);
      else waiting.resolve(written);
    }
    return open;
  }

  /** @throws JournalError */
  private async mustNotStandBy(sql: Sql): Promise<void> {
    const [server] = await sql`SELECT pg_is_in_recovery() AS stands_by`;
    if (server?.stands_by) throw new JournalError(`the database ${this.database.place} is a standby, which only reads`);
  }

  /** Nobody has begun to write these, and who waits for them must hear of it. */
  private refuseWaiting(): void {
    const error = new JournalError(`the database ${this.database.place} does not answer`);
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }
}
