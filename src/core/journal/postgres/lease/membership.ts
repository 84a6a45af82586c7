import type { Clock } from '../../../base/seams.js';
import { SharedStores } from '../../shared-stores.js';
import { Database } from '../connection/database.js';
import { migrate } from '../connection/schema.js';
import { Notifier } from '../doors/notifier.js';
import type { Replica } from './leader-row.js';
import { PostgresPresenceRow, Presence } from './presence.js';

export interface MembershipOptions {
  clock: Clock;
  /** This process. */
  replica: Replica;
  /** See `Database.at`. */
  directAddress?: string;
}

/** How a part of this process hears of the database. */
export interface Hearer {
  /** What a person should know. */
  log(text: string): void;
  /** The database went away, with why; or it is back. */
  onReachable?(error?: Error): void;
  /** A row is not as it was written. Once for each, and for a process. */
  onDamage?(damage: string): void;
}

const memberships = new SharedStores<Membership>();

/** A process among all that share the journal of one database, whether it leads or not. All parts of the process share it. */
export class Membership {
  readonly presence: Presence;
  readonly notifier: Notifier;
  private readonly hearers = new Set<Hearer>();
  private readonly damages = new Set<string>();
  /** Why this process hears no notifications. */
  private deafness: string | undefined;

  private constructor(
    readonly database: Database,
    { clock, replica }: MembershipOptions,
  ) {
    this.presence = new Presence(new PostgresPresenceRow(database), clock, replica);
    this.notifier = new Notifier(
      database,
      clock,
      replica.id,
      (error) => this.noteReachable(error),
      (error) => this.noteListening(error),
    );
  }

  /** The membership of this process, and how to leave it. @throws ConfigurationError, JournalError */
  static async join(
    address: string,
    options: MembershipOptions,
  ): Promise<{ membership: Membership; leave: () => Promise<void> }> {
    const place = `${options.replica.id} ${address}`;
    const { store: membership, leave } = await memberships.join(place, () => Membership.open(address, options));
    return { membership, leave };
  }

  /** Returns how to stop hearing. */
  hear(hearer: Hearer): () => void {
    if (this.deafness !== undefined) hearer.log(this.deafness);
    this.hearers.add(hearer);
    return () => this.hearers.delete(hearer);
  }

  noteDamage(damage: string): void {
    if (this.damages.has(damage)) return;
    this.damages.add(damage);
    for (const { onDamage } of this.hearers) onDamage?.(damage);
  }

  async close(): Promise<void> {
    await this.notifier.stop();
    await this.presence.leave();
    await this.database.close();
  }

  private static async open(address: string, options: MembershipOptions): Promise<Membership> {
    const database = await Database.at(address, options.clock, options.directAddress);
    const membership = new Membership(database, options);
    try {
      await migrate(database);
      await membership.presence.join();
      await membership.notifier.start();
      return membership;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  private noteReachable(error?: Error): void {
    if (error === undefined) this.presence.renewNow();
    for (const { onReachable } of this.hearers) onReachable?.(error);
  }

  private noteListening(error?: Error): void {
    const deafness =
      error &&
      `the notifications of the database cannot be heard: ${error.message}. What other Node-REDs send arrives up to a second later; will try again every minute`;
    if (deafness === this.deafness) return;
    this.deafness = deafness;
    for (const { log } of this.hearers) log(deafness ?? 'the notifications of the database can be heard again');
  }
}
