/** How long the effects of a strike may last after its end: leases, and the time until the next process leads. ms. */
const AFTERMATH = 2 * 60_000;

/** When strikes began, and when they were over. Epoch ms. */
export class StrikeTimes {
  private readonly struck: { from: number; until: number }[] = [];

  note(from: number, ms: number): void {
    this.struck.push({ from, until: from + ms });
  }

  get count(): number {
    return this.struck.length;
  }

  /** When the effects of all that struck before `time` are over. */
  overAt(time: number): number {
    const ends = this.struck.filter(({ from }) => from <= time).map(({ until }) => until + AFTERMATH);
    return Math.max(Number.NEGATIVE_INFINITY, ...ends);
  }

  /** Whether the effects of a strike lasted at some moment between these. */
  lastedBetween(since: number, until: number): boolean {
    return this.struck.some((one) => one.from <= until && one.until + AFTERMATH >= since);
  }
}
