import type { OperationRecord } from '../../../src/core/journal/record.js';
import { MemoryDisk } from '../../../src/core/journal/memory.js';
import type { Holder, LeaderRow, Replica } from '../../../src/core/journal/postgres/leader-row.js';
import type { ReplicaRow } from '../../../src/core/journal/postgres/doors/replica-lease.js';
import { FleetTables } from '../../harness/fleet-tables.js';
import type { VirtualClock } from '../../harness/virtual-clock.js';
import type { Draw } from '../draw.js';
import { ENVIRONMENT } from '../world.js';
import type { Link } from './link.js';

/** What takes how long until it is heard, ms. */
const NOTIFIED_WITHIN = 20;

interface LeaderState {
  owner: string;
  host: string;
  fence: number;
  age: number;
  until: number;
}

/** The database that the processes of a fleet share: its tables, its clock, and one transaction after the other. */
export class SharedDatabase extends FleetTables {
  leader: LeaderState | undefined;
  /** Nobody reaches it until then, world time. */
  awayUntil = 0;
  isSilent = false;
  private readonly links = new Set<Link>();
  private turn: Promise<unknown> = Promise.resolve();

  /**
   * @param see called with every record as it becomes durable
   * @param lost how likely a notification is lost
   */
  constructor(
    clock: VirtualClock,
    see: (record: OperationRecord) => void,
    private readonly draw: Draw,
    private readonly lost: number,
    private readonly onLost: () => void,
  ) {
    super(clock, new WatchedDisk(see));
  }

  /** Runs one transaction, or one statement, which nobody else's comes between. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }

  connect(link: Link): () => void {
    this.links.add(link);
    return () => this.links.delete(link);
  }

  override ring(): void {
    for (const link of this.links) this.publish(link, JSON.stringify({ to: link.id, environment: ENVIRONMENT }));
  }

  /** Every process that listens hears it, where it does not get lost. */
  notify(payload: string): void {
    for (const link of this.links) this.publish(link, payload);
  }

  private publish(link: Link, payload: string): void {
    if (this.lost > 0 && this.draw.chance(this.lost)) {
      this.onLost();
      return;
    }
    this.clock.after(this.draw.int(0, NOTIFIED_WITHIN), () => link.hear(payload));
  }
}

/** Shows every record as it becomes durable, whoever wrote it, and whatever the writer heard of that. */
class WatchedDisk extends MemoryDisk {
  constructor(see: (record: OperationRecord) => void) {
    super();
    const { operations } = this;
    const set = operations.set.bind(operations);
    operations.set = (id, stored) => {
      set(id, stored);
      see({ ...JSON.parse(stored.text), sequence: stored.sequence });
      return operations;
    };
  }
}

/** The row that says who leads, as a process reaches it. */
export class SharedLeaderRow implements LeaderRow {
  readonly place = 'memory';

  constructor(
    private readonly link: Link,
    private readonly tables: SharedDatabase,
  ) {}

  take({ id, host }: Replica, length: number): Promise<{ fence: number; age: number } | undefined> {
    return this.link.read(async () => {
      const { leader: held, clock } = this.tables;
      if (held !== undefined && held.owner !== id && held.until >= clock.now()) return undefined;
      const fence = held === undefined ? 1 : held.fence + (held.owner === id ? 0 : 1);
      const age = held?.age ?? 0;
      this.tables.leader = { owner: id, host, fence, age, until: clock.now() + length };
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
export class SharedReplicaRow implements ReplicaRow {
  constructor(
    private readonly link: Link,
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
