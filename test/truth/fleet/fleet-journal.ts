import { JournalError } from '../../../src/core/base/errors.js';
import type { Annotation } from '../../../src/core/journal/annotation.js';
import {
  BEGUN,
  type DeliveryName,
  type Doors,
  type PostedDelivery,
  type Request,
  UncertainRequestError,
  type Watcher,
} from '../../../src/core/journal/doors.js';
import type { DoorJournal, Journal, JournalQuery } from '../../../src/core/journal/journal.js';
import { MemoryJournal } from '../../../src/core/journal/memory.js';
import type { Existing } from '../../../src/core/journal/order-claim.js';
import { UnknownEndError } from '../../../src/core/journal/postgres/connection/database.js';
import type { Notifier } from '../../../src/core/journal/postgres/doors/notifier.js';
import type { LeaderLease } from '../../../src/core/journal/postgres/lease/leader-lease.js';
import type { Presence } from '../../../src/core/journal/postgres/lease/presence.js';
import type { Writer } from '../../../src/core/journal/postgres/writer.js';
import type { OperationRecord, RepeatRecord } from '../../../src/core/journal/record.js';
import { DoorTables } from '../../harness/memory-doors.js';
import { acceptIn } from '../../harness/memory-fleet.js';
import type { Link } from './link.js';
import type { SharedDatabase } from './shared-database.js';

/** More than the time in which every process has noticed that the database is back, ms. */
const GRACE = 15_000;

/** A process among all that share the database. */
export interface Member {
  readonly database: SharedDatabase;
  readonly link: Link;
  readonly replica: { readonly id: string };
  readonly presence: Presence;
  readonly notifier: Notifier;
  readonly isClosed: boolean;
  onKeyNoted(keyId: string): void;
}

/** What the tables hold, with the rules of the journal in memory. */
class Tables extends MemoryJournal {
  constructor(
    private readonly tables: SharedDatabase,
    age: () => number,
  ) {
    super(age, tables.disk);
  }

  protected override accept(id: string): void {
    acceptIn(this.tables, id);
  }
}

/** What any process may read and say, as PostgreSQL lets it. */
export class FleetDoorJournal implements DoorJournal {
  readonly doors: Doors;
  protected readonly tables: Tables;
  protected isClosed = false;

  /** @param leave called once it is closed */
  constructor(
    protected readonly membership: Member,
    private readonly leave: () => Promise<void>,
    protected readonly writer?: Writer,
    age: () => number = () => 0,
  ) {
    this.tables = new Tables(membership.database, age);
    this.doors = new FleetDoors(membership, writer);
  }

  find(query: JournalQuery, limit?: number): Promise<OperationRecord[]> {
    return this.read(() => this.tables.find(query, limit));
  }

  holder(environment: string, hash: string): Promise<OperationRecord | undefined> {
    return this.read(() => this.tables.holder(environment, hash));
  }

  open(environment: string): Promise<OperationRecord[]> {
    return this.read(() => this.tables.open(environment));
  }

  environments(): Promise<string[]> {
    return this.read(() => this.tables.environments());
  }

  openEnvironments(): Promise<string[]> {
    return this.read(() => this.tables.openEnvironments());
  }

  openIds(environment: string): Promise<string[]> {
    return this.read(() => this.tables.openIds(environment));
  }

  repeats(environment: string): Promise<RepeatRecord[]> {
    return this.read(() => this.tables.repeats(environment));
  }

  annotations(operationIds: readonly string[]): Promise<Map<string, Annotation[]>> {
    return this.read(() => this.tables.annotations(operationIds));
  }

  merchantsOf(keyId: string): Promise<string[] | undefined> {
    return this.read(() => this.tables.merchantsOf(keyId));
  }

  async annotate(operationId: string, annotation: Annotation): Promise<void> {
    await this.write(() => this.tables.annotate(operationId, annotation));
  }

  async noteMerchants(keyId: string, merchants: readonly string[]): Promise<void> {
    await this.write(() => this.tables.noteMerchants(keyId, merchants));
    this.membership.onKeyNoted(keyId);
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await this.leave();
  }

  protected async read<T>(work: () => Promise<T>): Promise<T> {
    if (this.isClosed) throw new JournalError('the journal is closed');
    return this.membership.link.read(work);
  }

  protected async write<T>(write: () => Promise<T>): Promise<T> {
    if (this.writer !== undefined) return this.writer.change({ write });
    return this.membership.link.transaction(write);
  }
}

/** The journal in the process that leads. */
export class FleetJournal extends FleetDoorJournal implements Journal {
  declare protected readonly writer: Writer;

  constructor(
    membership: Member,
    writer: Writer,
    private readonly lease: LeaderLease,
    leave: () => Promise<void>,
  ) {
    super(membership, leave, writer, () => lease.age);
  }

  mayAct(): boolean {
    return !this.isClosed && this.lease.mayAct();
  }

  mayTellUnavailable(): boolean {
    return !this.isClosed && this.lease.mayTellUnavailable();
  }

  async record(operation: OperationRecord): Promise<{ attempt: number } | Existing> {
    const copy: OperationRecord = JSON.parse(JSON.stringify(operation));
    const { operationId } = copy;
    return this.change(
      () => this.tables.record(copy),
      async () => {
        const [found] = await this.tables.find({ operationId }, 1);
        return found && { attempt: found.attempt ?? 1 };
      },
    );
  }

  async advance(operation: OperationRecord): Promise<void> {
    const copy: OperationRecord = JSON.parse(JSON.stringify(operation));
    await this.change(() => this.tables.advance(copy));
  }

  async recordRepeat(repeat: RepeatRecord): Promise<void> {
    const copy: RepeatRecord = JSON.parse(JSON.stringify(repeat));
    await this.change(() => this.tables.recordRepeat(copy));
  }

  async forgetRepeat(repeat: RepeatRecord): Promise<void> {
    await this.change(() => this.tables.forgetRepeat(repeat));
  }

  claim(operationId: string, owner: string, now: number): Promise<boolean> {
    return this.read(() => this.tables.claim(operationId, owner, now));
  }

  unchangedFor(operationId: string): Promise<number | undefined> {
    return this.read(async () => this.membership.database.unchangedFor(operationId));
  }

  /** Leases of the engines of one process are that process's. */
  renew(owner: string, until: number): Promise<void> {
    return this.tables.renew(owner, until);
  }

  release(owner: string): Promise<void> {
    return this.tables.release(owner);
  }

  prune(keep: number, limit?: number): Promise<number> {
    return this.change(() => this.tables.prune(keep, limit));
  }

  override async close(): Promise<void> {
    await this.writer.close();
    await this.lease.release();
    await super.close();
  }

  private async change<T>(write: () => Promise<T>, written?: () => Promise<T | undefined>): Promise<T> {
    if (this.isClosed) throw new JournalError('the journal is closed');
    return this.writer.change({ write, ...(written && { written }), takesSteps: true });
  }
}

/** The doors, each call of which goes to the database as it does with PostgreSQL. */
class FleetDoors implements Doors {
  readonly replica: string;
  private readonly memory: DoorTables;

  constructor(
    private readonly membership: Member,
    private readonly writer: Writer | undefined,
  ) {
    const { database, notifier, replica } = membership;
    this.replica = replica.id;
    this.memory = new DoorTables({
      id: this.replica,
      get isJustBack() {
        return notifier.reachableFor < GRACE;
      },
      mustReach: () => undefined,
      fleet: database,
    });
  }

  get generation(): number {
    return this.membership.presence.generation;
  }

  mayTell(): boolean {
    return this.membership.presence.mayTell();
  }

  hint(replica: string, environment: string, text: string): void {
    this.membership.notifier.hint(replica, environment, text);
  }

  watch(environment: string, watcher: Watcher): () => void {
    return this.membership.notifier.watch(environment, watcher);
  }

  sweep(): Promise<void> {
    return this.read(() => this.memory.sweep());
  }

  readonly requests: Doors['requests'] = {
    ask: (request: Request, forMs: number) =>
      this.transaction(() => this.memory.requests.ask(request, forMs)).catch((error) => {
        throw error instanceof UnknownEndError ? new UncertainRequestError(error.message) : error;
      }),
    answers: (ids) => this.read(() => this.memory.requests.answers(ids)),
    withdraw: (id, environment) => this.read(() => this.memory.requests.withdraw(id, environment)),
    open: (environment) => this.read(() => this.memory.requests.open(environment)),
    begin: (id) => this.begin(id),
    answer: (id, answer) => this.change(() => this.memory.requests.answer(id, answer)),
  };

  readonly deliveries: Doors['deliveries'] = {
    post: (delivery: PostedDelivery) => this.change(() => this.memory.deliveries.post(delivery)),
    states: (names) => this.read(() => this.memory.deliveries.states(names)),
    untold: (environment, known) => this.read(() => this.memory.deliveries.untold(environment, known)),
    confirm: async (names: readonly DeliveryName[]) => {
      if (names.length > 0) await this.transaction(() => this.memory.deliveries.confirm(names));
    },
  };

  readonly inbox: Doors['inbox'] = {
    put: (environment, attemptId, body) => this.transaction(() => this.memory.inbox.put(environment, attemptId, body)),
    list: (environment, known) => this.read(() => this.memory.inbox.list(environment, known)),
    remove: (place) => this.change(() => this.memory.inbox.remove(place)),
  };

  private async begin(id: string): Promise<void> {
    if (this.writer === undefined) throw new JournalError('this process does not lead');
    const { requests } = this.memory;
    await this.writer.change({
      write: async () => {
        await requests.begin(id);
        return BEGUN;
      },
      written: async () => ((await requests.answers([id])).get(id) === BEGUN ? BEGUN : undefined),
      takesSteps: true,
    });
  }

  private async read<T>(work: () => Promise<T>): Promise<T> {
    this.mustBeOpen();
    return this.membership.link.read(work);
  }

  private async transaction<T>(work: () => Promise<T>): Promise<T> {
    this.mustBeOpen();
    return this.membership.link.transaction(work, true);
  }

  /** As with the connections to PostgreSQL. */
  private mustBeOpen(): void {
    if (this.membership.isClosed) throw new JournalError('the journal is closed');
  }

  private change<T>(write: () => Promise<T>): Promise<T> {
    if (this.writer === undefined) return Promise.reject(new JournalError('this process does not lead'));
    return this.writer.change({ write, takesSteps: true });
  }
}
