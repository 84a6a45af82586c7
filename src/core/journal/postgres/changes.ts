import { JournalError } from '../../base/errors.js';
import { asciiJson } from '../../base/json.js';
import type { Annotation } from '../annotation.js';
import { type Existing, takesKeyBack } from '../order-claim.js';
import type { OperationRecord, RepeatRecord } from '../record.js';
import { checksumOf } from './checksums.js';
import type { Sql, TransactionSql } from './connection/database.js';
import { acceptRequest } from './doors/requests.js';
import type { Stamp } from './lease/leader-lease.js';
import { claimKey, giveKey } from './order-keys.js';
import { type Columns, columnsOf, parsed } from './rows.js';
import type { Change } from './writer.js';

interface Recorded {
  claim: { attempt: number } | Existing;
  /** The holder was put back. */
  wasLost?: boolean;
}

/**
 * A new operation, see `Journal.record`.
 * @param holder had the key of its order when this process wrote it last; put back where the database has lost it since
 */
export function recording(operation: OperationRecord, holder?: OperationRecord): Change<Recorded> {
  // As it is now: the caller may change it while it is written.
  const copy: OperationRecord = JSON.parse(JSON.stringify(operation));
  return {
    write: async (sql, stamp) => {
      if (copy.origin.key === undefined) return { claim: await insertAccepted(sql, copy, stamp) };
      const wasLost = holder !== undefined && (await isLost(sql, holder));
      if (wasLost) await putBack(sql, holder, stamp);
      return { claim: await insertKeyed(sql, copy, stamp), wasLost };
    },
    written: async (sql) => {
      const claim = await insertedBefore(sql, copy);
      return claim && { claim };
    },
    ...(copy.origin.key === undefined && !copy.origin.asked ? {} : { takesSteps: true }),
  };
}

/**
 * A later version of an operation, see `Journal.advance`. A database that went on from an older copy may have lost the operation.
 * @param isOurs this process works on it, so that it is put back where it is lost
 * @returns of its outcome: whether it was put back
 */
export function advancing(operation: OperationRecord, isOurs: boolean): Change<boolean> {
  const { operationId } = operation;
  const columns = columnsOf(operation);
  const closesKey = takesKeyBack(operation);
  return {
    write: async (sql, stamp) => {
      const { fence, age } = stamp;
      const { closed, createdAt, prunable, keys, record } = columns;
      const { environment } = operation;
      const { count } = await sql`
        UPDATE cloud_terminal.operation
        SET
          environment = ${environment}, fence = ${fence}, age = ${age}, closed = ${closed}, created_at = ${createdAt},
          prunable = ${prunable}, keys = ${keys}::text[], record = ${record}, changed_at = clock_timestamp(),
          checksum = sequence # ${checksumOfOperation(operation, { fence, age }, columns)}::bigint
        WHERE operation_id = ${operationId}`;
      if (count === 0 && !isOurs) throw missing(operationId);
      if (count === 0) await putBack(sql, operation, stamp);
      else if (closesKey) await giveKey(sql, operation);
      return count === 0;
    },
    ...(closesKey ? { takesSteps: true } : {}),
  };
}

/** See `Journal.recordRepeat`. */
export function recordingRepeat(repeat: RepeatRecord): Change<void> {
  const { id, environment, createdAt, origin } = repeat;
  const text = asciiJson(repeat);
  const created = Math.floor(createdAt);
  const checksum = checksumOf([id, environment, created, text]);
  return {
    takesSteps: true,
    write: async (sql) => {
      const { count } = await sql`
        UPDATE cloud_terminal.repeat
        SET environment = ${environment}, created_at = ${created}, record = ${text}, checksum = ${checksum}::bigint
        WHERE id = ${id}`;
      if (count > 0) return;
      if (origin.asked) await acceptRequest(sql, id);
      await sql`
        INSERT INTO cloud_terminal.repeat (id, environment, created_at, record, checksum)
        VALUES (${id}, ${environment}, ${created}, ${text}, ${checksum}::bigint)`;
    },
  };
}

/** See `Journal.noteMerchants`. */
export function notingMerchants(keyId: string, merchants: readonly string[]): Change<void> {
  const text = asciiJson(merchants);
  return {
    write: async (sql) => {
      await sql`
        INSERT INTO cloud_terminal.merchant (key_id, merchants) VALUES (${keyId}, ${text})
        ON CONFLICT (key_id) DO UPDATE SET merchants = excluded.merchants`;
    },
  };
}

let annotated = 0;

/** See `Journal.annotate`. @param replica id of this process */
export function annotating(operationId: string, annotation: Annotation, replica: string): Change<void> {
  // Another one for every call, so that one that is written twice adds one row.
  const writeId = `${replica} ${++annotated}`;
  const text = asciiJson(annotation);
  const checksum = checksumOf([writeId, operationId, text]);
  return {
    write: async (sql) => {
      const [{ found } = { found: false }] = await sql<[{ found: boolean }]>`
        WITH added AS (
          INSERT INTO cloud_terminal.annotation (place, write_id, operation_id, annotation, checksum)
          OVERRIDING SYSTEM VALUE
          SELECT place, ${writeId}, operation_id, ${text}, place # ${checksum}::bigint
          FROM (
            SELECT nextval(pg_get_serial_sequence('cloud_terminal.annotation', 'place')) AS place, operation_id
            FROM cloud_terminal.operation WHERE operation_id = ${operationId}
          ) AS said
          ON CONFLICT (write_id) DO NOTHING
        )
        SELECT EXISTS (SELECT 1 FROM cloud_terminal.operation WHERE operation_id = ${operationId}) AS found`;
      if (!found) throw missing(operationId);
    },
  };
}

/** Where a door asked for the operation, accepts its request in the same transaction: the door can no longer take it back. */
async function insertAccepted(
  sql: TransactionSql,
  operation: OperationRecord,
  stamp: Stamp,
): Promise<{ attempt: number }> {
  // First, because what is written before an error stays written.
  if (operation.origin.asked) await acceptRequest(sql, operation.operationId);
  return insertNew(sql, operation, stamp);
}

async function insertNew(sql: TransactionSql, operation: OperationRecord, stamp: Stamp): Promise<{ attempt: number }> {
  const { operationId, environment } = operation;
  const { fence, age } = stamp;
  const columns = columnsOf(operation);
  const { closed, createdAt, prunable, keys, record } = columns;
  const checksum = checksumOfOperation(operation, stamp, columns);
  const { count } = await sql`
    INSERT INTO cloud_terminal.operation
      (sequence, operation_id, environment, fence, age, closed, created_at, prunable, keys, record, changed_at, checksum)
    OVERRIDING SYSTEM VALUE
    SELECT
      sequence, ${operationId}, ${environment}, ${fence}::bigint, ${age}::bigint, ${closed}::bool, ${createdAt}::bigint,
      ${prunable}::bool, ${keys}::text[], ${record}, clock_timestamp(), sequence # ${checksum}::bigint
    FROM (SELECT nextval(pg_get_serial_sequence('cloud_terminal.operation', 'sequence')) AS sequence) AS next
    ON CONFLICT (operation_id) DO NOTHING`;
  if (count === 0) throw new JournalError(`operation ${operationId} is in the journal already`);
  return { attempt: operation.attempt ?? 1 };
}

async function isLost(sql: TransactionSql, { operationId }: OperationRecord): Promise<boolean> {
  const rows = await sql`SELECT 1 FROM cloud_terminal.operation WHERE operation_id = ${operationId}`;
  return rows.length === 0;
}

/** With its key, unless another operation has got that since. */
async function putBack(sql: TransactionSql, operation: OperationRecord, stamp: Stamp): Promise<void> {
  const claim = await claimKey(sql, operation);
  await insertNew(sql, operation, stamp);
  if (!('existing' in claim)) await giveKey(sql, operation);
}

async function insertKeyed(
  sql: TransactionSql,
  operation: OperationRecord,
  stamp: Stamp,
): Promise<{ attempt: number } | Existing> {
  const claim = await claimKey(sql, operation);
  if ('existing' in claim) return claim;
  const inserted = await insertAccepted(sql, { ...operation, attempt: claim.attempt }, stamp);
  await giveKey(sql, operation);
  return inserted;
}

/**
 * An operation has an id of its own, so one that is there is the one that was written. Another process may have taken it up
 * since, and may have charged it: to say that it was never written would be wrong.
 */
async function insertedBefore(sql: Sql, { operationId }: OperationRecord): Promise<{ attempt: number } | undefined> {
  const [row] = await sql`SELECT record FROM cloud_terminal.operation WHERE operation_id = ${operationId}`;
  // It was written, whatever has become of it since.
  return row && { attempt: parsed<OperationRecord>(row.record)?.attempt ?? 1 };
}

function missing(operationId: string): JournalError {
  return new JournalError(`operation ${operationId} is not in the journal`);
}

function checksumOfOperation(
  { operationId, environment }: OperationRecord,
  { fence, age }: Stamp,
  { closed, createdAt, prunable, keys, record }: Columns,
): string {
  return checksumOf([operationId, environment, fence, age, closed, createdAt, prunable, keys.slice(1, -1), record]);
}
