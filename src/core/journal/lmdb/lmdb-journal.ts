import { JournalError } from '../../base/errors.js';
import type { Annotation } from '../annotation.js';
import type { Journal, JournalQuery } from '../journal.js';
import { FIND_LIMIT, matches, PRUNE_LIMIT } from '../query.js';
import type { OperationRecord } from '../record.js';
import { closedRange, type IndexKey, indexKeys, openRange, queryRange } from './index-keys.js';
import type { Store } from './store.js';
import { poolStore } from './store-pool.js';

export { journalFolder } from './folder.js';

/**
 * Opens the journal of a folder, which belongs to one process at a time. Journals of the same folder share one store.
 * @throws JournalError where the folder cannot be used, where a version with another form wrote the file (it is left as it
 * is), and where the file is damaged (it is moved aside, never deleted)
 */
export async function openLmdbJournal(folder: string): Promise<Journal> {
  const { store, leave } = await poolStore(folder);
  return new LmdbJournal(store, leave);
}

class LmdbJournal implements Journal {
  private closed = false;

  constructor(
    private readonly store: Store,
    private readonly leave: () => Promise<void>,
  ) {}

  async record(operation: OperationRecord): Promise<void> {
    const { operations, leases } = this.use();
    const { operationId, owner } = operation;
    const text = JSON.stringify(operation);
    const added = indexKeys(operation);
    let isNew = false;
    try {
      await this.store.change(() => {
        if (operations.doesExist(operationId))
          throw new JournalError(`operation ${operationId} is in the journal already`);
        isNew = true;
        leases.hold(operationId, owner);
        operations.putSync(operationId, text);
        this.replaceKeys([], added);
        this.keepKeys(operation, added);
      });
    } catch (error) {
      if (isNew) this.forget(operationId);
      throw error;
    }
  }

  async advance(operation: OperationRecord): Promise<void> {
    const { operations, leases, keys } = this.use();
    const { operationId } = operation;
    const text = JSON.stringify(operation);
    const after = indexKeys(operation);
    try {
      await this.store.change(() => {
        const before = keys.get(operationId) ?? this.keysOf(operationId);
        operations.putSync(operationId, text);
        this.replaceKeys(before, after);
        this.keepKeys(operation, after);
      });
    } catch (error) {
      // Nothing was written, so the keys in memory may be wrong: the next change reads them from the store.
      keys.delete(operationId);
      throw error;
    }
    if (operation.closed) leases.forget(operationId);
  }

  async annotate(operationId: string, annotation: Annotation): Promise<void> {
    const { operations, annotations } = this.use();
    await this.store.change(() => {
      if (!operations.doesExist(operationId)) throw absent(operationId);
      annotations.add(operationId, annotation);
    });
  }

  async annotations(operationIds: readonly string[]): Promise<Map<string, Annotation[]>> {
    const { annotations } = this.use();
    const found = operationIds.map((id) => [id, annotations.of(id)] as const);
    return new Map(found.filter(([, said]) => said.length > 0));
  }

  async find(query: JournalQuery, limit = FIND_LIMIT): Promise<OperationRecord[]> {
    this.use();
    if ('operationId' in query) {
      const operation = this.read(query.operationId);
      return operation === undefined ? [] : [operation].slice(0, limit);
    }
    const { start, end } = queryRange(query);
    const found: OperationRecord[] = [];
    for (const key of this.store.index.getKeys({ start: end, end: start, reverse: true })) {
      if (found.length >= limit) break;
      const operation = this.readAt(key);
      if (operation !== undefined && matches(query, operation)) found.push(operation);
    }
    return found;
  }

  async open(environment: string): Promise<OperationRecord[]> {
    this.use();
    const keys = [...this.store.index.getKeys(openRange(environment))];
    const operations = keys.map((key) => this.readAt(key)).filter((operation) => operation !== undefined);
    return operations.filter((operation) => operation.environment === environment);
  }

  async claim(operationId: string, owner: string, now: number): Promise<boolean> {
    const { leases } = this.use();
    const operation = this.read(operationId);
    return operation !== undefined && !operation.closed && leases.claim(operationId, owner, now);
  }

  async renew(owner: string, until: number): Promise<void> {
    this.use().leases.renew(owner, until);
  }

  async release(owner: string): Promise<void> {
    this.use().leases.release(owner);
  }

  async prune(before: number, limit = PRUNE_LIMIT): Promise<number> {
    const { index, operations, annotations } = this.use();
    return this.store.change(() => {
      const doomed = [...index.getKeys({ ...closedRange(before), limit })].map((key) => this.readAt(key));
      for (const operation of doomed.filter((operation) => operation !== undefined)) {
        operations.removeSync(operation.operationId);
        annotations.remove(operation.operationId);
        this.replaceKeys(indexKeys(operation), []);
      }
      return doomed.length;
    });
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.leave();
  }

  private use(): Store {
    if (this.closed) throw new JournalError('the journal is closed');
    return this.store;
  }

  private read(operationId: string): OperationRecord | undefined {
    const text = this.store.operations.get(operationId);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** Every index key ends with the operation's id. */
  private readAt(key: unknown): OperationRecord | undefined {
    return this.read(String((key as IndexKey).at(-1)));
  }

  private keysOf(operationId: string): IndexKey[] {
    const before = this.read(operationId);
    if (before === undefined) throw absent(operationId);
    return indexKeys(before);
  }

  private keepKeys({ operationId, closed }: OperationRecord, keys: IndexKey[]): void {
    if (closed) this.store.keys.delete(operationId);
    else this.store.keys.set(operationId, keys);
  }

  private forget(operationId: string): void {
    this.store.leases.forget(operationId);
    this.store.keys.delete(operationId);
  }

  private replaceKeys(before: IndexKey[], after: IndexKey[]): void {
    const [had, has] = [byText(before), byText(after)];
    for (const [text, key] of had) if (!has.has(text)) this.store.index.removeSync(key);
    for (const [text, key] of has) if (!had.has(text)) this.store.index.putSync(key, '');
  }
}

function absent(operationId: string): JournalError {
  return new JournalError(`operation ${operationId} is not in the journal`);
}

function byText(keys: IndexKey[]): Map<string, IndexKey> {
  return new Map(keys.map((key) => [JSON.stringify(key), key]));
}
