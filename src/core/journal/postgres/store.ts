import { Leases } from '../leases.js';
import type { Database } from './connection/database.js';
import { LeaderLease } from './lease/leader-lease.js';
import { PostgresLeaderRow } from './lease/leader-row.js';
import { type Hearer, Membership, type MembershipOptions } from './lease/membership.js';
import { RecentOrders } from './recent-orders.js';
import { Writer } from './writer.js';

/** How the leader's journal hears of its store. */
export interface LeaderHearer extends Hearer {
  /** Another process has taken the journal: this one must neither act nor write any more. */
  onLost(): void;
}

/** The journal of one database in the process that leads, which one does at a time. All journals of the process share it. */
export class Store {
  /** Of the engines of this process. */
  readonly leases = new Leases();
  readonly recentOrders = new RecentOrders();
  readonly lease: LeaderLease;
  readonly writer: Writer;
  readonly database: Database;
  private readonly hearers = new Set<LeaderHearer>();
  private readonly warnings: string[] = [];
  /** Another process has taken it over. */
  isLost = false;

  private constructor(
    readonly membership: Membership,
    private readonly leaveMembership: () => Promise<void>,
    { clock, replica }: MembershipOptions,
  ) {
    const { database } = membership;
    this.database = database;
    this.lease = new LeaderLease(
      new PostgresLeaderRow(database),
      clock,
      replica,
      () => this.lose(),
      (text) => this.log(text),
    );
    this.writer = new Writer(database, this.lease, clock);
  }

  /** @throws StandbyError while another process has the journal; ConfigurationError, JournalError */
  static async open(address: string, options: MembershipOptions): Promise<Store> {
    const { membership, leave } = await Membership.join(address, options);
    const store = new Store(membership, leave, options);
    try {
      await store.warnOfLoss();
      await store.lease.take();
      return store;
    } catch (error) {
      await leave();
      throw error;
    }
  }

  /** Returns how to stop hearing. */
  hear(hearer: LeaderHearer): () => void {
    for (const warning of this.warnings) hearer.log(warning);
    this.hearers.add(hearer);
    const stopHearing = this.membership.hear(hearer);
    return () => {
      stopHearing();
      this.hearers.delete(hearer);
    };
  }

  async close(): Promise<void> {
    await this.writer.close();
    await this.lease.release();
    await this.leaveMembership();
  }

  notePutBack(operationId: string): void {
    this.log(
      `the database ${this.database.place} had lost operation ${operationId}, which this process knows, and has it again. It may have ` +
        'gone on from an older copy, and have lost others that have ended',
    );
  }

  private lose(): void {
    this.isLost = true;
    for (const { onLost } of this.hearers) onLost();
  }

  private log(text: string): void {
    for (const { log } of this.hearers) log(text);
  }

  /** A database that acknowledges what a power cut takes back breaks the promise that nothing is charged twice. */
  private async warnOfLoss(): Promise<void> {
    for (const name of await unsafeSettings(this.database)) {
      this.warnings.push(`${this.database.place}: ${name} is off: a power cut may lose payments`);
    }
  }
}

/** The settings by which a power cut may take back what the database has acknowledged. */
export async function unsafeSettings(database: Database): Promise<string[]> {
  const unsafe: string[] = [];
  for (const name of ['fsync', 'synchronous_commit']) {
    const [row] = await database.read((sql) => sql`SELECT current_setting(${name}) AS value`);
    if (row?.value === 'off') unsafe.push(name);
  }
  return unsafe;
}
