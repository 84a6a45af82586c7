import type { OperationRecord } from '../record.js';

/** Orders that are remembered, the latest. A client that got no response sends its order again within minutes. */
const MOST = 1000;

/**
 * The orders with an idempotency key that this process has written lately, as it wrote them last. A database that goes on from an
 * older copy may have lost them: their keys look free, and whoever sends such an order again would be charged again.
 */
export class RecentOrders {
  private readonly byKey = new Map<string, OperationRecord>();

  /** @param operation as the database has it from now on */
  note(operation: OperationRecord): void {
    const name = nameOf(operation);
    if (name === undefined) return;
    this.byKey.delete(name);
    this.byKey.set(name, operation);
    const [oldest] = this.byKey.keys();
    if (this.byKey.size > MOST && oldest !== undefined) this.byKey.delete(oldest);
  }

  /** The operation that had the key of this order last; undefined where it has none, or nobody had it lately. */
  holderOf(operation: OperationRecord): OperationRecord | undefined {
    const name = nameOf(operation);
    return name === undefined ? undefined : this.byKey.get(name);
  }

  /** Operations that were deleted because they are old: their keys are free. */
  forget(operationIds: ReadonlySet<string>): void {
    for (const [name, { operationId }] of this.byKey) if (operationIds.has(operationId)) this.byKey.delete(name);
  }
}

function nameOf({ environment, origin: { key } }: OperationRecord): string | undefined {
  return key && JSON.stringify([environment, key.hash]);
}
