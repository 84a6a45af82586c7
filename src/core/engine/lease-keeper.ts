import type { Clock, Timer } from '../base/seams.js';
import { JOURNAL_PATIENCE } from '../base/timings.js';
import type { Journal } from '../journal/journal.js';

const LEASE = 60_000;
/** The length of a lease on operations that are only watched: nothing is lost when they pause for so long. ms. */
const SLOW_LEASE = 30 * 60_000;
/** A lease is renewed when this part of it has passed. */
const RENEWED_AFTER = 1 / 3;

/** How an engine depends on its lease: not at all, with operations that it only watches, or with others. */
export type LeaseDemand = 'none' | 'watching' | 'busy';

/** An engine's lease on its operations. Renewed while there are any; without them no timer is left. */
export class LeaseKeeper {
  private until = 0;
  private timer: Timer | undefined;
  private beatAt = 0;
  private again = false;
  private ended = false;
  /** Since when the journal has not taken the lease, epoch ms. */
  private failingSince: number | undefined;

  /**
   * @param onUnwritable called again and again while the journal has refused the lease for so long that flows must not wait
   * @param check called some time after `checkAgain`: operations of another engine may be free by then
   */
  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
    private readonly owner: string,
    private readonly demand: () => LeaseDemand,
    private readonly onUnwritable: () => Promise<void>,
    private readonly check: () => Promise<void>,
    private readonly log: (level: 'info' | 'warn' | 'error', text: string) => void,
  ) {}

  /** Resolves once the lease is good for a while; to be called before an operation is recorded or claimed. */
  async hold(): Promise<void> {
    const left = this.until - this.clock.now();
    if (left < LEASE / 2 || left > LEASE) await this.renew(LEASE);
    this.beatWithin(LEASE);
  }

  /** Checks at the next beat for operations that another engine may have left. */
  checkAgain(): void {
    this.again = true;
    this.beatWithin(LEASE);
  }

  /** There are no operations to hold. */
  rest(): void {
    if (!this.again) this.cancelBeat();
  }

  async release(): Promise<void> {
    this.ended = true;
    this.cancelBeat();
    try {
      await this.journal.release(this.owner);
    } catch (error) {
      this.log(
        'warn',
        `journal: ${String(error)}; open payments are resumed only after the lease of this process has ended`,
      );
    }
  }

  private async renew(length: number): Promise<void> {
    const askedAt = this.clock.now();
    const until = askedAt + length;
    try {
      await this.journal.renew(this.owner, until);
    } catch (error) {
      // From when it was asked: the beat after the patience has ended would come a third of a lease later otherwise.
      this.failingSince ??= askedAt;
      if (this.clock.now() >= this.failingSince + JOURNAL_PATIENCE) await this.onUnwritable();
      throw error;
    }
    this.failingSince = undefined;
    this.until = until;
  }

  private beatWithin(length: number): void {
    const beatAt = this.clock.now() + length * RENEWED_AFTER;
    if (this.ended || (this.timer !== undefined && this.beatAt <= beatAt)) return;
    this.cancelBeat();
    this.beatAt = beatAt;
    this.timer = this.clock.after(length * RENEWED_AFTER, () => {
      this.timer = undefined;
      this.beat().catch((error) => this.log('error', `journal: ${String(error)}; will try again`));
    });
  }

  private async beat(): Promise<void> {
    const demand = this.again ? 'busy' : this.demand();
    if (demand === 'none') return;
    const length = demand === 'busy' ? LEASE : SLOW_LEASE;
    this.beatWithin(length);
    await this.renew(length);
    if (!this.again) return;
    this.again = false;
    try {
      await this.check();
    } catch (error) {
      this.checkAgain();
      throw error;
    }
  }

  private cancelBeat(): void {
    this.timer?.cancel();
    this.timer = undefined;
  }
}
