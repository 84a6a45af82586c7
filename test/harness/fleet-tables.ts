import { type InboxEntry, type PostedDelivery, REQUEST_KEPT, type Request } from '../../src/core/journal/doors.js';
import { MemoryDisk } from '../../src/core/journal/memory.js';
import type { VirtualClock } from './virtual-clock.js';

/** As PostgreSQL keeps what was dealt with, ms. */
const KEPT = 10 * 60_000;

export interface AskedRequest extends Request {
  replica: string | undefined;
  at: number;
  until: number;
  answer?: string;
}

export interface Row extends Omit<PostedDelivery, 'replica'> {
  replica: string | undefined;
  /** Epoch ms. */
  postedAt: number;
  toldAt?: number;
}

/** The tables of a database that several processes share, in memory. */
export abstract class FleetTables {
  readonly requests = new Map<string, AskedRequest>();
  readonly deliveries = new Map<string, Row>();
  readonly inbox: (InboxEntry & { environment: string })[] = [];
  /** When a process ends that is not heard of before, epoch ms. */
  readonly replicas = new Map<string, number>();

  constructor(
    readonly clock: VirtualClock,
    readonly disk = new MemoryDisk(),
  ) {}

  /** Tells every process that there is news. */
  abstract ring(): void;

  /** Whether an operation, or a message that repeats one, is recorded under this id. */
  isRecorded(id: string): boolean {
    return this.disk.operations.has(id) || this.disk.messages.has(id);
  }

  /** Counts those as dead that were not heard of for too long. */
  bury(): void {
    for (const [id, until] of this.replicas) if (until < this.clock.now()) this.end(id);
  }

  /** By the clock of the database that process has ended. */
  end(id: string): void {
    this.replicas.delete(id);
    for (const row of [...this.requests.values(), ...this.deliveries.values()]) {
      if (row.replica === id) row.replica = undefined;
    }
  }

  /** Forgets what was dealt with a while ago. */
  forgetOld(): void {
    const old = this.clock.now() - KEPT;
    const oldRequest = this.clock.now() - REQUEST_KEPT;
    for (const [id, { until }] of this.requests) if (until < oldRequest) this.requests.delete(id);
    for (const [key, { postedAt, toldAt = Number.POSITIVE_INFINITY, replica }] of this.deliveries) {
      if (postedAt < old && (toldAt < old || replica === undefined)) this.deliveries.delete(key);
    }
  }
}
