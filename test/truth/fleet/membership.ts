import { Notifier } from '../../../src/core/journal/postgres/doors/notifier.js';
import { LeaderLease } from '../../../src/core/journal/postgres/lease/leader-lease.js';
import type { Replica } from '../../../src/core/journal/postgres/lease/leader-row.js';
import { Presence } from '../../../src/core/journal/postgres/lease/presence.js';
import { Writer } from '../../../src/core/journal/postgres/writer.js';
import type { Process } from '../process.js';
import { FleetDoorJournal, FleetJournal } from './fleet-journal.js';
import type { Link } from './link.js';
import type { SharedDatabase } from './shared-database.js';
import { SharedLeaderRow, SharedPresenceRow } from './shared-rows.js';

export interface MembershipEvents {
  log(text: string): void;
  onKeyNoted(keyId: string): void;
}

/** A process among all that share the database, with the leases, the notifications and the writer of the product. */
export class Membership {
  readonly presence: Presence;
  readonly notifier: Notifier;
  isClosed = false;

  private constructor(
    readonly database: SharedDatabase,
    readonly link: Link,
    readonly replica: Replica,
    private readonly process: Process,
    private readonly events: MembershipEvents,
  ) {
    const { clock } = process;
    this.presence = new Presence(new SharedPresenceRow(link, database), clock, replica);
    this.notifier = new Notifier(
      link,
      database.lookClock(clock),
      replica.id,
      (error) => {
        if (error === undefined) this.presence.renewNow();
      },
      () => undefined,
    );
  }

  /** @throws JournalError */
  static async join(
    database: SharedDatabase,
    link: Link,
    replica: Replica,
    process: Process,
    events: MembershipEvents,
  ): Promise<Membership> {
    const membership = new Membership(database, link, replica, process, events);
    await membership.presence.join();
    await membership.notifier.start();
    return membership;
  }

  onKeyNoted(keyId: string): void {
    this.events.onKeyNoted(keyId);
  }

  /**
   * The journal of the process that leads from now on.
   * @param onLost called when another process has taken over
   * @param leave called once the journal is closed
   * @throws StandbyError while another one leads; JournalError
   */
  async lead(onLost: () => void, leave: () => Promise<void>): Promise<FleetJournal> {
    const { clock } = this.process;
    const { log } = this.events;
    const lease = new LeaderLease(new SharedLeaderRow(this.link, this.database), clock, this.replica, onLost, log);
    await lease.take();
    return new FleetJournal(this, new Writer(this.link, lease, clock), lease, leave);
  }

  stand(leave: () => Promise<void>): FleetDoorJournal {
    return new FleetDoorJournal(this, leave);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.notifier.stop();
    await this.presence.leave();
  }
}
