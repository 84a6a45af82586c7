import type { Journal } from './journal/journal.js';
import type { Clock, Timer } from './seams.js';

const LEASE = 60_000;
const RENEWAL = 20_000;

/** An engine's hold on its operations. Renewed while it has any; its timer rests while it has none. */
export class Lease {
  private until = 0;
  private timer: Timer | undefined;
  private again = false;
  private ended = false;

  /** `look` is called some time after `lookAgain`: what another engine held may be free by then. */
  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
    private readonly owner: string,
    private readonly look: () => Promise<void>,
    private readonly log: (level: 'info' | 'warn' | 'error', text: string) => void,
  ) {}

  /** Resolves once the lease is good for a while; to be called before an operation is recorded or claimed. */
  async hold(): Promise<void> {
    if (this.clock.now() > this.until - LEASE / 2) await this.renew();
    this.schedule();
  }

  /** Looks for what another engine may have left, at the next beat. */
  lookAgain(): void {
    this.again = true;
    this.schedule();
  }

  /** There is nothing to hold. */
  rest(): void {
    if (this.again) return;
    this.timer?.cancel();
    this.timer = undefined;
  }

  async release(): Promise<void> {
    this.ended = true;
    this.timer?.cancel();
    this.timer = undefined;
    try {
      await this.journal.release(this.owner);
    } catch (error) {
      this.log('warn', `journal: ${String(error)}; the next engine has to wait for this one's lease to end`);
    }
  }

  private async renew(): Promise<void> {
    const until = this.clock.now() + LEASE;
    await this.journal.renew(this.owner, until);
    this.until = until;
  }

  private schedule(): void {
    if (this.ended) return;
    this.timer ??= this.clock.after(RENEWAL, () => {
      this.timer = undefined;
      this.beat().catch((error) => this.log('error', `journal: ${String(error)}; will try again`));
    });
  }

  private async beat(): Promise<void> {
    this.schedule();
    await this.renew();
    if (!this.again) return;
    this.again = false;
    await this.look();
  }
}
