import { hash } from 'node:crypto';
import { asciiJson } from '../../base/json.js';
import { DamagedRecordError } from '../damaged-record.js';
import type { JournalQuery } from '../journal.js';
import { isPrunable } from '../order-claim.js';
import { type OperationRecord, originalIn } from '../record.js';
import { isSound } from './checksums.js';
import type { Sql, TransactionSql } from './connection/database.js';

/** A row of the table of operations, as it is read. */
export interface Row {
  /** Digits: a bigint. */
  sequence: string;
  fence: string;
  age: string;
  operation_id: string;
  record: string;
  is_sound: boolean;
}

/** What is written of a record. */
export interface Columns {
  closed: boolean;
  createdAt: number;
  prunable: boolean;
  /** An array of PostgreSQL, as text. */
  keys: string;
  record: string;
}

/** Queries that have a key each; the rest asks for other columns. */
type KeyedQuery = Exclude<JournalQuery, { operationId: string } | { environment: string }>;

export function columnsOf(operation: OperationRecord): Columns {
  const { sequence: _sequence, fence: _fence, age: _age, ...stored } = operation;
  return {
    closed: operation.closed,
    createdAt: Math.floor(operation.createdAt),
    prunable: isPrunable(operation),
    keys: `{${keysOf(operation).join(',')}}`,
    record: asciiJson(stored),
  };
}

/** The columns of a {@link Row}. */
export function rowColumns(sql: Sql | TransactionSql) {
  return sql`
    operation.sequence, operation.fence, operation.age, operation.operation_id, operation.record,
    ${isSound(sql, 'operation')} AS is_sound`;
}

/** @throws DamagedRecordError */
export function recordIn({ sequence, fence, age, operation_id: id, record, is_sound }: Row): OperationRecord {
  const stored = is_sound ? parsed<OperationRecord>(record) : undefined;
  if (stored?.operationId !== id) {
    const disk = 'the disk of the database';
    throw new DamagedRecordError(sequence, { is: 'damaged', disk, reference: `probably ${id}` });
  }
  return { ...stored, sequence: Number(sequence), fence: Number(fence), age: Number(age) };
}

/** Undefined where a text is no object in JSON: nobody has checked what a version without checksums wrote. */
export function parsed<T extends object>(text: string): T | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The key by which the operations of a query are found. Others may have it too: compare the whole value. */
export function queryKey(query: KeyedQuery): string {
  if ('reference' in query) return keyed('r', query.reference);
  if ('transactionId' in query) return keyed('t', query.transactionId);
  if ('original' in query) return keyed('p', query.original);
  if ('resultId' in query) return keyed('q', query.resultId);
  return keyed('d', query.terminal);
}

function keysOf(operation: OperationRecord): string[] {
  const { references, transactionId, resultId, terminal } = operation;
  const original = originalIn(operation);
  return [
    ...references.map((reference) => keyed('r', reference)),
    ...(transactionId === undefined ? [] : [keyed('t', transactionId)]),
    ...(original === undefined ? [] : [keyed('p', original)]),
    ...(resultId === undefined ? [] : [keyed('q', resultId)]),
    ...(terminal === undefined ? [] : [keyed('d', terminal.serial_number)]),
  ];
}

/** Hashed, because a value may be long, or hold what the database cannot. */
function keyed(kind: string, value: string): string {
  return kind + hash('sha1', value, 'hex').slice(0, 24);
}
