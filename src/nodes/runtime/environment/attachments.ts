import type { Subscriber } from '../../../core/delivery/dispatcher.js';
import type { Delivery, Listener } from '../../../core/delivery/listener.js';
import type { Payments } from '../../../core/engine/payments.js';

interface Attached {
  listener: Listener;
  detach?: () => void;
}

/** The nodes and subscribers of an environment. They may come before its engine, and stay when that has to start again. */
export class Attachments {
  private readonly listeners = new Map<string, Attached>();
  private readonly subscribers = new Map<Subscriber, (() => void) | undefined>();
  private engine: Payments | undefined;
  /** Messages that heard that the journal cannot be reached: the process that goes on with them cannot know that. */
  private readonly heardUnavailable = new Set<string>();

  /** @param note gets every result that a node gets, before it */
  constructor(private readonly note: (delivery: Delivery) => void) {}

  /** Attaches all of them to an engine, and those that come later at once. Undefined: to none until the next call. */
  use(engine: Payments | undefined): void {
    this.engine = engine;
    if (engine === undefined) return;
    for (const [node, attached] of this.listeners) attached.detach = engine.attach(node, attached.listener);
    for (const subscriber of this.subscribers.keys()) this.subscribers.set(subscriber, engine.subscribe(subscriber));
  }

  /** Returns how to detach the node. */
  attach(node: string, listener: Listener): () => void {
    const attached: Attached = { listener: this.noting(listener) };
    this.listeners.set(node, attached);
    if (this.engine !== undefined) attached.detach = this.engine.attach(node, attached.listener);
    return () => {
      attached.detach?.();
      if (this.listeners.get(node) === attached) this.listeners.delete(node);
    };
  }

  private noting(listener: Listener): Listener {
    return {
      deliver: (delivery) => {
        this.note(delivery);
        this.markCorrection(delivery);
        listener.deliver(delivery);
      },
      progress: (progress) => listener.progress(progress),
      stage: (change) => listener.stage?.(change),
    };
  }

  private markCorrection({ id, payload }: Delivery): void {
    const isUnavailable = payload.error?.code === 'JOURNAL_UNAVAILABLE' && !payload.final;
    if (isUnavailable) this.heardUnavailable.add(id);
    else if (this.heardUnavailable.delete(id)) payload.correction = true;
  }

  /** Returns how to unsubscribe. */
  subscribe(subscriber: Subscriber): () => void {
    this.subscribers.set(subscriber, this.engine?.subscribe(subscriber));
    return () => {
      this.subscribers.get(subscriber)?.();
      this.subscribers.delete(subscriber);
    };
  }
}
