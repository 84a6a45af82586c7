import { JournalError } from '../../src/core/errors.js';
import { MemoryJournal } from '../../src/core/journal/memory.js';
import type { OperationRecord } from '../../src/core/operation.js';
import type { Clock } from '../../src/core/seams.js';
import type { Draw } from './draw.js';
import type { Window } from './scenario.js';

/** A journal on a disk that is slow, and full for a while; and what an outsider sees of it. */
export class Disk extends MemoryJournal {
  /** What is durable, by operation. */
  readonly durable = new Map<string, OperationRecord>();
  writes = 0;
  failures = 0;

  constructor(
    private readonly clock: Clock,
    private readonly draw: Draw,
    private readonly slowness: number,
    private readonly isFull: () => boolean,
  ) {
    super();
  }

  /** The newest record of a message. */
  of(message: string): OperationRecord | undefined {
    return [...this.durable.values()].find(({ origin }) => origin.message._msgid === message);
  }

  /** The record that one attempt belongs to. */
  byReference(reference: string): OperationRecord | undefined {
    return [...this.durable.values()].find(({ references }) => references.includes(reference));
  }

  override async record(operation: OperationRecord): Promise<void> {
    await super.record(operation);
    this.durable.set(operation.operationId, operation);
  }

  override async advance(operation: OperationRecord): Promise<void> {
    await super.advance(operation);
    this.durable.set(operation.operationId, operation);
  }

  protected override async commit(write: () => void): Promise<void> {
    this.writes++;
    if (this.slowness > 0 && this.draw.chance(0.5)) {
      await new Promise<void>((resolve) => {
        this.clock.after(this.draw.scale(1, this.slowness + 1), resolve);
      });
    }
    if (this.isFull()) {
      this.failures++;
      throw new JournalError('no space left on the disk');
    }
    write();
  }
}

export function isIn(windows: readonly Window[], time: number): boolean {
  return windows.some(({ from, until }) => time >= from && time < until);
}
