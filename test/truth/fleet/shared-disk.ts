import type { OperationRecord } from '../../../src/core/journal/record.js';
import { Disk } from '../disk.js';

interface Fleet {
  keepsCallback(attemptId: string): boolean;
  /** Whether the effects of a strike have lasted since `time`, epoch ms. */
  wasStruckSince(time: number): boolean;
}

/** What an outsider sees of the database that several processes share. */
export class SharedDisk extends Disk {
  private fleet: Fleet | undefined;
  private readonly unclosed = new Set<string>();

  join(fleet: Fleet): void {
    this.fleet = fleet;
  }

  /** Nothing is left to do for any operation. */
  get isClosed(): boolean {
    return this.unclosed.size === 0;
  }

  override see(operation: OperationRecord): void {
    super.see(operation);
    if (operation.closed) this.unclosed.delete(operation.operationId);
    else this.unclosed.add(operation.operationId);
  }

  override keepsCallback(attemptId: string): boolean {
    return this.fleet?.keepsCallback(attemptId) === true;
  }

  override wasBrokenSince(time: number): boolean {
    return this.fleet?.wasStruckSince(time) === true;
  }
}
