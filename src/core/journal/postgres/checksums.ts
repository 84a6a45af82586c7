import { hash } from 'node:crypto';
import type { Sql, TransactionSql } from './connection/database.js';

/**
 * What guards the rows against whatever changes them but this package: 64 bits of a SHA-256 over what decides. The process
 * computes them, which costs the database nothing, and the database mixes in the place of the row among all others, which it alone
 * knows. It also proves them, so that nothing but what is asked for need be sent. SHA-256, because every server has it, one in FIPS
 * mode too.
 *
 * A row without a checksum counts as sound if it can be read: a version without checksums wrote it. A checksum that the
 * migration computed would vouch for what nobody has checked, and would read every row of a large table in the one transaction
 * that a start waits for.
 */

type AnySql = Sql | TransactionSql;

/** What a checksum is about, and the place that is mixed in. */
const GUARDED = {
  operation: (sql: AnySql) => ({
    place: sql`operation.sequence`,
    columns: sql`
      operation.operation_id, operation.environment, operation.fence, operation.age, operation.closed, operation.created_at,
      operation.prunable, array_to_string(operation.keys, ','), operation.record`,
  }),
  repeat: (sql: AnySql) => ({
    place: sql`0`,
    columns: sql`repeat.id, repeat.environment, repeat.created_at, repeat.record`,
  }),
  annotation: (sql: AnySql) => ({
    place: sql`annotation.place`,
    columns: sql`annotation.write_id, annotation.operation_id, annotation.annotation`,
  }),
};

/** The checksum of a row without its place, as a bigint. @param columns as they stand in {@link GUARDED} */
export function checksumOf(columns: readonly (string | number | boolean)[]): string {
  const texts = columns.map((column) => (typeof column === 'boolean' ? (column ? 't' : 'f') : String(column)));
  return BigInt.asIntN(64, BigInt(`0x${hash('sha256', texts.join(' '), 'hex').slice(0, 16)}`)).toString();
}

/** Whether a row is as it was written. */
export function isSound(sql: AnySql, table: keyof typeof GUARDED) {
  const { place, columns } = GUARDED[table](sql);
  return sql`(
    ${sql(table)}.checksum IS NULL
    OR ${sql(table)}.checksum # ${place} =
      ('x' || left(encode(sha256(convert_to(concat_ws(' ', ${columns}), 'UTF8')), 'hex'), 16))::bit(64)::bigint
  )`;
}
