/** Limits the requests of each key per second. A rejected request does not count. */
export class RateLimit {
  private readonly recent = new Map<string, number[]>();

  /** `perSecond` 0 switches it off. */
  constructor(
    private readonly now: () => number,
    private readonly perSecond: number,
  ) {}

  /** Whether the key may make one more request now; counts it if so. */
  admits(key: string): boolean {
    if (this.perSecond === 0) return true;
    const now = this.now();
    const within = (this.recent.get(key) ?? []).filter((at) => at > now - 1000);
    const admitted = within.length < this.perSecond;
    if (admitted) within.push(now);
    this.recent.set(key, within);
    return admitted;
  }
}
