import type { Delivery, Listener, Progress } from './listener.js';

/** What callback-in hears of every result. */
export interface ResultEvent {
  delivery: Delivery;
  /** The node that the message came from has taken it as well. */
  claimed: boolean;
  /** It came after the flow was told something final. */
  late: boolean;
}

export type Subscriber = (notice: ResultEvent) => void;

interface Waiting {
  delivery: Delivery;
  taken: () => void;
}

/**
 * Hands every delivery to the node its message came from. A delivery whose node is not there (a redeploy, a restart)
 * waits for it; once the flows are started, one whose node is gone for good goes to callback-in instead.
 */
export class Dispatcher {
  private readonly listeners = new Map<string, Listener>();
  private readonly watchers = new Set<Subscriber>();
  /** By operation: what is told later of one replaces what nobody has heard yet. */
  private readonly waiting = new Map<string, Waiting[]>();
  /** Said already. */
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

  subscribe(watcher: Subscriber): () => void {
    this.watchers.add(watcher);
    this.handOver();
    return () => this.watchers.delete(watcher);
  }

  /** From now on a delivery that no attached node takes goes to callback-in. */
  releaseUnclaimed(): void {
    this.flowsStarted = true;
    this.handOver();
  }

  /** `taken` is called once somebody has it, which may be never in the life of this process. */
  deliver(delivery: Delivery, taken: () => void): void {
    const { operationId } = delivery.payload;
    this.withdraw(operationId);
    this.waiting.set(operationId, [...(this.waiting.get(operationId) ?? []), { delivery, taken }]);
    this.tryHandOver(operationId);
  }

  /** Takes back what nobody has heard yet: something else is about to be told. */
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
    for (const { delivery, taken } of this.waiting.get(operationId) ?? []) {
      const listener = this.listeners.get(delivery.origin.node);
      const orphan = listener === undefined && this.flowsStarted && this.watchers.size > 0;
      if (listener === undefined && !orphan) {
        if (this.flowsStarted) this.noteUnclaimed(delivery);
        return;
      }
      this.waiting.delete(operationId);
      const claimed = listener !== undefined && this.trying(() => listener.deliver(delivery));
      this.notify({ delivery, claimed, late: false });
      taken();
    }
  }

  private notify(notice: ResultEvent): void {
    for (const watcher of this.watchers) this.trying(() => watcher(notice));
  }

  private noteUnclaimed(delivery: Delivery): void {
    if (this.unclaimed.has(delivery)) return;
    this.unclaimed.add(delivery);
    const { operationId, outcome, amount } = delivery.payload;
    const text = [outcome, amount?.total, amount?.currency].filter(Boolean).join(' ');
    this.log('warn', `${operationId}: ${text}; its node is gone, and there is no callback-in to hear of it`);
  }

  /** One that cannot take its delivery must not keep it from the others. */
  private trying(call: () => void): boolean {
    try {
      call();
      return true;
    } catch (error) {
      this.log('error', `a node could not take what it was told: ${String(error)}`);
      return false;
    }
  }
}
