import { JournalError } from '../base/errors.js';
import type { Journal, JournalQuery } from './journal.js';
import { Leases } from './leases.js';
import { FIND_LIMIT, matches, PRUNE_LIMIT } from './query.js';
import type { OperationRecord } from './record.js';

/**
 * A journal for tests that behaves like a disk. It stores JSON text, so a test notices an object that the caller changes
 * after recording it. Every change goes through {@link MemoryJournal.commit}: no read shows it before that resolves, and a
 * crash loses it until then.
 */
export class MemoryJournal implements Journal {
  private readonly operations = new Map<string, Stored>();
  private readonly leases = new Leases();
  private sequence = 0;
  private life = 0;
  private closed = false;

  /**
   * Makes one change durable: calls `write` and resolves. A test overrides it to wait first, or to reject without calling
   * `write`. When the process has crashed in between, `write` throws.
   */
  protected async commit(write: () => void): Promise<void> {
    write();
  }

  /** The process dies and another one opens the journal: leases are void, pending changes are lost. */
  crash(): void {
    this.life++;
    this.leases.clear();
    this.closed = false;
  }

  async record(operation: OperationRecord): Promise<void> {
    const text = JSON.stringify(operation);
    const { operationId, owner } = operation;
    await this.change(() => {
      if (this.operations.has(operationId))
        throw new JournalError(`operation ${operationId} is in the journal already`);
      this.operations.set(operationId, { sequence: ++this.sequence, text });
      this.leases.hold(operationId, owner);
    });
  }

  async advance(operation: OperationRecord): Promise<void> {
    const text = JSON.stringify(operation);
    const { operationId, closed } = operation;
    await this.change(() => {
      const before = this.operations.get(operationId);
      if (before === undefined) throw new JournalError(`operation ${operationId} is not in the journal`);
      this.operations.set(operationId, { ...before, text });
      if (closed) this.leases.forget(operationId);
    });
  }

  async find(query: JournalQuery, limit = FIND_LIMIT): Promise<OperationRecord[]> {
    // A record that matches has the id in its text. Skipping the others saves parsing them.
    const { until, ...ids } = { until: undefined, ...query };
    const words = Object.values(ids).map((id) => JSON.stringify(id));
    const found = this.all((text) => words.every((word) => text.includes(word)));
    const matching = found.filter((operation) => matches(query, operation));
    if ('environment' in query) matching.sort((a, b) => a.createdAt - b.createdAt);
    return matching.reverse().slice(0, limit);
  }

  async open(environment: string): Promise<OperationRecord[]> {
    const found = this.all((text) => text.includes('"closed":false'));
    return found.filter((operation) => !operation.closed && operation.environment === environment);
  }

  async openIds(environment: string): Promise<string[]> {
    return (await this.open(environment)).map(({ operationId }) => operationId);
  }

  async claim(operationId: string, owner: string, now: number): Promise<boolean> {
    let claimed = false;
    await this.change(() => {
      const operation = this.operations.get(operationId);
      if (operation === undefined || parse(operation).closed) return;
      claimed = this.leases.claim(operationId, owner, now);
    });
    return claimed;
  }

  async renew(owner: string, until: number): Promise<void> {
    await this.change(() => this.leases.renew(owner, until));
  }

  async release(owner: string): Promise<void> {
    await this.change(() => this.leases.release(owner));
  }

  async prune(before: number, limit = PRUNE_LIMIT): Promise<number> {
    let pruned = 0;
    await this.change(() => {
      const old = this.all().filter(({ closed, updatedAt }) => closed && updatedAt < before);
      const doomed = old.sort((a, b) => a.updatedAt - b.updatedAt).slice(0, limit);
      for (const { operationId } of doomed) this.operations.delete(operationId);
      pruned = doomed.length;
    });
    return pruned;
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  private async change(write: () => void): Promise<void> {
    this.mustBeOpen();
    const life = this.life;
    await this.commit(() => {
      if (life !== this.life) throw new JournalError('the process died before the change was durable');
      write();
    });
  }

  /** The operations whose text passes `mayMatch`, in the order of their sequence: a map keeps the order of its first entries. */
  private all(mayMatch: (text: string) => boolean = () => true): OperationRecord[] {
    this.mustBeOpen();
    return [...this.operations.values()].filter(({ text }) => mayMatch(text)).map(parse);
  }

  private mustBeOpen(): void {
    if (this.closed) throw new JournalError('the journal is closed');
  }
}

interface Stored {
  sequence: number;
  /** JSON. */
  text: string;
}

function parse({ sequence, text }: Stored): OperationRecord {
  return { ...JSON.parse(text), sequence, fence: 1 };
}
