import type { Database, Key, RootDatabase } from 'lmdb';
import { claimOf, type Existing } from '../order-claim.js';
import type { OperationRecord, RepeatRecord } from '../record.js';

/**
 * The keys of orders, and the messages that repeat one. Its writes belong into a transaction of the store. Where no message
 * has a key, nothing is written here.
 */
export class OrderStore {
  /** `operationId` by environment and hash. */
  private readonly keys: Database<string, Key[]>;
  /** JSON text by environment, time and id. */
  private readonly messages: Database<string, Key[]>;

  /** @param read a record by its `operationId` */
  constructor(
    root: RootDatabase<string, Key>,
    private readonly read: (operationId: string) => OperationRecord | undefined,
  ) {
    this.keys = root.openDB({ name: 'order-keys', encoding: 'string' });
    this.messages = root.openDB({ name: 'repeats', encoding: 'string' });
  }

  holder(environment: string, hash: string): OperationRecord | undefined {
    const operationId = this.keys.get([environment, hash]);
    return operationId === undefined ? undefined : this.read(operationId);
  }

  /** The key of an order is the operation's from now on, or another one has it. */
  take(operation: OperationRecord): { attempt: number } | Existing {
    const { environment, origin, operationId } = operation;
    if (origin.key === undefined) return { attempt: 1 };
    const claim = claimOf(this.holder(environment, origin.key.hash), operation);
    if ('attempt' in claim) this.keys.putSync([environment, origin.key.hash], operationId);
    return claim;
  }

  takeBack({ environment, origin, operationId }: OperationRecord): void {
    if (origin.key !== undefined) this.keys.putSync([environment, origin.key.hash], operationId);
  }

  forget({ environment, origin, operationId }: OperationRecord): void {
    const key = origin.key && [environment, origin.key.hash];
    if (key !== undefined && this.keys.get(key) === operationId) this.keys.removeSync(key);
  }

  putRepeat(repeat: RepeatRecord): void {
    this.messages.putSync(repeatKey(repeat), JSON.stringify(repeat));
  }

  removeRepeat(repeat: RepeatRecord): void {
    this.messages.removeSync(repeatKey(repeat));
  }

  /** Oldest first. */
  repeats(environment: string): RepeatRecord[] {
    const range = this.messages.getRange({ start: [environment], end: [environment, Number.POSITIVE_INFINITY] });
    return [...range].map(({ value }) => JSON.parse(value));
  }
}

function repeatKey({ environment, createdAt, id }: RepeatRecord): Key[] {
  return [environment, createdAt, id];
}
