interface Place {
  keys: readonly string[];
  onTurn: () => void;
}

/**
 * One operation at a time for each key (a terminal, an original transaction), first come first served. An operation with
 * several keys joins all their queues at once, so that two operations never wait for each other. All engines of a process
 * can share them.
 */
export class TurnQueues {
  private readonly queues = new Map<string, string[]>();
  private readonly places = new Map<string, Place>();

  /**
   * @param onTurn called when its turn comes later
   * @returns true when it is first in every queue, so that it is its turn at once
   */
  join(keys: readonly string[], operationId: string, onTurn: () => void): boolean {
    if (!this.places.has(operationId)) {
      this.places.set(operationId, { keys, onTurn });
      for (const key of keys) this.queueOf(key).push(operationId);
    }
    return this.isNext(operationId);
  }

  /** Whether it is an operation's turn. */
  isNext(operationId: string): boolean {
    return this.places.get(operationId)?.keys.every((key) => this.queues.get(key)?.[0] === operationId) ?? false;
  }

  /** Leaves its queues, from any place in them; without effect when it is in none. */
  leave(operationId: string): void {
    const keys = this.places.get(operationId)?.keys ?? [];
    this.places.delete(operationId);
    const next = new Set<string>();
    for (const key of keys) {
      const queue = this.queueOf(key);
      const place = queue.indexOf(operationId);
      queue.splice(place, 1);
      const [first] = queue;
      if (first === undefined) this.queues.delete(key);
      else if (place === 0) next.add(first);
    }
    for (const other of next) if (this.isNext(other)) this.places.get(other)?.onTurn();
  }

  private queueOf(key: string): string[] {
    const queue = this.queues.get(key) ?? [];
    this.queues.set(key, queue);
    return queue;
  }
}
