import type { Key } from 'lmdb';
import { JournalError } from '../../../base/errors.js';
import { isUndone } from '../../../operation/delivery-state.js';
import { claimOf, type Existing } from '../../order-claim.js';
import type { OperationRecord } from '../../record.js';
import type { Databases } from '../file/databases.js';
import { sequenceIn, sequenceText } from './index-keys.js';
import type { Records } from './records.js';

/** A row of `order-keys`. */
interface Row {
  key: Key[];
  value: string;
}

/**
 * The keys of orders. Its writes belong into a transaction of the store. Where no message has a key, nothing is written here.
 *
 * `order-keys` has the sequence of the record that has a key, by environment and hash.
 */
export class OrderStore {
  private isProven = false;

  constructor(
    private readonly databases: Pick<Databases, 'orderKeys'>,
    private readonly records: Records,
  ) {}

  /** All records were looked at, and their keys are there: from now on a key without a row is free. */
  proven(): void {
    this.isProven = true;
  }

  /**
   * @throws JournalError where a key leads to what is damaged, or may have lost its row: what it says of the order is not
   * known
   */
  holder(environment: string, hash: string): OperationRecord | undefined {
    const sequence = this.sequenceOf([environment, hash]) ?? this.sequenceBeside([environment, hash]);
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

  /**
   * The record that has a key whose row has another key by now, because a bit of it has flipped. Such a row still lies where
   * the key would be put: it is one of the two rows beside that place. For the same reason nothing is put beside it before it
   * is mended. Only until all records were looked at.
   * @throws JournalError where a row beside that place is damaged in another way
   */
  private sequenceBeside(key: [environment: string, hash: string]): number | undefined {
    if (this.isProven) return undefined;
    for (const row of this.rowsBeside(key)) {
      if (this.isSound(row)) continue;
      const operation = this.records.readOrReport(sequenceIn(row.value));
      const own = operation && keyOf(operation);
      if (operation === undefined || own === undefined || this.sequenceOf(own) !== undefined) continue;
      if (!hasKey(operation, ...key)) throw keysDamaged();
      return operation.sequence;
    }
    return undefined;
  }

  /** @param key one without a row */
  private rowsBeside(key: [environment: string, hash: string]): Row[] {
    const before = this.rowFrom(key, true);
    const behind = this.rowFrom(key, false);
    // A damaged key of a page further up leads to the wrong place.
    const isPlace = isInOrder(before?.key, key) && isInOrder(key, behind?.key);
    if (!isPlace) throw keysDamaged();
    return [before, behind].filter((row) => row !== undefined);
  }

  /** Whether a row leads to a record that names its key. Costs less than reading the record. */
  private isSound({ key, value }: Row): boolean {
    return isKey(key) && this.records.mentions(sequenceIn(value), key);
  }

  /** @throws JournalError where its key is damaged so that LMDB cannot read it */
  private rowFrom(start: Key[], reverse: boolean): Row | undefined {
    try {
      const [row] = this.databases.orderKeys.getRange({ start, reverse, limit: 1 });
      return row;
    } catch (error) {
      throw keysDamaged(error);
    }
  }

  private sequenceOf(key: Key[]): number | undefined {
    const text = this.databases.orderKeys.get(key);
    return text === undefined ? undefined : sequenceIn(text);
  }
}

function keysDamaged(cause?: unknown): JournalError {
  return new JournalError(
    'the keys of orders are damaged in the journal, so it is not known whether this order was sent before. Nothing was sent: ' +
      'send it again in some minutes, when the journal was checked and mended',
    { cause },
  );
}

/** Whether one key comes before another one, in the order of their bytes. What is no key says nothing. */
function isInOrder(one: Key[] | undefined, other: Key[] | undefined): boolean {
  const [before, behind] = [one, other].map((key) => (isKey(key) ? Buffer.from(key.join('\0')) : undefined));
  return before === undefined || behind === undefined || before.compare(behind) < 0;
}

function isKey(key: unknown): key is string[] {
  return Array.isArray(key) && key.length === 2 && key.every((part) => typeof part === 'string');
}

function keyOf({ environment, origin }: OperationRecord): [environment: string, hash: string] | undefined {
  return origin.key && [environment, origin.key.hash];
}

function hasKey({ environment, origin }: OperationRecord, ofEnvironment: unknown, hash: unknown): boolean {
  return environment === ofEnvironment && origin.key?.hash === hash;
}
