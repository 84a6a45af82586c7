import { systemClock } from '../../../platform/system-clock.js';
import { isPrunable } from '../../order-claim.js';
import { type OperationRecord, originalIn } from '../../record.js';
import type { Databases } from '../file/databases.js';
import { closedRange, indexKeys, isClosedKey, queryRange, sequenceIn, sequenceText } from './index-keys.js';
import { bytesOf, jsonOf } from './record-bytes.js';
import { READ_AT_ONCE, type Records } from './records.js';

/** How long one pruning removes records, ms. */
const PRUNED_FOR = 3;

/** The records that a journal has kept long enough. Its writes belong into a transaction of the store. */
export class OldRecords {
  constructor(
    private readonly databases: Pick<Databases, 'records' | 'index'>,
    private readonly records: Records,
    /** Whether a message waits for what became of an operation. */
    private readonly isAwaited: (operationId: string) => boolean,
  ) {}

  /**
   * Removes closed operations last changed longer ago than `keep` (ms), the oldest first. Returns how many: fewer than there
   * are where the disk is slow, because others wait. What another record or a message needs is put back for later, so that it
   * does not stand before the others.
   * @param forget called with each operation that is removed
   */
  remove(keep: number, limit: number, forget: (operation: OperationRecord) => void): number {
    this.records.saveAge();
    const end = systemClock.now() + PRUNED_FOR;
    let removed = 0;
    let putBack = 0;
    for (const key of this.doomed(this.records.now() - keep)) {
      if (removed >= limit || (removed + putBack > 0 && systemClock.now() > end)) break;
      const done = this.removeBy(key, forget);
      if (done === 'removed') removed++;
      else if (done === 'put back') putBack++;
    }
    return removed;
  }

  /** Keys of what can be pruned, oldest first. A damaged key may not be what lies in the file, so it cannot be removed. */
  private doomed(before: number): string[] {
    const found: string[] = [];
    for (const key of this.databases.index.getKeys(closedRange(before))) {
      if (isClosedKey(key)) found.push(key);
      if (found.length >= READ_AT_ONCE) break;
    }
    return found;
  }

  /** Removes a key, and the operation that it leads to where that is sound and has it and nothing needs it. */
  private removeBy(key: string, forget: (operation: OperationRecord) => void): 'removed' | 'put back' | 'damaged' {
    const { records, index } = this.databases;
    const sequence = sequenceIn(key);
    const operation = this.records.readOrReport(sequence);
    const keys = operation === undefined ? [] : indexKeys(operation, sequence);
    // A damaged record stays for a person to look at; so does one whose key is damaged.
    if (operation === undefined || !keys.includes(key)) {
      index.removeSync(key);
      return 'damaged';
    }
    const needed = this.neededUntil(operation, sequence);
    if (needed !== undefined) {
      this.putBack(operation, sequence, needed);
      return 'put back';
    }
    records.removeSync(sequenceText(sequence));
    forget(operation);
    this.records.forget(operation.operationId);
    for (const one of keys) index.removeSync(one);
    return 'removed';
  }

  /** The age, ms, at which an operation is looked at again; undefined where nothing needs it. */
  private neededUntil({ operationId, age = 0, ...operation }: OperationRecord, sequence: number): number | undefined {
    if (this.isAwaited(operationId)) return this.records.now();
    const originalId = originalIn(operation);
    if (originalId === undefined) return undefined;
    for (const key of this.databases.index.getKeys(queryRange({ transactionId: originalId }))) {
      const at = sequenceIn(key);
      // What comes later is no original: two that name each other would stay for ever.
      if (at >= sequence || !this.databases.records.doesExist(sequenceText(at))) continue;
      const original = this.records.readOrReport(at);
      // It goes right behind its original, where that goes at all.
      const goesAt = original !== undefined && isPrunable(original) ? (original.age ?? 0) : 0;
      return goesAt > age ? goesAt : this.records.now();
    }
    return undefined;
  }

  private putBack(operation: OperationRecord, sequence: number, age: number): void {
    const { records, index } = this.databases;
    records.putSync(sequenceText(sequence), bytesOf(sequence, age, jsonOf(operation), operation.closed));
    const after = indexKeys(operation, sequence, age);
    for (const key of indexKeys(operation, sequence)) if (!after.includes(key)) index.removeSync(key);
    for (const key of after) index.putSync(key, '');
  }
}
