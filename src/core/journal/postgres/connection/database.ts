import type { Sql, TransactionSql } from 'postgres';
import { ConfigurationError, JournalError } from '../../../base/errors.js';
import type { Clock } from '../../../base/seams.js';
import { databaseName } from './address.js';
import { connectionsTo, type Pool, type Source } from './pool.js';
import { isRefusedByServer, transact } from './transaction.js';

export type { Sql, TransactionSql } from 'postgres';

/** What a transaction may take at most, ms. A database that takes longer counts as away. */
const PATIENCE = 8000;
const NO_ANSWER = `no answer within ${PATIENCE} ms`;
/**
 * A process that is stopped between two statements must not keep others from the rows that it has locked, and a statement that
 * nobody waits for any more must not go on to wait for a lock.
 */
const LIMITS = `SET LOCAL idle_in_transaction_session_timeout = ${PATIENCE / 2}; SET LOCAL statement_timeout = ${PATIENCE / 2}`;
/**
 * No limit ends a transaction whose process was stopped within a statement, when the database had a part of it: whoever has
 * waited in vain ends it. Its process, if it runs on, has given it up by then.
 */
const END_STOPPED = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE usename = current_user AND datname = current_database() AND wait_event = 'ClientRead'
    AND application_name = current_setting('application_name')
    AND xact_start < clock_timestamp() - interval '${PATIENCE} milliseconds'`;
/** What PostgreSQL calls a statement that it has ended because it took too long. */
const QUERY_CANCELED = '57014';
/** What PostgreSQL calls a statement that has waited for another transaction in vain: also a lock timeout, and a deadlock. */
const WAITED_IN_VAIN = new Set([QUERY_CANCELED, '55P03', '40P01']);
/**
 * Of errors for which the server is the reason, and not the statement: its connection (08), somebody who ends it or stops it (57P),
 * and a server that only reads, as a standby does until it is promoted.
 */
const OF_SERVER = /^(08|57P|25006$)/;
/** What the driver calls a connection that was ended here: something else has waited on it, or beside it, for too long. */
const GIVEN_UP = 'CONNECTION_DESTROYED';
/** The connection was lost while a transaction was committed: it may be durable, or not. */
export class UnknownEndError extends JournalError {}

/** The connections to a database. What fails with `JournalError` may be tried again: they are opened anew. */
export class Database {
  private pool: Pool | undefined;
  private isClosed = false;

  private constructor(
    /** Without user name and password. */
    readonly place: string,
    private readonly source: Source,
    /** Of connections that listen. */
    private readonly direct: Source,
    private readonly clock: Clock,
  ) {}

  /**
   * Loads the driver. Connects with the first statement.
   * @param address as `postgresql://user:password@host:5432/database`
   * @param directAddress to listen, where a pooler stands before the database: notifications do not get through that
   * @throws ConfigurationError
   */
  static async at(address: string, clock: Clock, directAddress?: string): Promise<Database> {
    const source = await connectionsTo(address, PATIENCE);
    const direct = directAddress === undefined ? source : await directTo(directAddress);
    return new Database(databaseName(address), source, direct, clock);
  }

  /** Runs what only reads, or a single statement. @throws JournalError */
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.within(work, () => false);
  }

  /** Runs one transaction. @throws UnknownEndError, JournalError where nothing of it is durable */
  transaction<T>(work: (sql: TransactionSql) => Promise<T>): Promise<T> {
    let isCommitting = false;
    let isGivenUp = false;
    const committed = (sql: Sql): Promise<T> =>
      transact(sql, async (inner) => {
        const limited = inner.unsafe(LIMITS).then();
        // It goes with the first statement, instead of before it.
        const [done] = await Promise.all([work(inner), limited]);
        // Somebody relies by now on that it is not durable.
        if (isGivenUp) throw new JournalError('the transaction took too long');
        isCommitting = true;
        return done;
      });
    return this.within(committed, () => {
      isGivenUp = true;
      return isCommitting;
    }).catch(async (error) => {
      if (hasTakenTooLong(error)) await this.endStopped();
      throw error;
    });
  }

  /**
   * Listens on a connection of its own, which it opens anew where it is lost. Resolves with how to stop.
   * @throws JournalError
   */
  async listen(channel: string, hear: (payload: string) => void): Promise<() => Promise<void>> {
    const { sql, end: stop } = this.direct.open();
    try {
      await this.inTime(sql.listen(channel, hear), () => undefined);
      return stop;
    } catch (error) {
      await stop();
      throw this.described(error, false);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.disconnect();
  }

  /** The next transaction finds out whether that has helped. */
  private async endStopped(): Promise<void> {
    await this.read((sql) => sql.unsafe(END_STOPPED)).catch(() => undefined);
  }

  /** @param mayBeDone asked once it has failed, for whoever is told */
  private async within<T>(work: (sql: Sql) => Promise<T>, mayBeDone: () => boolean): Promise<T> {
    if (this.isClosed) throw new JournalError('the journal is closed');
    this.pool ??= this.source.open();
    const { pool } = this;
    try {
      return await this.inTime(work(pool.sql), () => {
        if (this.pool === pool) void this.disconnect();
      });
    } catch (error) {
      throw this.described(error, mayBeDone());
    }
  }

  private inTime<T>(work: Promise<T>, onLate: () => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const patience = this.clock.after(PATIENCE, () => {
        // Of several hosts, which the driver tries without saying what became of each.
        const failure = this.source.failure();
        onLate();
        reject(new Error(`${NO_ANSWER}${failure && ` (${failure})`}`));
      });
      const settled = (settle: () => void): void => {
        patience.cancel();
        settle();
      };
      work.then(
        (value) => settled(() => resolve(value)),
        (error) => settled(() => reject(error)),
      );
    });
  }

  private described(cause: unknown, mayBeDone: boolean): unknown {
    if (cause instanceof JournalError) return cause;
    const code = cause instanceof Error ? codeOf(cause) : '';
    const why = code === GIVEN_UP ? NO_ANSWER : cause instanceof Error ? cause.message || code : String(cause);
    const message = `the database ${this.place}: ${why}`;
    return mayBeDone && !isOfStatement(cause)
      ? new UnknownEndError(message, { cause })
      : new JournalError(message, { cause });
  }

  private async disconnect(): Promise<void> {
    const { pool } = this;
    this.pool = undefined;
    await pool?.end();
  }
}

/** Whether the database itself has refused a statement, so that the same one would be refused again. */
export function isRefusal(error: unknown): boolean {
  return error instanceof JournalError && isOfStatement(error.cause);
}

function isOfStatement(error: unknown): boolean {
  return isRefusedByServer(error) && !OF_SERVER.test(codeOf(error as Error));
}

/** Whether a statement was ended because of another transaction, which may be an earlier try of the same one. */
export function hasWaitedInVain(error: unknown): boolean {
  return WAITED_IN_VAIN.has(databaseCodeOf(error));
}

function hasTakenTooLong(error: unknown): boolean {
  return databaseCodeOf(error) === QUERY_CANCELED;
}

function databaseCodeOf(error: unknown): string {
  return error instanceof JournalError && error.cause instanceof Error ? codeOf(error.cause) : '';
}

/** @throws ConfigurationError which says that it is about this address */
function directTo(address: string): Promise<Source> {
  return connectionsTo(address, PATIENCE).catch((error) => {
    throw error instanceof ConfigurationError ? new ConfigurationError(`direct address: ${error.message}`) : error;
  });
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}
