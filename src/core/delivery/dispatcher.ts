import type { Delivery, Listener, Progress } from './listener.js';

/** A result, as callback-in gets every one of them. */
export interface ResultEvent {
  delivery: Delivery;
  /** The node that the message came from has it as well. */
  claimed: boolean;
  /** It came after the flow had a final result. */
  late: boolean;
}

export type Subscriber = (event: ResultEvent) => void;

interface Waiting {
  delivery: Delivery;
  onDelivered: () => void;
}

/**
 * Hands every delivery to the node its message came from. Where that node is not attached (a redeploy, a restart) the
 * delivery waits for it. Once the flows are started, a missing node is gone for good, and callback-in gets the delivery.
 */
export class Dispatcher {
  private readonly listeners = new Map<string, Listener>();
  private readonly subscribers = new Set<Subscriber>();
  /** By operation. A later result of an operation replaces one that nobody has yet. */
  private readonly waiting = new Map<string, Waiting[]>();
  /** Logged already. */
  private readonly unclaimed = new WeakSet<Delivery>();
  private flowsStarted = false;

  constructor(private readonly log: (level: 'warn' | 'error', text: string) => void) {}

  attach(node: string, listener: Listener): () => void {
    this.listeners.set(node, listener);
    this.handOver();
    return () => {
      if (this.listeners.get(node) === listener) this.listeners.delete(node);
      this.flowsStarted = false;
    };
  }

  subscribe(subscriber: Subscriber): () => void {
    this.subscribers.add(subscriber);
    this.handOver();
    return () => this.subscribers.delete(subscriber);
  }

  /** From now on a delivery that no attached node takes goes to callback-in. */
  releaseUnclaimed(): void {
    this.flowsStarted = true;
    this.handOver();
  }

  /** Calls `onDelivered` once the delivery is handed over, which may be never in the life of this process. */
  deliver(delivery: Delivery, onDelivered: () => void): void {
    const { operationId } = delivery.payload;
    this.withdraw(operationId);
    this.waiting.set(operationId, [...(this.waiting.get(operationId) ?? []), { delivery, onDelivered }]);
    this.tryHandOver(operationId);
  }

  /** Drops what nobody has yet, because a newer result follows. What may have been delivered before is kept. */
  withdraw(operationId: string): void {
    const repeated = this.waiting.get(operationId)?.filter(({ delivery }) => delivery.payload.redelivered) ?? [];
    if (repeated.length === 0) this.waiting.delete(operationId);
    else this.waiting.set(operationId, repeated);
  }

  /** A result that changes nothing any more: for callback-in alone. */
  deliverLate(delivery: Delivery): void {
    this.notify({ delivery, claimed: false, late: true });
  }

  progress(node: string, progress: Progress): void {
    const listener = this.listeners.get(node);
    if (listener !== undefined) this.trying(() => listener.progress(progress));
  }

  private handOver(): void {
    for (const operationId of [...this.waiting.keys()]) this.tryHandOver(operationId);
  }

  private tryHandOver(operationId: string): void {
    for (const { delivery, onDelivered } of this.waiting.get(operationId) ?? []) {
      const listener = this.listeners.get(delivery.origin.node);
      const orphan = listener === undefined && this.flowsStarted && this.subscribers.size > 0;
      if (listener === undefined && !orphan) {
        if (this.flowsStarted) this.noteUnclaimed(delivery);
        return;
      }
      this.waiting.delete(operationId);
      const claimed = listener !== undefined && this.trying(() => listener.deliver(delivery));
      this.notify({ delivery, claimed, late: false });
      onDelivered();
    }
  }

  private notify(event: ResultEvent): void {
    for (const subscriber of this.subscribers) this.trying(() => subscriber(event));
  }

  private noteUnclaimed(delivery: Delivery): void {
    if (this.unclaimed.has(delivery)) return;
    this.unclaimed.add(delivery);
    const { operationId, outcome, amount } = delivery.payload;
    const text = [outcome, amount?.total, amount?.currency].filter(Boolean).join(' ');
    this.log(
      'warn',
      `${operationId}: ${text}; its node no longer exists, and there is no callback-in node to receive it`,
    );
  }

  /** A node that throws must not keep the delivery from the others. */
  private trying(call: () => void): boolean {
    try {
      call();
      return true;
    } catch (error) {
      this.log('error', `a node could not process its result: ${String(error)}`);
      return false;
    }
  }
}
