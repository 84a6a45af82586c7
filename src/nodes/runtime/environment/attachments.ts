import type { Subscriber } from '../../../core/delivery/dispatcher.js';
import type { Heard } from '../../../core/delivery/heard.js';
import type { Delivery, Listener } from '../../../core/delivery/listener.js';
import type { Payments } from '../../../core/engine/payments.js';

type Detach = () => void;

/** What results come from. */
type Source = Pick<Payments, 'attach' | 'subscribe'>;

interface Attached {
  listener: Listener;
  detach: Detach[];
}

/** The nodes and subscribers of an environment. They may come before its engine, and stay when that has to start again. */
export class Attachments {
  private readonly listeners = new Map<string, Attached>();
  private readonly subscribers = new Map<Subscriber, Detach[]>();
  private engine: Payments | undefined;

  /**
   * @param note gets every result that a node gets, before it
   * @param heard what the process that goes on with a message cannot know
   * @param ending doors of before the deploy, which may have something to tell too
   */
  constructor(
    private readonly note: (delivery: Delivery) => void,
    private readonly heard: Heard,
    private readonly ending: Iterable<Source> = [],
  ) {}

  /** Attaches all of them to an engine, and those that come later at once. Undefined: to none until the next call. */
  use(engine: Payments | undefined): void {
    this.engine = engine;
    if (engine === undefined) return;
    // Subscribers hear of what a node gets, so they come first.
    for (const [subscriber, detach] of this.subscribers) detach.push(engine.subscribe(subscriber));
    for (const [node, { listener, detach }] of this.listeners) detach.push(engine.attach(node, listener));
  }

  /** Returns how to detach the node. */
  attach(node: string, listener: Listener): () => void {
    const noting = this.noting(listener);
    const attached: Attached = { listener: noting, detach: this.sources.map((one) => one.attach(node, noting)) };
    this.listeners.set(node, attached);
    return () => {
      for (const detach of attached.detach) detach();
      if (this.listeners.get(node) === attached) this.listeners.delete(node);
    };
  }

  private get sources(): Source[] {
    return [...(this.engine === undefined ? [] : [this.engine]), ...this.ending];
  }

  private noting(listener: Listener): Listener {
    return {
      deliver: (delivery) => {
        this.note(delivery);
        if (this.isRepeated(delivery)) return;
        this.markCorrection(delivery);
        if (delivery.sequence !== undefined) this.heard.noteTold(delivery.id, delivery.sequence);
        listener.deliver(delivery);
      },
      progress: (progress) => listener.progress(progress),
      stage: (change) => listener.stage?.(change),
    };
  }

  /** A door said it, and the engine that took its place says it again. */
  private isRepeated(delivery: Delivery): boolean {
    return saysUnavailable(delivery) && this.heard.isUnavailable(delivery.id);
  }

  private markCorrection(delivery: Delivery): void {
    const { id, payload } = delivery;
    if (saysUnavailable(delivery)) this.heard.noteUnavailable(id);
    else if (this.heard.forgetUnavailable(id)) payload.correction = true;
  }

  /** Returns how to unsubscribe. */
  subscribe(subscriber: Subscriber): () => void {
    const detach = this.sources.map((one) => one.subscribe(subscriber));
    this.subscribers.set(subscriber, detach);
    return () => {
      for (const leave of detach) leave();
      this.subscribers.delete(subscriber);
    };
  }
}

/** Nobody knows, because the journal cannot be reached, or written. */
function saysUnavailable({ payload }: Delivery): boolean {
  return payload.error?.code === 'JOURNAL_UNAVAILABLE' && !payload.final;
}
