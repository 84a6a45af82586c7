import type { PaymentError } from '../base/errors.js';

/** One event for an operation, and what came with it. */
export interface Envelope<Event> {
  event: Event;
  /** The error behind the event, for a flow that handles it with Catch. */
  error?: PaymentError;
  /**
   * Called after the event, with whether the journal has stored the record. An envelope with this callback is always saved.
   */
  onPersisted?: (ok: boolean) => void;
}

/**
 * Handles the envelopes of one operation strictly one after the other. An envelope that arrives while another is
 * handled waits for its turn, even when that other one caused it.
 */
export class Mailbox<E extends Envelope<unknown>> {
  private queue: E[] = [];
  private busy = false;
  private closed = false;
  private processing = Promise.resolve();

  /**
   * @param handle must not reject
   * @param onIdle called whenever the queue has become empty
   */
  constructor(
    private readonly handle: (envelope: E) => Promise<void>,
    private readonly onIdle: () => void,
  ) {}

  get isBusy(): boolean {
    return this.busy;
  }

  enqueue(envelope: E): void {
    if (this.closed) {
      envelope.onPersisted?.(false);
      return;
    }
    this.queue.push(envelope);
    this.start();
  }

  /** Goes before everything else that waits. Handled even after `close`: what the flow has received must be noted. */
  enqueueFirst(envelope: E): void {
    this.queue.unshift(envelope);
    this.start();
  }

  /** Refuses what arrives from now on: it is neither handled nor persisted. */
  close(): void {
    this.closed = true;
  }

  /** Resolves once everything that waits now has been handled. */
  async idle(): Promise<void> {
    await this.processing;
  }

  private start(): void {
    if (this.busy) return;
    this.busy = true;
    this.processing = this.process();
  }

  private async process(): Promise<void> {
    for (let envelope = this.queue.shift(); envelope !== undefined; envelope = this.queue.shift()) {
      await this.handle(envelope);
    }
    // An array keeps its room, and most operations wait with theirs empty.
    this.queue = [];
    this.busy = false;
    this.onIdle();
  }
}
