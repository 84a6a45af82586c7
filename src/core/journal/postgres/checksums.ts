import type { Sql, TransactionSql } from './connection/database.js';

/**
 * What guards the rows against whatever changes them but this package. The database computes it, because it alone knows the
 * place of a new row among all others, and can say of many rows that they are sound without sending them. SHA-256, because every
 * server has it, one in FIPS mode too, and its result is the same after an upgrade of the server; 64 bits of it.
 *
 * A row without a checksum counts as sound if it can be read: a version without checksums wrote it. A checksum that the
 * migration computed would vouch for what nobody has checked, and would read every row of a large table in the one transaction
 * that a start waits for.
 */

type AnySql = Sql | TransactionSql;

/** Each of a table, or of a subquery, with the name of the table. */
const COLUMNS = {
  operation: (sql: AnySql) => sql`
    operation.sequence, operation.operation_id, operation.environment, operation.fence, operation.age, operation.closed,
    operation.created_at, operation.prunable, operation.keys, operation.record`,
  repeat: (sql: AnySql) => sql`repeat.id, repeat.environment, repeat.created_at, repeat.record`,
  annotation: (sql: AnySql) => sql`
    annotation.place, annotation.write_id, annotation.operation_id, annotation.annotation`,
};

export type Guarded = keyof typeof COLUMNS;

/** The columns of a table that its checksum is about. */
export function guardedColumns(sql: AnySql, table: Guarded) {
  return COLUMNS[table](sql);
}

/** The checksum of a row as it is now. */
export function checksumOf(sql: AnySql, table: Guarded) {
  return sql`left(encode(sha256(convert_to(ROW(${guardedColumns(sql, table)})::text, 'UTF8')), 'hex'), 16)`;
}

/** Whether a row is as it was written. */
export function isSound(sql: AnySql, table: Guarded) {
  return sql`(${sql(table)}.checksum IS NULL OR ${sql(table)}.checksum = ${checksumOf(sql, table)})`;
}
