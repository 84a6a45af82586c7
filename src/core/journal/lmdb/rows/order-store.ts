import type { Key } from 'lmdb';
import { JournalError } from '../../../base/errors.js';
import { isUndone } from '../../../operation/delivery-state.js';
import { claimOf, type Existing } from '../../order-claim.js';
import type { OperationRecord } from '../../record.js';
import type { Databases } from '../file/databases.js';
import { sequenceIn, sequenceText } from './index-keys.js';
import type { Records } from './records.js';

/**
 * The keys of orders. Its writes belong into a transaction of the store. Where no message has a key, nothing is written here.
 *
 * `order-keys` has the sequence of the record that has a key, by environment and hash.
 */
export class OrderStore {
  constructor(
    private readonly databases: Pick<Databases, 'orderKeys'>,
    private readonly records: Records,
  ) {}

  /** @throws JournalError where a key leads to what is damaged: what it says of the order is not known */
  holder(environment: string, hash: string): OperationRecord | undefined {
    const sequence = this.sequenceOf([environment, hash]);
    if (sequence === undefined) return undefined;
    const operation = this.records.read(sequence);
    if (!hasKey(operation, environment, hash))
      throw new JournalError(
        `the key of an order leads to record ${sequence} of the journal, which has another: check the disk`,
      );
    return operation;
  }

  /** Whether an operation may have the key of its order, which {@link giveKey} then gives it. @throws JournalError */
  claim(operation: OperationRecord): { attempt: number } | Existing {
    const { environment, origin } = operation;
    return origin.key === undefined ? { attempt: 1 } : claimOf(this.holder(environment, origin.key.hash), operation);
  }

  /** The key of its order, where it has one, is the operation's from now on. */
  giveKey(operation: OperationRecord, sequence: number): void {
    const key = keyOf(operation);
    if (key !== undefined) this.databases.orderKeys.putSync(key, sequenceText(sequence));
  }

  /** @param operation as the journal gave it out */
  forget(operation: OperationRecord): void {
    const key = keyOf(operation);
    if (key !== undefined && this.sequenceOf(key) === operation.sequence) this.databases.orderKeys.removeSync(key);
  }

  /**
   * Whether the key of an operation's order was lost: nobody has it, or one that would let others have it, while this one
   * would not. A key that leads to a damaged record is not lost: it keeps everybody out.
   * @param operation as the journal gave it out
   */
  lacksKey(operation: OperationRecord): boolean {
    const found = this.foundBy(operation);
    if (found === 'itself') return false;
    return found === undefined || (isUndone(found.state) && !isUndone(operation.state));
  }

  /** Gives a lost key to an operation; of several that let others have it, to the latest. */
  mend(operation: OperationRecord, sequence: number): void {
    const found = this.foundBy(operation);
    if (found === 'itself') return;
    const isLater = found !== undefined && isUndone(found.state) && (found.sequence ?? 0) < sequence;
    if (isLater || this.lacksKey(operation)) this.giveKey(operation, sequence);
  }

  /** Keys that lead to no record that has them. */
  *idleKeys(): Iterable<string> {
    for (const { key, value } of this.databases.orderKeys.getRange()) {
      const operation = this.records.readOrReport(sequenceIn(value));
      const [environment, hash] = [key].flat();
      if (operation === undefined || !hasKey(operation, environment, hash)) yield [key].flat().join(' ');
    }
  }

  /**
   * What the key of an operation's order leads to: undefined where it was lost, `itself` also where it leads to a damaged
   * record.
   */
  private foundBy(operation: OperationRecord): OperationRecord | 'itself' | undefined {
    const key = keyOf(operation);
    if (key === undefined) return 'itself';
    const sequence = this.sequenceOf(key);
    if (sequence === undefined) return undefined;
    if (sequence === operation.sequence) return 'itself';
    const found = this.records.readOrReport(sequence);
    if (found === undefined) return 'itself';
    return hasKey(found, ...key) ? found : undefined;
  }

  private sequenceOf(key: Key[]): number | undefined {
    const text = this.databases.orderKeys.get(key);
    return text === undefined ? undefined : sequenceIn(text);
  }
}

function keyOf({ environment, origin }: OperationRecord): [environment: string, hash: string] | undefined {
  return origin.key && [environment, origin.key.hash];
}

function hasKey({ environment, origin }: OperationRecord, ofEnvironment: unknown, hash: unknown): boolean {
  return environment === ofEnvironment && origin.key?.hash === hash;
}
