import type { Clock, Timer } from '../../../src/core/base/seams.js';
import { MemoryDisk } from '../../../src/core/journal/memory.js';
import type { OperationRecord } from '../../../src/core/journal/record.js';
import { FleetTables } from '../../harness/fleet-tables.js';
import type { VirtualClock } from '../../harness/virtual-clock.js';
import type { Draw } from '../draw.js';
import { ENVIRONMENT } from '../world.js';

/** What takes how long until it is heard, ms. */
const NOTIFIED_WITHIN = 20;

/** Longer than a look takes, and the time until the next one, ms. */
const LOOKED_ON = 20_000;

/** The connection of a process on which it listens. */
interface Listening {
  readonly id: string;
  hear(payload: string): void;
}

interface LeaderState {
  owner: string;
  host: string;
  fence: number;
  /** When its process took it, epoch ms. */
  since: number;
  age: number;
  until: number;
}

/** The database that the processes of a fleet share: its tables, its clock, and one transaction after the other. */
export class SharedDatabase extends FleetTables {
  leader: LeaderState | undefined;
  /** Processes that have counted as dead. */
  readonly countedDead = new Set<string>();
  /** Nobody reaches it until then, world time. */
  awayUntil = 0;
  isSilent = false;
  /** When each operation was written last, by the clock of the database, epoch ms. */
  private readonly writtenAt = new Map<string, number>();
  private readonly links = new Set<Listening>();
  private changedAt = 0;
  private readonly resting = new Set<() => void>();
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
    /** Whether nothing is under way between the processes. */
    private readonly isIdle: () => boolean,
  ) {
    super(
      clock,
      new WatchedDisk((record) => {
        see(record);
        this.writtenAt.set(record.operationId, this.clock.now());
        this.wake();
      }),
    );
  }

  /** Runs one transaction, or one statement, which nobody else's comes between. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }

  unchangedFor(operationId: string): number | undefined {
    const at = this.writtenAt.get(operationId);
    return at === undefined ? undefined : this.clock.now() - at;
  }

  /** What is under way between the processes. */
  leftovers(): string[] {
    const now = this.clock.now();
    const asked = [...this.requests.values()].filter(({ answer, until, replica }) => !answer && replica && until > now);
    const untold = [...this.deliveries.values()].filter(
      ({ toldAt, replica }) => toldAt === undefined && replica !== undefined,
    );
    return [
      ...asked.map(({ kind, id }) => `the request ${kind} ${id} is left`),
      ...untold.map(({ message }) => `the result of ${message} is left at its door`),
      ...this.inbox.map(({ attemptId }) => `the callback of ${attemptId} is left`),
    ];
  }

  override end(id: string): void {
    this.countedDead.add(id);
    super.end(id);
  }

  connect(link: Listening): () => void {
    this.links.add(link);
    return () => this.links.delete(link);
  }

  /**
   * A clock for looks at the database. Where there can be no news since the last one, the next look waits for some, however
   * often the product would look in vain meanwhile: hours of it would take most of a run.
   */
  lookClock(clock: Clock): Clock {
    return {
      now: () => clock.now(),
      wall: () => clock.wall(),
      after: (ms, run) => {
        if (!this.isIdle() || this.clock.now() < this.changedAt + LOOKED_ON) return clock.after(ms, run);
        let timer: Timer | undefined;
        const dueAt = this.clock.now() + ms;
        const wake = (): void => {
          const missed = Math.max(0, this.clock.now() - dueAt);
          timer = clock.after(Math.max(0, dueAt - this.clock.now()) + (missed > 0 ? ms - (missed % ms) : 0), run);
        };
        this.resting.add(wake);
        return {
          cancel: () => {
            this.resting.delete(wake);
            timer?.cancel();
          },
        };
      },
    };
  }

  /** Something has changed, so that looks may find it. */
  wake(): void {
    this.changedAt = this.clock.now();
    for (const wake of this.resting) wake();
    this.resting.clear();
  }

  override ring(): void {
    this.wake();
    for (const link of this.links) this.publish(link, JSON.stringify({ to: link.id, environment: ENVIRONMENT }));
  }

  /** Every process that listens hears it, where it does not get lost. */
  notify(payload: string): void {
    for (const link of this.links) this.publish(link, payload);
  }

  private publish(link: Listening, payload: string): void {
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
