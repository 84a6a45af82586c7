import { type Annotation, UNREADABLE_ANNOTATION } from '../annotation.js';
import { DamagedRecordError } from '../damaged-record.js';
import type { JournalQuery } from '../journal.js';
import { FIND_LIMIT, matches } from '../query.js';
import type { OperationRecord, RepeatRecord } from '../record.js';
import { isSound } from './checksums.js';
import type { Sql } from './connection/database.js';
import { Together } from './connection/together.js';
import { holderOf } from './order-keys.js';
import { parsed, queryKey, type Row, recordIn, rowColumns } from './rows.js';

/** Rows that are looked through for a terminal in use. */
const NEWEST = 10_000;
const PRINTABLE = /^[\x20-\x7e]+$/;

/** What any process may read of a journal in PostgreSQL, whichever leads. */
export abstract class PostgresReads {
  private readonly byId = new Together<Row>(async (ids) => {
    const rows = await this.read(
      (sql) => sql<Row[]>`
        SELECT ${rowColumns(sql)} FROM cloud_terminal.operation
        WHERE operation_id IN (SELECT json_array_elements_text(${JSON.stringify(ids)}::text::json))`,
    );
    return new Map(rows.map((row) => [row.operation_id, row]));
  });

  protected abstract read<T>(work: (sql: Sql) => Promise<T>): Promise<T>;

  /** Hears of everything that is damaged, however often it is read. */
  protected abstract noteDamage(damage: string): void;

  async holder(environment: string, hash: string): Promise<OperationRecord | undefined> {
    return this.read((sql) => holderOf(sql, environment, hash));
  }

  async repeats(environment: string): Promise<RepeatRecord[]> {
    const rows = await this.read(
      (sql) => sql`
        SELECT id, record, ${isSound(sql, 'repeat')} AS is_sound FROM cloud_terminal.repeat
        WHERE environment = ${environment} ORDER BY created_at, id`,
    );
    return rows.flatMap(({ id, record, is_sound }) => {
      const repeat = is_sound ? parsed<RepeatRecord>(record) : undefined;
      if (repeat !== undefined) return [repeat];
      this.noteDamage(`a message in the journal that repeats an order is damaged, and is not answered: ${id}`);
      return [];
    });
  }

  async annotations(operationIds: readonly string[]): Promise<Map<string, Annotation[]>> {
    const ids = JSON.stringify(operationIds);
    const rows = await this.read(
      (sql) => sql`
        SELECT operation_id, place, annotation, ${isSound(sql, 'annotation')} AS is_sound FROM cloud_terminal.annotation
        WHERE operation_id IN (SELECT json_array_elements_text(${ids}::text::json)) ORDER BY place`,
    );
    const found = new Map<string, Annotation[]>();
    for (const id of operationIds) {
      const said = rows.filter(({ operation_id }) => operation_id === id);
      if (said.length > 0)
        found.set(
          id,
          said.map((row) => this.annotationIn(row as AnnotationRow)),
        );
    }
    return found;
  }

  async merchantsOf(keyId: string): Promise<string[] | undefined> {
    const [row] = await this.read((sql) => sql`SELECT merchants FROM cloud_terminal.merchant WHERE key_id = ${keyId}`);
    return row && parsed<string[]>(row.merchants);
  }

  async find(query: JournalQuery, limit = FIND_LIMIT): Promise<OperationRecord[]> {
    if ('operationId' in query) {
      // A person may ask for anything, and what the database cannot hold would fail for all who ask with them.
      if (!PRINTABLE.test(query.operationId)) return [];
      const row = await this.byId.find(query.operationId);
      return row === undefined ? [] : [recordIn(row)];
    }
    const rows = await this.read((sql) => rowsOf(sql, query, limit));
    const isList = 'environment' in query || 'terminal' in query || 'resultId' in query;
    return (isList ? this.soundOf(rows) : rows.map(recordIn)).filter((operation) => matches(query, operation));
  }

  async open(environment: string): Promise<OperationRecord[]> {
    const rows = await this.read(
      (sql) => sql<Row[]>`
        SELECT ${rowColumns(sql)} FROM cloud_terminal.operation
        WHERE environment = ${environment} AND NOT closed ORDER BY sequence`,
    );
    return this.soundOf(rows);
  }

  /** One after the other by their index: `DISTINCT` would read every row. */
  async environments(): Promise<string[]> {
    const rows = await this.read(
      (sql) => sql<{ environment: string }[]>`
        WITH RECURSIVE found (environment) AS (
          SELECT min(environment) FROM cloud_terminal.operation
          UNION ALL
          SELECT (SELECT min(environment) FROM cloud_terminal.operation AS next WHERE next.environment > found.environment)
          FROM found WHERE found.environment IS NOT NULL
        )
        SELECT environment FROM found WHERE environment IS NOT NULL`,
    );
    return rows.map(({ environment }) => environment);
  }

  async openEnvironments(): Promise<string[]> {
    const rows = await this.read(
      (sql) =>
        sql<{ environment: string }[]>`SELECT DISTINCT environment FROM cloud_terminal.operation WHERE NOT closed`,
    );
    return rows.map(({ environment }) => environment);
  }

  async openIds(environment: string): Promise<string[]> {
    const rows = await this.read(
      // The record of a sound row need not be sent.
      (sql) => sql<(Row & { is_checked: boolean })[]>`
        SELECT operation_id, sequence, checksum IS NOT NULL AS is_checked, ${isSound(sql, 'operation')} AS is_sound,
          CASE WHEN checksum IS NULL THEN record ELSE '' END AS record
        FROM cloud_terminal.operation
        WHERE environment = ${environment} AND NOT closed ORDER BY sequence`,
    );
    const isUsable = (row: (typeof rows)[number]): boolean =>
      (row.is_checked && row.is_sound) || this.soundOf([row]).length > 0;
    return rows.filter(isUsable).map(({ operation_id }) => operation_id);
  }

  /** What can be read of a list, which is better short of a record than not there. */
  private soundOf(rows: readonly Row[]): OperationRecord[] {
    return rows.flatMap((row) => {
      try {
        return [recordIn(row)];
      } catch (error) {
        if (!(error instanceof DamagedRecordError)) throw error;
        this.noteDamage(error.message);
        return [];
      }
    });
  }

  private annotationIn({ operation_id, place, annotation, is_sound }: AnnotationRow): Annotation {
    const said = is_sound ? parsed<Annotation>(annotation) : undefined;
    if (said === undefined)
      this.noteDamage(`what a person said about a payment is damaged in the journal: ${operation_id} ${place}`);
    return said ?? UNREADABLE_ANNOTATION;
  }
}

interface AnnotationRow {
  operation_id: string;
  place: string;
  annotation: string;
  is_sound: boolean;
}

function rowsOf(sql: Sql, query: Exclude<JournalQuery, { operationId: string }>, limit: number): Promise<Row[]> {
  if ('environment' in query) {
    const until = Math.floor(Math.min(query.until ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER));
    return sql<Row[]>`
      SELECT ${rowColumns(sql)} FROM cloud_terminal.operation
      WHERE environment = ${query.environment} AND created_at <= ${until}
      ORDER BY created_at DESC, sequence DESC LIMIT ${limit}`;
  }
  return 'terminal' in query ? terminalRows(sql, queryKey(query), limit) : keyedRows(sql, queryKey(query), limit);
}

/** For a key that few rows have. The planner believes that many have it, and would look for it through the whole table, newest first. */
export function keyedRows(sql: Sql, key: string, limit: number) {
  return sql<Row[]>`
    WITH found AS MATERIALIZED (
      SELECT ${rowColumns(sql)} FROM cloud_terminal.operation WHERE keys @> ARRAY[${key}]
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
    SELECT ${rowColumns(sql)} FROM cloud_terminal.operation
    WHERE keys @> ARRAY[${key}] ORDER BY sequence DESC LIMIT ${limit}`;
}
