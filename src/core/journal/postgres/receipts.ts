import { JournalError } from '../../base/errors.js';
import { PRUNE_LIMIT } from '../query.js';
import type { ReceiptStore, SealedReceipts } from '../receipt-store.js';
import type { Sql } from './connection/database.js';
import { parsed } from './rows.js';
import type { Change } from './writer.js';

/** The journal that keeps them. */
interface Access {
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  change<T>(change: Change<T>): Promise<T>;
  noteDamage(damage: string): void;
}

/** Sealed receipts as rows. They go with their operation at the latest. */
export class PostgresReceipts implements ReceiptStore {
  constructor(private readonly journal: Access) {}

  async keep(operationId: string, receipts: SealedReceipts, keep: number): Promise<void> {
    const text = JSON.stringify(receipts);
    await this.journal.change({
      write: async (sql, { age }) => {
        const { count } = await sql`
          INSERT INTO cloud_terminal.receipt (operation_id, until, receipts)
          SELECT operation_id, ${Math.floor(age + keep)}::bigint, ${text} FROM cloud_terminal.operation
          WHERE operation_id = ${operationId}
          ON CONFLICT (operation_id) DO UPDATE SET until = excluded.until, receipts = excluded.receipts`;
        if (count === 0) throw new JournalError(`operation ${operationId} is not in the journal`);
      },
    });
  }

  async find(operationId: string): Promise<SealedReceipts | undefined> {
    const [row] = await this.journal.read(
      (sql) => sql`SELECT receipts FROM cloud_terminal.receipt WHERE operation_id = ${operationId}`,
    );
    const found = row && parsed<SealedReceipts>(row.receipts);
    if (row !== undefined && found === undefined)
      this.journal.noteDamage(`the receipts of a payment are damaged in the journal, and are left out: ${operationId}`);
    return found;
  }

  async prune(limit = PRUNE_LIMIT): Promise<number> {
    return this.journal.change({
      write: async (sql, { age }) => {
        const { count } = await sql`
          DELETE FROM cloud_terminal.receipt WHERE operation_id IN (
            SELECT operation_id FROM cloud_terminal.receipt WHERE until < ${age} ORDER BY until LIMIT ${limit}
          )`;
        return count;
      },
    });
  }
}
