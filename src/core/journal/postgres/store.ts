import type { Clock } from '../../base/seams.js';
import { Leases } from '../leases.js';
import { Database } from './database.js';
import { LeaderLease, type Replica } from './leader-lease.js';
import { migrate } from './schema.js';
import { Writer } from './writer.js';

export interface StoreOptions {
  clock: Clock;
  /** This process. */
  replica: Replica;
}

/** How a journal hears of its store. */
export interface Hearer {
  /** Another process has taken the journal: this one must neither act nor write any more. */
  onLost(): void;
  /** What a person should know. */
  log(text: string): void;
}

/** The journal of one database, which belongs to one process at a time. All journals of the process share it. */
export class Store {
  /** Of the engines of this process. */
  readonly leases = new Leases();
  readonly lease: LeaderLease;
  readonly writer: Writer;
  private readonly hearers = new Set<Hearer>();
  private readonly warnings: string[] = [];
  /** Another process has taken it over. */
  isLost = false;

  private constructor(
    readonly database: Database,
    { clock, replica }: StoreOptions,
  ) {
    this.lease = new LeaderLease(
      database,
      clock,
      replica,
      () => this.lose(),
      (text) => this.log(text),
    );
    this.writer = new Writer(database, this.lease, clock);
  }

  /** @throws StandbyError while another process has the journal; ConfigurationError, JournalError */
  static async open(address: string, options: StoreOptions): Promise<Store> {
    const database = await Database.at(address, options.clock);
    const store = new Store(database, options);
    try {
      await migrate(database);
      await store.warnOfLoss();
      await store.lease.take();
      return store;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** Returns how to stop hearing. */
  hear(hearer: Hearer): () => void {
    for (const warning of this.warnings) hearer.log(warning);
    this.hearers.add(hearer);
    return () => this.hearers.delete(hearer);
  }

  async close(): Promise<void> {
    await this.writer.close();
    await this.lease.release();
    await this.database.close();
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
