import { JournalError } from '../base/errors.js';
import type { Annotation } from './annotation.js';
import type { Journal, JournalQuery } from './journal.js';
import { Leases } from './leases.js';
import { claimOf, type Existing, isPrunable, takesKeyBack, withAttempt } from './order-claim.js';
import { FIND_LIMIT, matches, PRUNE_LIMIT } from './query.js';
import { type OperationRecord, originalIn, type RepeatRecord } from './record.js';

/** What a journal in memory has written. */
export class MemoryDisk {
  readonly operations = new Map<string, Stored>();
  /** The `operationId` that has a key, by environment and hash. */
  readonly keys = new Map<string, string>();
  readonly messages = new Map<string, string>();
  /** JSON texts by operation. */
  readonly said = new Map<string, string[]>();
  /** JSON texts by the id of a key. */
  readonly merchants = new Map<string, string>();
  sequence = 0;
}

/**
 * A journal for tests that behaves like a disk. It stores JSON text, so a test notices an object that the caller changes
 * after recording it. Every change goes through {@link MemoryJournal.commit}: no read shows it before that resolves, and a
 * crash loses it until then.
 */
export class MemoryJournal implements Journal {
  private readonly leases = new Leases();
  private life = 0;
  private closed = false;

  /**
   * @param clock of the journal's age, ms
   * @param disk what is durable; shared by several processes
   */
  constructor(
    private readonly clock: () => number = () => 0,
    private readonly disk = new MemoryDisk(),
  ) {}

  /**
   * Makes one change durable: calls `write` and resolves. A test overrides it to wait first, or to reject without calling
   * `write`. When the process has crashed in between, `write` throws.
   */
  protected async commit(write: () => void): Promise<void> {
    write();
  }

  /** Accepts the request of a door, in the same change that records what it asked for; see `Journal.record`. */
  protected accept(_id: string): void {
    // Where no other process has the journal, there is no door.
  }

  /** The process dies and another one opens the journal: leases are void, pending changes are lost. */
  crash(): void {
    this.life++;
    this.leases.clear();
    this.closed = false;
  }

  mayAct(): boolean {
    return true;
  }

  mayTellUnavailable(): boolean {
    return true;
  }

  async record(operation: OperationRecord): Promise<{ attempt: number } | Existing> {
    const text = JSON.stringify(operation);
    const { operationId, owner } = operation;
    const key = keyOf(operation);
    // As it was asked for: a write that takes longer does not come later.
    const sequence = ++this.disk.sequence;
    return this.change(() => {
      if (this.disk.operations.has(operationId))
        throw new JournalError(`operation ${operationId} is in the journal already`);
      const taken = key === undefined ? { attempt: 1 } : this.take(key, JSON.parse(text));
      if ('existing' in taken) return taken;
      if (operation.origin.asked) this.accept(operationId);
      const stored = key === undefined ? text : withAttempt(text, taken.attempt);
      this.disk.operations.set(operationId, { sequence, age: this.clock(), text: stored });
      this.leases.hold(operationId, owner);
      return taken;
    });
  }

  async advance(operation: OperationRecord): Promise<void> {
    const text = JSON.stringify(operation);
    const { operationId, closed } = operation;
    const key = takesKeyBack(operation) ? keyOf(operation) : undefined;
    await this.change(() => {
      const before = this.disk.operations.get(operationId);
      if (before === undefined) throw new JournalError(`operation ${operationId} is not in the journal`);
      this.disk.operations.set(operationId, { ...before, age: this.clock(), text });
      if (key !== undefined) this.disk.keys.set(key, operationId);
      if (closed) this.leases.forget(operationId);
    });
  }

  async holder(environment: string, hash: string): Promise<OperationRecord | undefined> {
    this.mustBeOpen();
    return this.holderOf(keyIn(environment, hash));
  }

  async recordRepeat(repeat: RepeatRecord): Promise<void> {
    const text = JSON.stringify(repeat);
    await this.change(() => {
      if (repeat.origin.asked && !this.disk.messages.has(repeat.id)) this.accept(repeat.id);
      this.disk.messages.set(repeat.id, text);
    });
  }

  async repeats(environment: string): Promise<RepeatRecord[]> {
    this.mustBeOpen();
    const all = [...this.disk.messages.values()].map((text): RepeatRecord => JSON.parse(text));
    return all.filter((repeat) => repeat.environment === environment).sort((a, b) => a.createdAt - b.createdAt);
  }

  async forgetRepeat({ id }: RepeatRecord): Promise<void> {
    await this.change(() => this.disk.messages.delete(id));
  }

  async annotate(operationId: string, annotation: Annotation): Promise<void> {
    const text = JSON.stringify(annotation);
    await this.change(() => {
      if (!this.disk.operations.has(operationId))
        throw new JournalError(`operation ${operationId} is not in the journal`);
      this.disk.said.set(operationId, [...(this.disk.said.get(operationId) ?? []), text]);
    });
  }

  async annotations(operationIds: readonly string[]): Promise<Map<string, Annotation[]>> {
    this.mustBeOpen();
    const found = new Map<string, Annotation[]>();
    for (const id of operationIds) {
      const said = this.disk.said.get(id)?.map((text): Annotation => JSON.parse(text));
      if (said !== undefined) found.set(id, said);
    }
    return found;
  }

  async merchantsOf(keyId: string): Promise<string[] | undefined> {
    this.mustBeOpen();
    const text = this.disk.merchants.get(keyId);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async noteMerchants(keyId: string, merchants: readonly string[]): Promise<void> {
    const text = JSON.stringify(merchants);
    await this.change(() => this.disk.merchants.set(keyId, text));
  }

  async find(query: JournalQuery, limit = FIND_LIMIT): Promise<OperationRecord[]> {
    // A record that matches has the id in its text. Skipping the others saves parsing them.
    const { until, ...ids } = { until: undefined, ...query };
    const words = Object.values(ids).map((id) => JSON.stringify(id));
    const found = this.all((text) => words.every((word) => text.includes(word)));
    const matching = found.filter((operation) => matches(query, operation));
    matching.sort((a, b) => ('environment' in query ? a.createdAt - b.createdAt : 0) || sequenceOf(a) - sequenceOf(b));
    return matching.reverse().slice(0, limit);
  }

  async open(environment: string): Promise<OperationRecord[]> {
    return this.allOpen().filter((operation) => operation.environment === environment);
  }

  async openIds(environment: string): Promise<string[]> {
    return (await this.open(environment)).map(({ operationId }) => operationId);
  }

  async environments(): Promise<string[]> {
    return [...new Set(this.all(() => true).map(({ environment }) => environment))];
  }

  async openEnvironments(): Promise<string[]> {
    return [...new Set(this.allOpen().map(({ environment }) => environment))];
  }

  async claim(operationId: string, owner: string, now: number): Promise<boolean> {
    return this.change(() => {
      const operation = this.disk.operations.get(operationId);
      return operation !== undefined && !parse(operation).closed && this.leases.claim(operationId, owner, now);
    });
  }

  async renew(owner: string, until: number): Promise<void> {
    await this.change(() => this.leases.renew(owner, until));
  }

  async release(owner: string): Promise<void> {
    await this.change(() => this.leases.release(owner));
  }

  async prune(keep: number, limit = PRUNE_LIMIT): Promise<number> {
    return this.change(() => {
      const ageOf = ({ age = 0 }: OperationRecord): number => age;
      const old = this.all().filter((operation) => isPrunable(operation) && ageOf(operation) < this.clock() - keep);
      let removed = 0;
      for (const operation of old.sort((a, b) => ageOf(a) - ageOf(b))) {
        if (removed >= limit) break;
        if (this.isNeeded(operation)) continue;
        this.forget(operation);
        removed++;
      }
      return removed;
    });
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  private async change<T>(write: () => T): Promise<T> {
    this.mustBeOpen();
    const life = this.life;
    const results: T[] = [];
    await this.commit(() => {
      if (life !== this.life) throw new JournalError('the process died before the change was durable');
      results.push(write());
    });
    return results[0] as T;
  }

  /** The key is the operation's from now on, or another one has it. */
  private take(key: string, operation: OperationRecord): { attempt: number } | Existing {
    const claim = claimOf(this.holderOf(key), operation);
    if ('attempt' in claim) this.disk.keys.set(key, operation.operationId);
    return claim;
  }

  private holderOf(key: string): OperationRecord | undefined {
    const stored = this.disk.operations.get(this.disk.keys.get(key) ?? '');
    return stored === undefined ? undefined : parse(stored);
  }

  /** Another record, or a message that waits, is not understood without it: see {@link Journal.prune}. */
  protected isNeeded(operation: OperationRecord): boolean {
    const { operationId } = operation;
    const repeats = [...this.disk.messages.values()].map((text): RepeatRecord => JSON.parse(text));
    if (repeats.some(({ first }) => first === operationId)) return true;
    const original = originalIn(operation);
    if (original === undefined) return false;
    const { sequence = 0 } = this.disk.operations.get(operationId) ?? {};
    const named = this.all((text) => text.includes(JSON.stringify(original)));
    return named.some(({ transactionId, sequence: at = 0 }) => transactionId === original && at < sequence);
  }

  protected forget(operation: OperationRecord): void {
    const key = keyOf(operation);
    this.disk.operations.delete(operation.operationId);
    this.disk.said.delete(operation.operationId);
    if (key !== undefined && this.disk.keys.get(key) === operation.operationId) this.disk.keys.delete(key);
  }

  /** The operations whose text passes `mayMatch`, in the order in which they were written first. */
  private allOpen(): OperationRecord[] {
    return this.all((text) => text.includes('"closed":false')).filter(({ closed }) => !closed);
  }

  private all(mayMatch: (text: string) => boolean = () => true): OperationRecord[] {
    this.mustBeOpen();
    return [...this.disk.operations.values()].filter(({ text }) => mayMatch(text)).map(parse);
  }

  private mustBeOpen(): void {
    if (this.closed) throw new JournalError('the journal is closed');
  }
}

interface Stored {
  sequence: number;
  age: number;
  /** JSON. */
  text: string;
}

function sequenceOf({ sequence = 0 }: OperationRecord): number {
  return sequence;
}

function keyOf({ environment, origin: { key } }: OperationRecord): string | undefined {
  return key && keyIn(environment, key.hash);
}

function keyIn(environment: string, hash: string): string {
  return `${hash} ${environment}`;
}

function parse({ sequence, age, text }: Stored): OperationRecord {
  return { ...JSON.parse(text), sequence, fence: 1, age };
}
