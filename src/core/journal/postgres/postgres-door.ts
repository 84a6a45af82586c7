import { JournalError } from '../../base/errors.js';
import type { Annotation } from '../annotation.js';
import type { DoorJournal } from '../journal.js';
import { annotating, notingMerchants } from './changes.js';
import { type Sql, UnknownEndError } from './connection/database.js';
import { PostgresDoors } from './doors/postgres-doors.js';
import { type Hearer, Membership, type MembershipOptions } from './lease/membership.js';
import { PostgresReads } from './reads.js';
import { PostgresReceipts } from './receipts.js';
import type { Change } from './writer.js';

/**
 * Opens the journal of a PostgreSQL database without leading.
 * @param address as `postgresql://user:password@host:5432/database`
 * @throws ConfigurationError; JournalError where it cannot be reached, and where a newer version of this package has changed
 * its tables
 */
export async function openPostgresDoor(address: string, options: MembershipOptions & Hearer): Promise<DoorJournal> {
  const { membership, leave } = await Membership.join(address, options);
  const stopHearing = membership.hear(options);
  return new PostgresDoor(membership, async () => {
    stopHearing();
    await leave();
  });
}

class PostgresDoor extends PostgresReads implements DoorJournal {
  readonly doors: PostgresDoors;
  readonly receipts = new PostgresReceipts({
    read: (work) => this.read(work),
    change: (change) => this.write(change),
    noteDamage: (damage) => this.noteDamage(damage),
  });
  private closing: Promise<void> | undefined;

  constructor(
    private readonly membership: Membership,
    private readonly leave: () => Promise<void>,
  ) {
    super();
    this.doors = new PostgresDoors(membership);
  }

  async annotate(operationId: string, annotation: Annotation): Promise<void> {
    await this.write(annotating(operationId, annotation, this.doors.replica));
  }

  async noteMerchants(keyId: string, merchants: readonly string[]): Promise<void> {
    await this.write(notingMerchants(keyId, merchants));
  }

  async close(): Promise<void> {
    this.closing ??= this.leave();
    await this.closing;
  }

  protected async read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    if (this.closing !== undefined) throw new JournalError('the journal is closed');
    return this.membership.database.read(work);
  }

  protected noteDamage(damage: string): void {
    this.membership.noteDamage(damage);
  }

  /** Writes what needs no place in the order of the leader's changes, and what is the same written twice as once. */
  private async write<T>(change: Change<T>): Promise<T> {
    const once = (): Promise<T> =>
      this.membership.database.transaction(async (sql) => {
        const [leader] = await sql`SELECT age FROM cloud_terminal.leader`;
        return change.write(sql, { fence: 0, age: Number(leader?.age ?? 0) });
      });
    return once().catch((error) => {
      if (error instanceof UnknownEndError) return once();
      throw error;
    });
  }
}
