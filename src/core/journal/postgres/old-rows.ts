import { isSound } from './checksums.js';
import type { Sql, TransactionSql } from './connection/database.js';

/**
 * The ids of operations that were last changed before the journal had the age `before` (ms), the oldest first, without those
 * that a message waits for, and those whose original is still there: see `Journal.prune`. What was recorded later is no original:
 * two that name each other would stay for ever.
 */
export function oldRows(sql: Sql | TransactionSql, before: number, limit: number) {
  // OFFSET keeps the planner from looking through the whole table, newest first or not: see keyedRows.
  return sql`
    SELECT operation_id FROM cloud_terminal.operation
    WHERE prunable AND age < ${before} AND ${isSound(sql, 'operation')}
      AND NOT EXISTS (SELECT FROM cloud_terminal.repeat WHERE repeat.first = operation.operation_id)
      AND NOT EXISTS (
        SELECT FROM unnest(operation.keys) AS named (key)
        CROSS JOIN LATERAL (
          SELECT sequence FROM cloud_terminal.operation AS found
          WHERE found.keys @> ARRAY['t' || substr(named.key, 2)] OFFSET 0
        ) AS original
        WHERE named.key LIKE 'p%' AND original.sequence < operation.sequence
      )
    ORDER BY age, sequence LIMIT ${limit}`;
}
