import { StandbyError } from '../../../base/errors.js';
import type { Deliveries, DeliveryName, PostedDelivery, PostedState, UntoldDelivery } from '../../doors.js';
import type { Database, Sql, TransactionSql } from '../connection/database.js';
import type { Writer } from '../writer.js';
import { LEADER, Notifier } from './notifier.js';

const MOST = 100;

export class PostgresDeliveries implements Deliveries {
  /** @param writer of the leader */
  constructor(
    private readonly database: Database,
    private readonly replica: string,
    private readonly writer: Writer | undefined,
  ) {}

  async post(delivery: PostedDelivery): Promise<PostedState> {
    if (this.writer === undefined) throw new StandbyError('this process does not lead');
    return this.writer.change({ takesSteps: true, write: (sql) => posted(sql, delivery) });
  }

  async states(names: readonly DeliveryName[]): Promise<PostedState[]> {
    if (names.length === 0) return [];
    const rows = await this.database.read(
      (sql) => sql<StateRow[]>`
        SELECT message, sequence, told_at IS NOT NULL AS told, replica IS NULL AS gone FROM cloud_terminal.delivery
        WHERE (message, sequence) IN (${namesIn(sql, names)})`,
    );
    return names.map(({ message, sequence }) =>
      stateOf(rows.find((row) => row.message === message && row.sequence === sequence)),
    );
  }

  async untold(environment: string, known: readonly DeliveryName[]): Promise<UntoldDelivery[]> {
    const rows = await this.database.read(
      (sql) => sql`
        SELECT message, sequence, body FROM cloud_terminal.delivery
        WHERE environment = ${environment} AND replica = ${this.replica} AND told_at IS NULL
          AND (message, sequence) NOT IN (${namesIn(sql, known)})
        ORDER BY place LIMIT ${MOST}`,
    );
    return rows.map(({ message, sequence, body }) => ({ message, sequence, environment, replica: this.replica, body }));
  }

  async confirm(names: readonly DeliveryName[]): Promise<void> {
    if (names.length === 0) return;
    await this.database.transaction(async (sql) => {
      // The result has arrived: what it said need not lie here any longer.
      const told = await sql<{ environment: string }[]>`
        UPDATE cloud_terminal.delivery SET told_at = clock_timestamp(), body = ''
        WHERE (message, sequence) IN (${namesIn(sql, names)}) AND told_at IS NULL AND replica = ${this.replica}
        RETURNING environment`;
      for (const environment of new Set(told.map((row) => row.environment)))
        await Notifier.notify(sql, LEADER, environment);
    });
  }
}

interface StateRow extends DeliveryName {
  told: boolean;
  gone: boolean;
}

async function posted(sql: TransactionSql, delivery: PostedDelivery): Promise<PostedState> {
  const { message, sequence, environment, replica, key, body } = delivery;
  // The lock keeps the process from being counted as dead before this is committed.
  const [added] = await sql`
    INSERT INTO cloud_terminal.delivery (message, sequence, environment, replica, seal_key, body)
    SELECT ${message}, ${sequence}::int, ${environment}, id, ${key}, ${body} FROM cloud_terminal.replica
    WHERE id = ${replica} FOR KEY SHARE
    ON CONFLICT (message, sequence) DO UPDATE SET body = excluded.body, seal_key = excluded.seal_key
      WHERE delivery.told_at IS NULL AND delivery.replica = excluded.replica AND delivery.seal_key <> excluded.seal_key
    RETURNING 1`;
  if (added !== undefined) {
    await Notifier.notify(sql, replica, environment);
    return 'waiting';
  }
  const [row] = await sql<StateRow[]>`
    SELECT message, sequence, told_at IS NOT NULL AS told, replica IS NULL AS gone FROM cloud_terminal.delivery
    WHERE message = ${message} AND sequence = ${sequence}`;
  return stateOf(row);
}

function stateOf(row: StateRow | undefined): PostedState {
  if (row === undefined) return 'gone';
  if (row.told) return 'told';
  return row.gone ? 'perhaps-told' : 'waiting';
}

function namesIn(sql: Sql | TransactionSql, names: readonly DeliveryName[]) {
  const json = JSON.stringify(names);
  return sql`SELECT one->>'message', (one->>'sequence')::int FROM json_array_elements(${json}::text::json) AS one`;
}
