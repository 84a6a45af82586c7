import { TransientMap } from '../../base/transient.js';

interface Place {
  keys: readonly string[];
  /** How many of the queues of its keys it has joined, from the first one on. */
  joined: number;
  onTurn: () => void;
  isAtWork: () => boolean;
}

/**
 * One operation at a time for each key (an original transaction, a terminal), first come first served. An operation with
 * several keys joins the queue of the next one when it is first in that of the one before: what waits for its original
 * leaves the terminal to others. All name their keys in the same order, so that two operations never wait for each other.
 * All engines of a process can share them.
 */
export class TurnQueues {
  private readonly queues = new Map<string, string[]>();
  private readonly places = new TransientMap<Place>();

  /**
   * @param onTurn called when its turn comes later
   * @param isAtWork whether it has been sent, and may be under way
   * @returns true when it is first in every queue, so that it is its turn at once
   */
  join(keys: readonly string[], operationId: string, onTurn: () => void, isAtWork: () => boolean): boolean {
    if (!this.places.has(operationId)) {
      const place = { keys, joined: 0, onTurn, isAtWork };
      this.places.set(operationId, place);
      this.goOn(operationId, place);
    }
    return this.isNext(operationId);
  }

  /** Whether it is an operation's turn. */
  isNext(operationId: string): boolean {
    const place = this.places.get(operationId);
    return place !== undefined && this.hasJoinedAll(place) && this.isFirst(operationId, place);
  }

  /** Whether another operation is first for a key, and may be under way. */
  isBehind(key: string, operationId: string): boolean {
    const [first = operationId] = this.queues.get(key) ?? [];
    return first !== operationId && this.places.get(first)?.isAtWork() === true;
  }

  /** Leaves its queues, from any place in them; without effect when it is in none. */
  leave(operationId: string): void {
    const { keys, joined } = this.places.get(operationId) ?? { keys: [], joined: 0 };
    this.places.delete(operationId);
    const next = new Set<string>();
    for (const key of keys.slice(0, joined)) {
      const queue = this.queues.get(key) ?? [];
      const index = queue.indexOf(operationId);
      queue.splice(index, 1);
      const [first] = queue;
      if (first === undefined) this.queues.delete(key);
      else if (index === 0) next.add(first);
    }
    for (const other of next) this.advance(other);
  }

  /** It is first in a queue from now on. */
  private advance(operationId: string): void {
    const place = this.places.get(operationId);
    if (place === undefined) return;
    this.goOn(operationId, place);
    if (this.isNext(operationId)) place.onTurn();
  }

  /** Joins one queue after the other while it is first. */
  private goOn(operationId: string, place: Place): void {
    while (!this.hasJoinedAll(place) && this.isFirst(operationId, place)) {
      const key = place.keys[place.joined] ?? '';
      const queue = this.queues.get(key);
      if (queue === undefined) this.queues.set(key, [operationId]);
      else queue.push(operationId);
      place.joined++;
    }
  }

  private hasJoinedAll({ keys, joined }: Place): boolean {
    return joined === keys.length;
  }

  /** Whether it is first in the queue that it has joined last, and with that in all before it. */
  private isFirst(operationId: string, { keys, joined }: Place): boolean {
    const key = keys[joined - 1];
    return key === undefined || this.queues.get(key)?.[0] === operationId;
  }
}
