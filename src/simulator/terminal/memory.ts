import type { Order } from '../model/order.js';
import type { ResultFacts } from '../results/result-facts.js';
import { recover } from './recovery.js';
import type { InFlight, World } from './session/job.js';

interface Remembered {
  inFlight: InFlight;
  order: Order;
  /** Epoch ms before which the gateway is not asked, because the request may still be in transit. */
  notBefore: number;
}

/**
 * What a terminal stores through a power cut: the payment sent to the gateway, and payments with an unknown outcome.
 * It asks the gateway about these when it is connected again.
 */
export class Memory {
  private current: Remembered | undefined;
  private unsettled: Remembered[] = [];

  constructor(
    private readonly world: World,
    private readonly isConnected: () => boolean,
    private readonly report: (resultId: string, facts: ResultFacts, order: Order) => void,
  ) {}

  /** Stores a payment that is sent to the gateway, in place of the last one. */
  note(inFlight: InFlight, order: Order): void {
    const { clock, timings } = this.world;
    this.current = { inFlight, order, notBefore: clock.now() + timings.toGatewayMs + 1 };
  }

  /** Removes the payment: its outcome is known. */
  strikeOut(): void {
    this.current = undefined;
  }

  /** Keeps the payment for recovery: its outcome is unknown, and nothing waits for it any more. */
  leaveOpen(): void {
    const { current } = this;
    if (current === undefined) return;
    this.current = undefined;
    this.unsettled.push(current);
    if (this.isConnected()) this.askLater(current);
  }

  /** The terminal is connected again: asks about every open payment. */
  askAll(): void {
    for (const remembered of this.unsettled) this.askLater(remembered);
  }

  private askLater(remembered: Remembered): void {
    const { clock, timings } = this.world;
    const wait = Math.max(timings.recoverMs, remembered.notBefore - clock.now());
    clock.after(wait, () => {
      if (!this.isConnected() || !this.unsettled.includes(remembered)) return;
      this.unsettled = this.unsettled.filter((one) => one !== remembered);
      const { inFlight, order } = remembered;
      this.report(inFlight.resultId, recover(this.world, inFlight), order);
    });
  }
}
