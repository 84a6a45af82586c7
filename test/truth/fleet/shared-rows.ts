import type { Holder, LeaderRow, Replica } from '../../../src/core/journal/postgres/lease/leader-row.js';
import type { PresenceRow } from '../../../src/core/journal/postgres/lease/presence.js';
import type { Link } from './link.js';
import type { SharedDatabase } from './shared-database.js';

/** How a process reaches the rows. */
type Way = Pick<Link, 'localTime'> & { read<T>(work: () => Promise<T>): Promise<T> };

/** The row that says who leads, as a process reaches it. */
export class SharedLeaderRow implements LeaderRow {
  readonly place = 'memory';

  constructor(
    private readonly link: Way,
    private readonly tables: SharedDatabase,
  ) {}

  take({ id, host }: Replica, length: number): Promise<{ fence: number; age: number } | undefined> {
    return this.link.read(async () => {
      const { leader: held, clock } = this.tables;
      if (held !== undefined && held.owner !== id && held.until >= clock.now()) return undefined;
      const fence = held === undefined ? 1 : held.fence + (held.owner === id ? 0 : 1);
      const age = held?.age ?? 0;
      const since = held?.owner === id ? held.since : clock.now();
      this.tables.leader = { owner: id, host, fence, since, age, until: clock.now() + length };
      return { fence, age };
    });
  }

  async isHeld(_sql: unknown, { id, fence }: Holder): Promise<boolean> {
    const { leader } = this.tables;
    return leader?.owner === id && leader.fence === fence;
  }

  renew(holder: Holder, age: number, length: number): Promise<boolean> {
    return this.link.read(async () => {
      const { leader, clock } = this.tables;
      if (leader === undefined || !(await this.isHeld(undefined, holder))) return false;
      Object.assign(leader, { age, until: clock.now() + length });
      return true;
    });
  }

  async takeBack(): Promise<boolean> {
    // No older copy comes in its place here.
    return false;
  }

  end(holder: Holder, age: number, length: number): Promise<void> {
    return this.link.read(async () => {
      const { leader, clock } = this.tables;
      if (leader === undefined || !(await this.isHeld(undefined, holder))) return;
      Object.assign(leader, { age, until: Math.min(leader.until, clock.now() + length) });
    });
  }

  host(): Promise<string | undefined> {
    return this.link.read(async () => this.tables.leader?.host);
  }
}

/** The row of a process, as it reaches it. */
export class SharedPresenceRow implements PresenceRow {
  constructor(
    private readonly link: Way,
    private readonly tables: SharedDatabase,
  ) {}

  renew({ id }: Replica, length: number): Promise<boolean> {
    return this.link.read(async () => {
      const { replicas, clock } = this.tables;
      const isNew = !replicas.has(id);
      replicas.set(id, clock.now() + length);
      return isNew;
    });
  }

  end(id: string, length: number): Promise<void> {
    return this.link.read(async () => {
      const { replicas, clock } = this.tables;
      const until = replicas.get(id);
      if (until !== undefined) replicas.set(id, Math.min(until, clock.now() + length));
    });
  }
}
