import { claimOf, type Existing } from '../order-claim.js';
import type { OperationRecord } from '../record.js';
import type { Sql, TransactionSql } from './connection/database.js';
import { type Row, recordIn, rowColumns } from './rows.js';

/** Keys of orders. The database has each once in an environment, whoever writes. */

/** The operation that has a key. */
export async function holderOf(
  sql: Sql | TransactionSql,
  environment: string,
  hash: string,
): Promise<OperationRecord | undefined> {
  const [row] = await sql<Row[]>`
    SELECT ${rowColumns(sql)} FROM cloud_terminal.order_key JOIN cloud_terminal.operation USING (operation_id)
    WHERE order_key.environment = ${environment} AND hash = ${hash}`;
  return row && recordIn(row);
}

/** Whether a new operation may have the key of its order, which {@link giveKey} then gives it. */
export async function claimKey(
  sql: TransactionSql,
  operation: OperationRecord,
): Promise<{ attempt: number } | Existing> {
  const { environment, origin } = operation;
  return origin.key === undefined
    ? { attempt: 1 }
    : claimOf(await holderOf(sql, environment, origin.key.hash), JSON.parse(JSON.stringify(operation)));
}

/** The key of its order, where it has one, is the operation's from now on. */
export async function giveKey(
  sql: TransactionSql,
  { environment, operationId, origin }: OperationRecord,
): Promise<void> {
  if (origin.key === undefined) return;
  await sql`
    INSERT INTO cloud_terminal.order_key (environment, hash, operation_id)
    VALUES (${environment}, ${origin.key.hash}, ${operationId})
    ON CONFLICT (environment, hash) DO UPDATE SET operation_id = excluded.operation_id`;
}
