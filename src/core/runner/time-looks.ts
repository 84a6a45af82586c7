/** So often time alone is looked at in one moment. */
const MOST_AT_ONCE = 3;
/** After that the next look waits, ms. */
const AGAIN = 1000;

/**
 * When time alone was looked at last. What was not due then is still to come: a timer may fire a little early, and what
 * falls due in the very moment of another event is done by a tick right after it, but not for ever.
 */
export class TimeLooks {
  /** Epoch ms; right before that, where it is to be looked at once more. */
  lastAt = 0;
  /** When time is looked at again, where it was looked at too often in one moment. Epoch ms. */
  againAt: number | undefined;
  private tickedAt = 0;
  private atOnce = 0;
  private jumped = 0;
  private before = 0;
  private changes = 0;

  /** @param jumped how far the wall clock has jumped ahead, ms: it may have put a deadline before the last look */
  note(isTick: boolean, now: number, jumped: number): void {
    const hasJumped = jumped !== this.jumped;
    this.jumped = jumped;
    if (isTick) {
      this.atOnce = this.tickedAt === now ? this.atOnce + 1 : 1;
      this.tickedAt = now;
      this.before = this.lastAt;
      this.lastAt = now;
      this.againAt = undefined;
    } else if (hasJumped) {
      this.lastAt = Number.NEGATIVE_INFINITY;
    } else if (this.tickedAt !== now || this.atOnce < MOST_AT_ONCE) {
      this.lastAt = Math.min(this.lastAt, now - 1);
    } else {
      this.againAt = now + AGAIN;
    }
  }

  /**
   * One look makes one change: what else was due then is still to come, but not for ever.
   * @param hasChanged whether the look that was noted last changed the operation
   */
  noteOutcome(hasChanged: boolean): void {
    this.changes = hasChanged ? this.changes + 1 : 0;
    if (hasChanged && this.changes < MOST_AT_ONCE) this.lastAt = this.before;
  }
}
