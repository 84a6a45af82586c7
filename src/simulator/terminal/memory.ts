import type { Order } from '../model/order.js';
import type { ResultFacts } from '../results/result-facts.js';
import { recover } from './recovery.js';
import type { InFlight, World } from './session/job.js';

interface Remembered {
  inFlight: InFlight;
  order: Order;
  /** Epoch ms before which the gateway is not asked: the request may still be on its way. */
  notBefore: number;
}

/**
 * What a terminal remembers through a power cut: the payment that has left for the gateway, and those whose end it has
 * not heard. It asks the gateway about these when it is connected again.
 */
export class Memory {
  private current: Remembered | undefined;
  private unsettled: Remembered[] = [];

  constructor(
    private readonly world: World,
    private readonly isConnected: () => boolean,
    private readonly report: (resultId: string, facts: ResultFacts, order: Order) => void,
  ) {}

  /** A payment leaves for the gateway, in the place of what was noted before. */
  note(inFlight: InFlight, order: Order): void {
    const { clock, timings } = this.world;
    this.current = { inFlight, order, notBefore: clock.now() + timings.toGatewayMs + 1 };
  }

  /** Its end is known. */
  strikeOut(): void {
    this.current = undefined;
  }

  /** Its end is not known, and it is no longer waited for. */
  leaveOpen(): void {
    const { current } = this;
    if (current === undefined) return;
    this.current = undefined;
    this.unsettled.push(current);
    if (this.isConnected()) this.askLater(current);
  }

  /** Connected again. */
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
