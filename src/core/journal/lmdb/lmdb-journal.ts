import { JournalError } from '../../base/errors.js';
import { systemClock } from '../../platform/system-clock.js';
import type { Annotation } from '../annotation.js';
import type { Journal, JournalQuery } from '../journal.js';
import { type Existing, takesKeyBack, withAttempt } from '../order-claim.js';
import { FIND_LIMIT, matches, PRUNE_LIMIT } from '../query.js';
import type { ReceiptStore } from '../receipt-store.js';
import type { OperationRecord, RepeatRecord } from '../record.js';
import { isIndexed } from './rows/index-keys.js';
import { jsonOf, recordIn } from './rows/record-bytes.js';
import type { Records } from './rows/records.js';
import type { Report, Store } from './store.js';
import { poolStore } from './store-pool.js';

/**
 * Opens the journal of a folder, which belongs to one process at a time. Journals of the same folder share one store.
 * @throws JournalError where the folder cannot be used, where a version with another form wrote the file (it is left as it
 * is), and where the file is damaged (it is moved aside, never deleted) or gone
 * @param report hears of damage that is found while the journal is in use
 * @param clock for the journal's age, ms: passes evenly. That of the first to open the folder counts.
 */
export async function openLmdbJournal(
  folder: string,
  report: Report = () => undefined,
  clock = systemClock.now,
): Promise<Journal> {
  const { store, leave } = await poolStore(folder, clock);
  const stopHearing = store.hear(report);
  return new LmdbJournal(store, async () => {
    stopHearing();
    await leave();
  });
}

class LmdbJournal implements Journal {
  readonly receipts: ReceiptStore = {
    keep: async (operationId, sealed, keep) => {
      const { records, receipts } = this.use();
      await this.store.change(() => {
        mustKnow(records, operationId);
        receipts.put(operationId, sealed, records.now() + keep);
      });
    },
    find: async (operationId) => this.use().receipts.of(operationId),
    prune: async (limit = PRUNE_LIMIT) => {
      const { records, receipts } = this.use();
      return this.store.change(() => receipts.removeUntil(records.now(), limit));
    },
  };

  private closed = false;

  constructor(
    private readonly store: Store,
    private readonly leave: () => Promise<void>,
  ) {}

  get place(): object {
    return this.store;
  }

  mayAct(): boolean {
    return true;
  }

  mayTellUnavailable(): boolean {
    return true;
  }

  async record(operation: OperationRecord): Promise<{ attempt: number } | Existing> {
    const { leases, records, orders } = this.use();
    const { operationId, owner, origin } = operation;
    const json = jsonOf(operation);
    // Within a transaction LMDB would make a new cursor for it.
    let isThere = records.locate(operationId) !== undefined;
    let isNew = false;
    try {
      return await this.store.change(() => {
        isThere ||= records.isInMind(operationId);
        if (isThere) throw new JournalError(`operation ${operationId} is in the journal already`);
        const hasKey = origin.key !== undefined;
        const taken = hasKey ? orders.claim(JSON.parse(json.join(''))) : { attempt: 1 };
        if ('existing' in taken) return taken;
        isNew = true;
        leases.hold(operationId, owner);
        const sequence = records.add(operation, hasKey ? [withAttempt(json.join(''), taken.attempt)] : json);
        orders.giveKey(operation, sequence);
        return taken;
      });
    } catch (error) {
      if (isNew) {
        leases.forget(operationId);
        records.forget(operationId);
      }
      throw error;
    }
  }

  async advance(operation: OperationRecord): Promise<void> {
    const { leases, records, orders } = this.use();
    const { operationId } = operation;
    const json = jsonOf(operation);
    const closesKey = takesKeyBack(operation);
    try {
      await this.store.change(() => {
        const sequence = records.replace(operation, json);
        if (closesKey) orders.giveKey(operation, sequence);
      });
    } catch (error) {
      // Nothing was written, so what is kept in memory may be wrong: the next change reads it from the store.
      records.forget(operationId);
      throw error;
    }
    if (operation.closed) leases.forget(operationId);
  }

  async holder(environment: string, hash: string): Promise<OperationRecord | undefined> {
    return this.use().orders.holder(environment, hash);
  }

  async recordRepeat(repeat: RepeatRecord): Promise<void> {
    const { repeats } = this.use();
    await this.store.change(() => repeats.put(repeat));
  }

  async repeats(environment: string): Promise<RepeatRecord[]> {
    return this.use().repeats.of(environment);
  }

  async forgetRepeat(repeat: RepeatRecord): Promise<void> {
    const { repeats } = this.use();
    await this.store.change(() => repeats.remove(repeat));
    repeats.noteRemoved(repeat);
  }

  async annotate(operationId: string, annotation: Annotation): Promise<void> {
    const { records, annotations } = this.use();
    await this.store.change(() => {
      mustKnow(records, operationId);
      annotations.add(operationId, annotation);
    });
  }

  async annotations(operationIds: readonly string[]): Promise<Map<string, Annotation[]>> {
    const { annotations } = this.use();
    const found = operationIds.map((id) => [id, annotations.of(id)] as const);
    return new Map(found.filter(([, said]) => said.length > 0));
  }

  async merchantsOf(keyId: string): Promise<string[] | undefined> {
    return this.use().merchants.of(keyId);
  }

  async noteMerchants(keyId: string, merchants: readonly string[]): Promise<void> {
    const rows = this.use().merchants;
    await this.store.change(() => rows.put(keyId, merchants));
  }

  async find(query: JournalQuery, limit = FIND_LIMIT): Promise<OperationRecord[]> {
    const { records } = this.use();
    if (!isIndexed(query)) return records.scan(query, limit);
    const found: OperationRecord[] = [];
    // A damaged key leads to its record beside the one that replaced it.
    const seen = new Set<number>();
    for (const sequence of records.candidates(query)) {
      if (found.length >= limit) break;
      if (seen.has(sequence)) continue;
      seen.add(sequence);
      const operation = 'environment' in query ? records.readOrReport(sequence) : records.read(sequence);
      if (operation === undefined || !matches(query, operation)) continue;
      if ('operationId' in query) records.keepInMind(operation, sequence);
      found.push(operation);
    }
    return found;
  }

  async open(environment: string): Promise<OperationRecord[]> {
    const { records } = this.use();
    return records.ofOpen(environment, recordIn);
  }

  async openIds(environment: string): Promise<string[]> {
    return this.use().records.ofOpen(environment, (_bytes, operationId) => operationId);
  }

  async environments(): Promise<string[]> {
    return this.use().records.environments();
  }

  async openEnvironments(): Promise<string[]> {
    return this.use().records.openEnvironments();
  }

  async claim(operationId: string, owner: string, now: number): Promise<boolean> {
    const { leases, records } = this.use();
    return records.isOpen(operationId) && leases.claim(operationId, owner, now);
  }

  async renew(owner: string, until: number): Promise<void> {
    this.use().leases.renew(owner, until);
  }

  async release(owner: string): Promise<void> {
    this.use().leases.release(owner);
  }

  async prune(keep: number, limit = PRUNE_LIMIT): Promise<number> {
    const { old, orders, annotations, receipts } = this.use();
    return this.store.change(() =>
      old.remove(keep, limit, (operation) => {
        orders.forget(operation);
        annotations.remove(operation.operationId);
        receipts.remove(operation.operationId);
      }),
    );
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.leave();
  }

  private use(): Store {
    if (this.closed) throw new JournalError('the journal is closed');
    this.store.mustAnswer();
    return this.store;
  }
}

/** @throws JournalError */
function mustKnow(records: Records, operationId: string): void {
  if (records.locate(operationId) === undefined)
    throw new JournalError(`operation ${operationId} is not in the journal`);
}
