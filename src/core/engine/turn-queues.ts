import { type OperationRecord, originalIn } from '../journal/record.js';

/**
 * One operation at a time for each key (a terminal, an original transaction), first come first served. An operation with
 * several keys joins all their queues at once, so that two operations never wait for each other.
 */
export class TurnQueues {
  private readonly queues = new Map<string, string[]>();
  private readonly keysOf = new Map<string, readonly string[]>();

  /** `onTurn` is called with an operation's id when its turn comes. */
  constructor(private readonly onTurn: (operationId: string) => void) {}

  /** True when it is first in every queue, so that it is its turn at once. */
  join(keys: readonly string[], operationId: string): boolean {
    if (!this.keysOf.has(operationId)) {
      this.keysOf.set(operationId, keys);
      for (const key of keys) this.queues.set(key, [...(this.queues.get(key) ?? []), operationId]);
    }
    return this.isNext(operationId);
  }

  /** Whether it is an operation's turn. */
  isNext(operationId: string): boolean {
    return this.keysOf.get(operationId)?.every((key) => this.queues.get(key)?.[0] === operationId) ?? false;
  }

  /** Leaves its queues, from any place in them; without effect when it is in none. */
  leave(operationId: string): void {
    const keys = this.keysOf.get(operationId) ?? [];
    this.keysOf.delete(operationId);
    const next = new Set<string>();
    for (const key of keys) {
      const queue = this.queues.get(key) ?? [];
      const others = queue.filter((other) => other !== operationId);
      if (others[0] === undefined) this.queues.delete(key);
      else this.queues.set(key, others);
      if (queue[0] === operationId && others[0] !== undefined) next.add(others[0]);
    }
    for (const other of next) if (this.isNext(other)) this.onTurn(other);
  }
}

/** Operations wait for each other on one terminal, about one original transaction, and in one batch. */
export function queueKeys({ kind, request, terminal, operationId }: OperationRecord): string[] {
  const original = originalIn({ request });
  const about = original === undefined ? [] : [`original ${original}`];
  if (terminal !== undefined) return [...about, `${kind === 'terminal' ? kind : 'batch'} ${terminal.serial_number}`];
  return original === undefined ? [`own ${operationId}`] : about;
}
