import { WATCH_LIMIT } from '../../../base/timings.js';
import { type Deliveries, type Doors, type Inbox, REQUEST_KEPT, type Requests, type Watcher } from '../../doors.js';
import type { TransactionSql } from '../connection/database.js';
import type { Membership } from '../lease/membership.js';
import type { Writer } from '../writer.js';
import { PostgresDeliveries } from './deliveries.js';
import { PostgresInbox } from './inbox.js';
import { PostgresRequests } from './requests.js';

/** How long a result is kept after its end, ms: until nobody can ask about it any more. */
const KEPT = 10 * 60_000;
/** How long a callback waits for the leader of its environment, ms: longer than any payment is watched. */
const UNREAD = WATCH_LIMIT + 24 * 60 * 60_000;
/** More than the time in which every process has noticed that the database is back, ms. */
const GRACE = 15_000;

/** The doors of a journal in PostgreSQL, as one process sees them. */
export class PostgresDoors implements Doors {
  readonly replica: string;
  readonly requests: Requests;
  readonly deliveries: Deliveries;
  readonly inbox: Inbox;

  /** @param writer where this process leads */
  constructor(
    private readonly membership: Membership,
    writer?: Writer,
  ) {
    const { database, presence } = membership;
    this.replica = presence.replica.id;
    this.requests = new PostgresRequests(database, this.replica, writer);
    this.deliveries = new PostgresDeliveries(database, this.replica, writer);
    this.inbox = new PostgresInbox(database, writer);
  }

  get generation(): number {
    return this.membership.presence.generation;
  }

  mayTell(): boolean {
    return this.membership.presence.mayTell();
  }

  hint(replica: string, environment: string, text: string): void {
    this.membership.notifier.hint(replica, environment, text);
  }

  watch(environment: string, watcher: Watcher): () => void {
    return this.membership.notifier.watch(environment, watcher);
  }

  async sweep(): Promise<void> {
    // After the database was away, the others have not come back yet either.
    if (this.membership.notifier.reachableFor >= GRACE)
      await this.remove((sql) => sql`DELETE FROM cloud_terminal.replica WHERE until < clock_timestamp()`);
    await this.remove((sql) => sql`DELETE FROM cloud_terminal.request WHERE until < ${before(sql, REQUEST_KEPT)}`);
    await this.remove(
      (sql) => sql`
        DELETE FROM cloud_terminal.delivery
        WHERE posted_at < ${before(sql, KEPT)} AND (told_at < ${before(sql, KEPT)} OR replica IS NULL)`,
    );
    // Of an environment that nobody runs any more.
    await this.remove((sql) => sql`DELETE FROM cloud_terminal.inbox WHERE put_at < ${before(sql, UNREAD)}`);
  }

  /** A process that was stopped may hold a row: a transaction does not wait for it for ever. */
  private async remove(rows: (sql: TransactionSql) => PromiseLike<unknown>): Promise<void> {
    await this.membership.database.transaction(async (sql) => {
      await rows(sql);
    });
  }
}

/** So long ago, by the clock of the database. */
function before(sql: TransactionSql, ms: number) {
  return sql`clock_timestamp() - ${ms} * interval '1 ms'`;
}
