import { JournalError, StandbyError } from '../../base/errors.js';
import type { Annotation } from '../annotation.js';
import type { Journal } from '../journal.js';
import type { Existing } from '../order-claim.js';
import { PRUNE_LIMIT } from '../query.js';
import type { OperationRecord, RepeatRecord } from '../record.js';
import { SharedStores } from '../shared-stores.js';
import { advancing, annotating, notingMerchants, recording, recordingRepeat } from './changes.js';
import type { Sql } from './connection/database.js';
import { Together } from './connection/together.js';
import { PostgresDoors } from './doors/postgres-doors.js';
import type { MembershipOptions } from './lease/membership.js';
import { oldRows } from './old-rows.js';
import { PostgresReads } from './reads.js';
import { PostgresReceipts } from './receipts.js';
import { type LeaderHearer, Store } from './store.js';

const stores = new SharedStores<Store>();

/**
 * Opens the journal of a PostgreSQL database to lead, and creates or migrates its tables. One process leads at a time; the
 * next one takes over when that one's lease has ended.
 * @param address as `postgresql://user:password@host:5432/database`
 * @throws StandbyError while another process leads; ConfigurationError; JournalError where it cannot be reached, and where a
 * newer version of this package has changed its tables
 */
export async function openPostgresJournal(
  address: string,
  options: MembershipOptions & LeaderHearer,
): Promise<Journal> {
  const { id } = options.replica;
  const { store, leave } = await stores.join(`${id} ${address}`, () => Store.open(address, options));
  const stopHearing = store.hear(options);
  if (store.isLost) {
    stopHearing();
    await leave();
    throw new StandbyError('another process has just taken over the journal; this one stands by');
  }
  return new PostgresJournal(store, async () => {
    stopHearing();
    await leave();
  });
}

class PostgresJournal extends PostgresReads implements Journal {
  readonly doors: PostgresDoors;
  readonly receipts = new PostgresReceipts({
    read: (work) => this.read(work),
    change: (change) => this.use().writer.change(change),
    noteDamage: (damage) => this.noteDamage(damage),
  });
  private readonly amongOpen = new Together<true>(async (ids) => {
    const rows = await this.read(
      (sql) => sql`
        SELECT operation_id FROM cloud_terminal.operation
        WHERE operation_id IN (SELECT json_array_elements_text(${JSON.stringify(ids)}::text::json)) AND NOT closed`,
    );
    return new Map(rows.map(({ operation_id }) => [operation_id, true]));
  });
  private readonly unchanged = new Together<number>(async (ids) => {
    const rows = await this.read(
      (sql) => sql`
        SELECT operation_id, (extract(epoch FROM clock_timestamp() - changed_at) * 1000)::float8 AS ms
        FROM cloud_terminal.operation
        WHERE operation_id IN (SELECT json_array_elements_text(${JSON.stringify(ids)}::text::json))
          AND changed_at <= clock_timestamp()`,
    );
    return new Map(rows.map(({ operation_id, ms }) => [operation_id, ms]));
  });
  private closing: Promise<void> | undefined;

  constructor(
    private readonly store: Store,
    private readonly leave: () => Promise<void>,
  ) {
    super();
    this.doors = new PostgresDoors(store.membership, store.writer);
  }

  get place(): object {
    return this.store;
  }

  mayAct(): boolean {
    return this.closing === undefined && this.store.lease.mayAct();
  }

  mayTellUnavailable(): boolean {
    return this.closing === undefined && this.store.lease.mayTellUnavailable();
  }

  async record(operation: OperationRecord): Promise<{ attempt: number } | Existing> {
    const { leases, recentOrders, writer } = this.use();
    const { operationId, owner } = operation;
    const holder = recentOrders.holderOf(operation);
    const { claim, wasLost } = await writer.change(recording(operation, holder));
    if (wasLost && holder !== undefined) this.store.notePutBack(holder.operationId);
    if ('existing' in claim) return claim;
    leases.hold(operationId, owner);
    recentOrders.note({ ...operation, attempt: claim.attempt });
    return claim;
  }

  async advance(operation: OperationRecord): Promise<void> {
    const { leases, recentOrders, writer } = this.use();
    const { operationId, closed } = operation;
    if (await writer.change(advancing(operation, leases.isHeld(operationId)))) this.store.notePutBack(operationId);
    recentOrders.note(operation);
    if (closed) leases.forget(operationId);
  }

  async recordRepeat(repeat: RepeatRecord): Promise<void> {
    await this.use().writer.change(recordingRepeat(repeat));
  }

  async forgetRepeat({ id }: RepeatRecord): Promise<void> {
    await this.use().writer.change({
      write: async (sql) => {
        await sql`DELETE FROM cloud_terminal.repeat WHERE id = ${id}`;
      },
    });
  }

  async annotate(operationId: string, annotation: Annotation): Promise<void> {
    await this.use().writer.change(annotating(operationId, annotation, this.doors.replica));
  }

  async noteMerchants(keyId: string, merchants: readonly string[]): Promise<void> {
    await this.use().writer.change(notingMerchants(keyId, merchants));
  }

  async claim(operationId: string, owner: string, now: number): Promise<boolean> {
    const isOpen = await this.amongOpen.find(operationId);
    return isOpen === true && this.store.leases.claim(operationId, owner, now);
  }

  unchangedFor(operationId: string): Promise<number | undefined> {
    return this.unchanged.find(operationId);
  }

  async renew(owner: string, until: number): Promise<void> {
    this.use().leases.renew(owner, until);
  }

  async release(owner: string): Promise<void> {
    this.use().leases.release(owner);
  }

  async prune(keep: number, limit = PRUNE_LIMIT): Promise<number> {
    const { recentOrders, writer } = this.use();
    const deleted = await writer.change({
      write: (sql, { age }) => sql<{ operation_id: string }[]>`
        DELETE FROM cloud_terminal.operation WHERE operation_id IN (${oldRows(sql, age - keep, limit)})
        RETURNING operation_id`,
    });
    recentOrders.forget(new Set(deleted.map(({ operation_id }) => operation_id)));
    return deleted.length;
  }

  /** Resolves once what is under way is written. */
  async close(): Promise<void> {
    this.closing ??= this.leave();
    await this.closing;
  }

  protected async read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.use().database.read(work);
  }

  protected noteDamage(damage: string): void {
    this.store.membership.noteDamage(damage);
  }

  private use(): Store {
    if (this.closing !== undefined) throw new JournalError('the journal is closed');
    return this.store;
  }
}
