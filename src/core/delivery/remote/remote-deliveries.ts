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
  isPosted: boolean;
  /** It is on its way to the journal. */
  posting?: Promise<void>;
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

  /** The process that has to get the result by the journal; undefined: it can be told here. */
  replicaOf({ replica, asked, resumed }: Origin): string | undefined {
    // An earlier leader may have posted the result to this very process.
    return replica !== undefined && (asked || resumed || replica !== this.doors.replica) ? replica : undefined;
  }

  deliver(delivery: Delivery, sequence: number, replica: string, onDelivered: () => void): void {
    const { id } = delivery;
    const sent: Sent = { delivery, sequence, replica, onDelivered, isPosted: false };
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

  /** Never twice at a time: the process may count as alive again by the second, and tell what is told here after the first. */
  private post(one: Sent): Promise<void> {
    one.posting ??= this.postNow(one).finally(() => {
      delete one.posting;
    });
    return one.posting;
  }

  private async postNow(one: Sent): Promise<void> {
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

  private settle(one: Sent, found: PostedState): void {
    const { delivery, sequence, onDelivered } = one;
    const key = `${delivery.id} ${sequence}`;
    // The journal forgets what was posted long before its process counted as dead.
    const state = found === 'gone' && one.isPosted ? 'perhaps-told' : found;
    one.isPosted = state !== 'gone';
    if (state === 'waiting' || this.sent.get(key) !== one) return;
    this.sent.delete(key);
    if (state === 'told') onDelivered();
    else this.tellHere(one, state);
  }

  /** The process of a result has ended. Of what it was given it may have told the last: what came before is over. */
  private tellHere({ delivery, sequence, onDelivered }: Sent, state: 'gone' | 'perhaps-told'): void {
    const others = [...this.sent.values()].filter((other) => other.delivery.id === delivery.id);
    for (const earlier of others) {
      if (earlier.sequence < sequence) this.settle(earlier, earlier.isPosted ? 'perhaps-told' : 'gone');
    }
    if (state === 'gone') this.here(delivery, onDelivered);
    else if (others.some((later) => later.isPosted && later.sequence > sequence)) onDelivered();
    else this.here({ ...delivery, payload: { ...delivery.payload, redelivered: true } }, onDelivered);
  }
}
