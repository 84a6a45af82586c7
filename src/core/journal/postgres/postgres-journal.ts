import { JournalError, StandbyError } from '../../base/errors.js';
import type { Annotation } from '../annotation.js';
import type { Journal, JournalQuery } from '../journal.js';
import type { Existing } from '../order-claim.js';
import { FIND_LIMIT, matches, PRUNE_LIMIT } from '../query.js';
import type { OperationRecord, RepeatRecord } from '../record.js';
import { SharedStores } from '../shared-stores.js';
import { advancing, annotating, recording } from './changes.js';
import type { Sql } from './database.js';
import { holderOf } from './order-keys.js';
import { queryKey, type Row, recordIn } from './rows.js';
import { type Hearer, Store, type StoreOptions } from './store.js';

const stores = new SharedStores<Store>();
let annotated = 0;

/**
 * Opens the journal of a PostgreSQL database, and creates or migrates its tables. One process works with it at a time; the
 * next one takes it over when that one's lease has ended.
 * @param address as `postgresql://user:password@host:5432/database`
 * @throws StandbyError while another process has it; ConfigurationError; JournalError where it cannot be reached, and where a
 * newer version of this package has changed its tables
 */
export async function openPostgresJournal(address: string, options: StoreOptions & Hearer): Promise<Journal> {
  const { id } = options.replica;
  const { store, leave } = await stores.join(`${id} ${address}`, () => Store.open(address, options));
  const stopHearing = store.hear(options);
  if (store.isLost) {
    stopHearing();
    await leave();
    throw new StandbyError('another process has just taken over the journal; this one stands by');
  }
  return new PostgresJournal(store, id, async () => {
    stopHearing();
    await leave();
  });
}

class PostgresJournal implements Journal {
  private closing: Promise<void> | undefined;

  /** @param replica id of this process */
  constructor(
    private readonly store: Store,
    private readonly replica: string,
    private readonly leave: () => Promise<void>,
  ) {}

  mayAct(): boolean {
    return this.closing === undefined && this.store.lease.mayAct();
  }

  mayTellUnavailable(): boolean {
    return this.closing === undefined && this.store.lease.mayTellUnavailable();
  }

  async record(operation: OperationRecord): Promise<{ attempt: number } | Existing> {
    const { leases, writer } = this.use();
    const { operationId, owner } = operation;
    const recorded = await writer.change(recording(operation));
    if ('attempt' in recorded) leases.hold(operationId, owner);
    return recorded;
  }

  async advance(operation: OperationRecord): Promise<void> {
    const { leases, writer } = this.use();
    const { operationId, closed } = operation;
    await writer.change(advancing(operation));
    if (closed) leases.forget(operationId);
  }

  async holder(environment: string, hash: string): Promise<OperationRecord | undefined> {
    return this.read((sql) => holderOf(sql, environment, hash));
  }

  async recordRepeat(repeat: RepeatRecord): Promise<void> {
    const { id, environment, createdAt } = repeat;
    const text = JSON.stringify(repeat);
    await this.use().writer.change({
      write: async (sql) => {
        await sql`
          INSERT INTO cloud_terminal.repeat (id, environment, created_at, record)
          VALUES (${id}, ${environment}, ${Math.floor(createdAt)}, ${text})
          ON CONFLICT (id) DO UPDATE SET record = excluded.record`;
      },
    });
  }

  async repeats(environment: string): Promise<RepeatRecord[]> {
    const rows = await this.read(
      (sql) => sql`
        SELECT record FROM cloud_terminal.repeat WHERE environment = ${environment} ORDER BY created_at, id`,
    );
    return rows.map(({ record }) => JSON.parse(record));
  }

  async forgetRepeat({ id }: RepeatRecord): Promise<void> {
    await this.use().writer.change({
      write: async (sql) => {
        await sql`DELETE FROM cloud_terminal.repeat WHERE id = ${id}`;
      },
    });
  }

  async annotate(operationId: string, annotation: Annotation): Promise<void> {
    const writeId = `${this.replica} ${++annotated}`;
    await this.use().writer.change(annotating(operationId, annotation, writeId));
  }

  async annotations(operationIds: readonly string[]): Promise<Map<string, Annotation[]>> {
    const ids = JSON.stringify(operationIds);
    const rows = await this.read(
      (sql) => sql`
        SELECT operation_id, annotation FROM cloud_terminal.annotation
        WHERE operation_id IN (SELECT json_array_elements_text(${ids}::text::json)) ORDER BY place`,
    );
    const found = new Map<string, Annotation[]>();
    for (const id of operationIds) {
      const said = rows.filter(({ operation_id }) => operation_id === id);
      if (said.length > 0)
        found.set(
          id,
          said.map(({ annotation }) => JSON.parse(annotation)),
        );
    }
    return found;
  }

  async merchantsOf(keyId: string): Promise<string[] | undefined> {
    const [row] = await this.read((sql) => sql`SELECT merchants FROM cloud_terminal.merchant WHERE key_id = ${keyId}`);
    return row && JSON.parse(row.merchants);
  }

  async noteMerchants(keyId: string, merchants: readonly string[]): Promise<void> {
    const text = JSON.stringify(merchants);
    await this.use().writer.change({
      write: async (sql) => {
        await sql`
          INSERT INTO cloud_terminal.merchant (key_id, merchants) VALUES (${keyId}, ${text})
          ON CONFLICT (key_id) DO UPDATE SET merchants = excluded.merchants`;
      },
    });
  }

  async find(query: JournalQuery, limit = FIND_LIMIT): Promise<OperationRecord[]> {
    const rows = await this.read((sql) => rowsOf(sql, query, limit));
    return rows.map(recordIn).filter((operation) => matches(query, operation));
  }

  async open(environment: string): Promise<OperationRecord[]> {
    const rows = await this.read(
      (sql) => sql<Row[]>`
        SELECT sequence, fence, age, record FROM cloud_terminal.operation
        WHERE environment = ${environment} AND NOT closed ORDER BY sequence`,
    );
    return rows.map(recordIn);
  }

  async openIds(environment: string): Promise<string[]> {
    const rows = await this.read(
      (sql) => sql`
        SELECT operation_id FROM cloud_terminal.operation
        WHERE environment = ${environment} AND NOT closed ORDER BY sequence`,
    );
    return rows.map(({ operation_id }) => operation_id);
  }

  async claim(operationId: string, owner: string, now: number): Promise<boolean> {
    const [open] = await this.read(
      (sql) => sql`SELECT 1 FROM cloud_terminal.operation WHERE operation_id = ${operationId} AND NOT closed`,
    );
    return open !== undefined && this.store.leases.claim(operationId, owner, now);
  }

  async renew(owner: string, until: number): Promise<void> {
    this.use().leases.renew(owner, until);
  }

  async release(owner: string): Promise<void> {
    this.use().leases.release(owner);
  }

  async prune(keep: number, limit = PRUNE_LIMIT): Promise<number> {
    return this.use().writer.change({
      write: async (sql, { age }) => {
        const { count } = await sql`
          DELETE FROM cloud_terminal.operation WHERE operation_id IN (
            SELECT operation_id FROM cloud_terminal.operation
            WHERE prunable AND age < ${age - keep} ORDER BY age, sequence LIMIT ${limit}
          )`;
        return count;
      },
    });
  }

  /** Resolves once what is under way is written. */
  async close(): Promise<void> {
    this.closing ??= this.leave();
    await this.closing;
  }

  private async read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.use().database.read(work);
  }

  private use(): Store {
    if (this.closing !== undefined) throw new JournalError('the journal is closed');
    return this.store;
  }
}

function rowsOf(sql: Sql, query: JournalQuery, limit: number): Promise<Row[]> {
  if ('operationId' in query) {
    return sql<Row[]>`
      SELECT sequence, fence, age, record FROM cloud_terminal.operation WHERE operation_id = ${query.operationId}`;
  }
  if ('environment' in query) {
    const until = Math.floor(Math.min(query.until ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER));
    return sql<Row[]>`
      SELECT sequence, fence, age, record FROM cloud_terminal.operation
      WHERE environment = ${query.environment} AND created_at <= ${until}
      ORDER BY created_at DESC, sequence DESC LIMIT ${limit}`;
  }
  return sql<Row[]>`
    SELECT sequence, fence, age, record FROM cloud_terminal.operation
    WHERE keys @> ARRAY[${queryKey(query)}] ORDER BY sequence DESC LIMIT ${limit}`;
}
