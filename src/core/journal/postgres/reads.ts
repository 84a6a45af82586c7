import type { Annotation } from '../annotation.js';
import type { JournalQuery } from '../journal.js';
import { FIND_LIMIT, matches } from '../query.js';
import type { OperationRecord, RepeatRecord } from '../record.js';
import type { Sql } from './connection/database.js';
import { Together } from './connection/together.js';
import { holderOf } from './order-keys.js';
import { queryKey, type Row, recordIn } from './rows.js';

/** Rows that are looked through for a terminal in use. */
const NEWEST = 10_000;
const PRINTABLE = /^[\x20-\x7e]+$/;

/** What any process may read of a journal in PostgreSQL, whichever leads. */
export abstract class PostgresReads {
  private readonly byId = new Together<Row>(async (ids) => {
    const rows = await this.read(
      (sql) => sql<(Row & { operation_id: string })[]>`
        SELECT operation_id, sequence, fence, age, record FROM cloud_terminal.operation
        WHERE operation_id IN (SELECT json_array_elements_text(${JSON.stringify(ids)}::text::json))`,
    );
    return new Map(rows.map((row) => [row.operation_id, row]));
  });

  protected abstract read<T>(work: (sql: Sql) => Promise<T>): Promise<T>;

  async holder(environment: string, hash: string): Promise<OperationRecord | undefined> {
    return this.read((sql) => holderOf(sql, environment, hash));
  }

  async repeats(environment: string): Promise<RepeatRecord[]> {
    const rows = await this.read(
      (sql) => sql`
        SELECT record FROM cloud_terminal.repeat WHERE environment = ${environment} ORDER BY created_at, id`,
    );
    return rows.map(({ record }) => JSON.parse(record));
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

  async find(query: JournalQuery, limit = FIND_LIMIT): Promise<OperationRecord[]> {
    if ('operationId' in query) {
      // A person may ask for anything, and what the database cannot hold would fail for all who ask with them.
      if (!PRINTABLE.test(query.operationId)) return [];
      const row = await this.byId.find(query.operationId);
      return row === undefined ? [] : [recordIn(row)];
    }
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
}

function rowsOf(sql: Sql, query: Exclude<JournalQuery, { operationId: string }>, limit: number): Promise<Row[]> {
  if ('environment' in query) {
    const until = Math.floor(Math.min(query.until ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER));
    return sql<Row[]>`
      SELECT sequence, fence, age, record FROM cloud_terminal.operation
      WHERE environment = ${query.environment} AND created_at <= ${until}
      ORDER BY created_at DESC, sequence DESC LIMIT ${limit}`;
  }
  return 'terminal' in query ? terminalRows(sql, queryKey(query), limit) : keyedRows(sql, queryKey(query), limit);
}

/** For a key that few rows have. The planner believes that many have it, and would look for it through the whole table, newest first. */
export function keyedRows(sql: Sql, key: string, limit: number) {
  return sql<Row[]>`
    WITH found AS MATERIALIZED (
      SELECT sequence, fence, age, record FROM cloud_terminal.operation WHERE keys @> ARRAY[${key}]
    )
    SELECT * FROM found ORDER BY sequence DESC LIMIT ${limit}`;
}

/** A terminal in use has so many rows that they are found newest first; any other has few. */
async function terminalRows(sql: Sql, key: string, limit: number): Promise<Row[]> {
  const [inUse] = await sql`
    SELECT FROM (SELECT keys FROM cloud_terminal.operation ORDER BY sequence DESC LIMIT ${NEWEST}) AS newest
    WHERE keys @> ARRAY[${key}] LIMIT 1`;
  if (inUse === undefined) return keyedRows(sql, key, limit);
  return sql<Row[]>`
    SELECT sequence, fence, age, record FROM cloud_terminal.operation
    WHERE keys @> ARRAY[${key}] ORDER BY sequence DESC LIMIT ${limit}`;
}
