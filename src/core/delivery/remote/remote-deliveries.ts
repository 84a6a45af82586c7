import type { SealedJson } from '../../base/privacy/sealed-json.js';
import type { Doors, PostedState } from '../../journal/doors.js';
import type { Origin } from '../../operation/order.js';
import type { Delivery } from '../listener.js';
import { sealedDelivery } from './sealed-delivery.js';

/** A result that its process has to tell. */
interface Sent {
  delivery: Delivery;
  sequence: number;
  replica: string;
  onDelivered: () => void;
  /** One before it may have been told: its process knows whether it was. */
  hasEarlier: boolean;
  isPosted: boolean;
}

type Deliver = (delivery: Delivery, onDelivered: () => void) => void;

/**
 * Results of messages that came in by other processes. Each is posted to its process, which tells it and says so. Where that
 * process has ended, this one tells it: marked as redelivered where it may have been told.
 */
export class RemoteDeliveries {
  private readonly sent = new Map<string, Sent>();
  private isFailing = false;

  /** @param here tells a result by a node of this process */
  constructor(
    private readonly doors: Pick<Doors, 'replica' | 'deliveries'>,
    private readonly environment: string,
    private readonly seal: SealedJson,
    private readonly here: Deliver,
    private readonly log: (level: 'warn' | 'error', text: string) => void,
  ) {}

  /** The process that a message came in by, where only the journal leads to it. */
  replicaOf({ replica, asked }: Origin): string | undefined {
    // What this process asked for before it led may have been posted to it since.
    return replica !== undefined && (asked || replica !== this.doors.replica) ? replica : undefined;
  }

  deliver(delivery: Delivery, sequence: number, replica: string, onDelivered: () => void): void {
    const { id } = delivery;
    const hasEarlier = [...this.sent.values()].some((earlier) => earlier.delivery.id === id);
    const sent: Sent = { delivery, sequence, replica, onDelivered, hasEarlier, isPosted: false };
    this.sent.set(`${id} ${sequence}`, sent);
    void this.post(sent);
  }

  /** Whether the process of any of them has not told it yet. @throws JournalError */
  async look(): Promise<boolean> {
    const all = [...this.sent.values()];
    await Promise.all(all.filter(({ isPosted }) => !isPosted).map((one) => this.post(one)));
    const posted = all.filter(({ isPosted }) => isPosted);
    const names = posted.map(({ delivery, sequence }) => ({ message: delivery.id, sequence }));
    const states = await this.doors.deliveries.states(names);
    for (const [place, one] of posted.entries()) this.settle(one, states[place] ?? 'waiting');
    return this.sent.size > 0;
  }

  private async post(one: Sent): Promise<void> {
    const { delivery, sequence, replica } = one;
    const name = { message: delivery.id, sequence };
    try {
      const body = sealedDelivery(this.seal, delivery, name);
      const posted = { ...name, environment: this.environment, replica, key: this.seal.keyId, body };
      this.settle(one, await this.doors.deliveries.post(posted));
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.log('error', `a result for another Node-RED: ${String(error)}; will try again`);
      this.isFailing = true;
    }
  }

  private settle(one: Sent, state: PostedState): void {
    const { delivery, sequence, onDelivered } = one;
    const key = `${delivery.id} ${sequence}`;
    one.isPosted = true;
    if (state === 'waiting' || this.sent.get(key) !== one) return;
    this.sent.delete(key);
    if (state === 'told') {
      onDelivered();
      return;
    }
    const payload = { ...delivery.payload };
    if (one.hasEarlier) payload.correction = true;
    if (state === 'perhaps-told') payload.redelivered = true;
    this.here({ ...delivery, payload }, onDelivered);
  }
}
