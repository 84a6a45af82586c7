import { TransientSet } from '../../core/base/transient.js';
import type { Origin } from '../../core/operation/order.js';
import type { Message } from '../input/context.js';
import type { Done } from './own-message.js';

export type SendMessage = (messages: (Message | null)[]) => void;

/** A message of this process whose answer is pending. */
export interface Waiting {
  msg: Message;
  send: SendMessage;
  done: Done;
  /** As {@link Delivery.id}. */
  id?: string;
}

interface Entry {
  waiting: Waiting;
  copy: Origin['message'];
  forget: () => void;
}

/** The messages that wait at one node, by their copies in the journal. */
export class WaitingMessages {
  private readonly entries = new TransientSet<Entry>();
  private readonly byCopy = new WeakMap<Origin['message'], Entry>();

  get all(): Waiting[] {
    return [...this.entries].map(({ waiting }) => waiting);
  }

  add(copy: Origin['message'], waiting: Waiting): void {
    const entry: Entry = { waiting, copy, forget: () => undefined };
    entry.forget = this.entries.add(entry);
    this.byCopy.set(copy, entry);
  }

  of(copy: Origin['message']): Waiting | undefined {
    return this.byCopy.get(copy)?.waiting;
  }

  /** What the engine resumed has a copy of its own, and is found by its id. */
  take(id: string, copy: Origin['message']): Waiting | undefined {
    const entry = this.byCopy.get(copy) ?? [...this.entries].find(({ waiting }) => waiting.id === id);
    if (entry === undefined) return undefined;
    entry.forget();
    this.byCopy.delete(entry.copy);
    return entry.waiting;
  }

  remove(copy: Origin['message']): void {
    this.byCopy.get(copy)?.forget();
    this.byCopy.delete(copy);
  }

  clear(): void {
    for (const { copy } of this.entries) this.remove(copy);
  }
}
