import { JournalError } from '../../src/core/base/errors.js';
import {
  ACCEPTED,
  BEGUN,
  type DeliveryName,
  type Doors,
  type InboxEntry,
  type OpenRequest,
  type PostedDelivery,
  type PostedState,
  type Request,
  RequestGoneError,
  type UntoldDelivery,
  type Watcher,
} from '../../src/core/journal/doors.js';
import type { FleetTables, Row } from './fleet-tables.js';

const WITHDRAWN = 'withdrawn';
/** Results at once. */
const MOST = 100;

/** A process that reaches the tables. */
export interface TableUser {
  readonly id: string;
  /** The database was away until a moment ago, so that the others may not have come back yet. */
  readonly isJustBack: boolean;
  /** @throws JournalError where it does not */
  mustReach(): void;
  readonly fleet: FleetTables;
}

/** One process of a fleet, and what all of them share. */
export interface FleetProcess extends TableUser {
  readonly isCut: boolean;
  readonly generation: number;
  mayTell(): boolean;
  watch(watcher: Watcher): () => void;
  hear(text: string): void;
  readonly fleet: FleetTables & { readonly members: ReadonlySet<FleetProcess> };
}

/** What a process does to the tables of the doors. */
export class DoorTables {
  constructor(protected readonly own: TableUser) {}

  async sweep(): Promise<void> {
    this.own.mustReach();
    if (!this.own.isJustBack) this.own.fleet.bury();
    this.own.fleet.forgetOld();
  }

  readonly requests = {
    ask: async (request: Request, forMs: number): Promise<void> => {
      const { fleet, id } = this.reached();
      if (!fleet.replicas.has(id)) throw new JournalError('this process counts as dead');
      if (fleet.requests.has(request.id)) throw new JournalError('its place is taken');
      const at = fleet.clock.now();
      fleet.requests.set(request.id, { ...request, replica: id, at, until: at + forMs });
      fleet.ring();
    },
    answers: async (ids: readonly string[]): Promise<Map<string, string>> => {
      const { fleet } = this.reached();
      return new Map(
        ids.flatMap((id) => {
          const answer = fleet.requests.get(id)?.answer;
          return answer === undefined || answer === WITHDRAWN ? [] : [[id, answer] as const];
        }),
      );
    },
    withdraw: async (id: string, environment: string): Promise<string | undefined> => {
      const { fleet } = this.reached();
      const { answer } = fleet.requests.get(id) ?? {};
      if (answer !== undefined) return answer === WITHDRAWN ? undefined : answer;
      // Its request is forgotten after a while.
      if (!fleet.requests.has(id) && fleet.isRecorded(id)) return ACCEPTED;
      const now = fleet.clock.now();
      const withdrawn = { id, environment, kind: 'order' as const, body: '', at: now, until: now, answer: WITHDRAWN };
      fleet.requests.set(id, { ...withdrawn, replica: undefined });
      return undefined;
    },
    open: async (environment: string): Promise<OpenRequest[]> => {
      const { fleet } = this.reached();
      const now = fleet.clock.now();
      return [...fleet.requests.values()]
        .filter((one) => one.environment === environment && one.answer === undefined)
        .filter((one) => one.replica !== undefined && one.until > now)
        .map((one) => ({ ...one, waitedMs: now - one.at }));
    },
    begin: async (id: string): Promise<void> => {
      const { fleet } = this.reached();
      const request = fleet.requests.get(id);
      const isOpen = request?.answer === undefined && request?.replica !== undefined;
      if (!isOpen || request.until <= fleet.clock.now()) throw new RequestGoneError('taken back');
      request.answer = BEGUN;
    },
    answer: async (id: string, answer: string): Promise<void> => {
      const { fleet } = this.reached();
      const request = fleet.requests.get(id);
      if (request !== undefined && (request.answer ?? BEGUN) === BEGUN) request.answer = answer;
      fleet.ring();
    },
  };

  readonly deliveries = {
    post: async (delivery: PostedDelivery): Promise<PostedState> => {
      const { fleet } = this.reached();
      const key = keyOf(delivery);
      const row = fleet.deliveries.get(key);
      if (row === undefined && !fleet.replicas.has(delivery.replica)) return 'gone';
      const isReplaced = row?.replica === delivery.replica && row.toldAt === undefined && row.key !== delivery.key;
      if (isReplaced) Object.assign(row, delivery);
      if (row === undefined) fleet.deliveries.set(key, { ...delivery, postedAt: fleet.clock.now() });
      if (row === undefined || isReplaced) fleet.ring();
      return stateOf(fleet.deliveries.get(key));
    },
    states: async (names: readonly DeliveryName[]): Promise<PostedState[]> => {
      const { fleet } = this.reached();
      return names.map((name) => stateOf(fleet.deliveries.get(keyOf(name))));
    },
    untold: async (environment: string, known: readonly DeliveryName[]): Promise<UntoldDelivery[]> => {
      const { fleet, id } = this.reached();
      const names = new Set(known.map(keyOf));
      return [...fleet.deliveries.values()]
        .filter((row) => row.environment === environment && row.replica === id && row.toldAt === undefined)
        .filter((row) => !names.has(keyOf(row)))
        .slice(0, MOST)
        .map((row) => ({ ...row, replica: id }));
    },
    confirm: async (names: readonly DeliveryName[]): Promise<void> => {
      const { fleet, id } = this.reached();
      for (const name of names) {
        const row = fleet.deliveries.get(keyOf(name));
        if (row?.replica === id) row.toldAt ??= fleet.clock.now();
      }
      if (names.length > 0) fleet.ring();
    },
  };

  readonly inbox = {
    put: async (environment: string, attemptId: string, body: string): Promise<void> => {
      const { fleet } = this.reached();
      const place = (fleet.inbox.at(-1)?.place ?? 0) + 1;
      fleet.inbox.push({ place, environment, attemptId, body });
      fleet.ring();
    },
    list: async (environment: string, known: readonly number[]): Promise<InboxEntry[]> =>
      this.reached().fleet.inbox.filter((entry) => entry.environment === environment && !known.includes(entry.place)),
    remove: async (place: number): Promise<void> => {
      const { inbox } = this.reached().fleet;
      const at = inbox.findIndex((entry) => entry.place === place);
      if (at >= 0) inbox.splice(at, 1);
    },
  };

  private reached(): TableUser {
    this.own.mustReach();
    return this.own;
  }
}

/** The doors of a fleet in memory, as one of its processes sees them. */
export class MemoryDoors extends DoorTables implements Doors {
  constructor(protected override readonly own: FleetProcess) {
    super(own);
  }

  get replica(): string {
    return this.own.id;
  }

  get generation(): number {
    return this.own.generation;
  }

  mayTell(): boolean {
    return this.own.mayTell();
  }

  watch(_environment: string, watcher: Watcher): () => void {
    return this.own.watch(watcher);
  }

  hint(replica: string, _environment: string, text: string): void {
    for (const member of this.own.fleet.members) if (member.id === replica && !member.isCut) member.hear(text);
  }
}

function keyOf({ message, sequence }: DeliveryName): string {
  return `${message} ${sequence}`;
}

function stateOf(row: Row | undefined): PostedState {
  if (row === undefined) return 'gone';
  if (row.toldAt !== undefined) return 'told';
  return row.replica === undefined ? 'perhaps-told' : 'waiting';
}
