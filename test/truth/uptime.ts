interface Span {
  from: number;
  until: number | undefined;
  /** It goes on where it stood. */
  isFrozen?: boolean;
}

/**
 * When something lasted; of an engine, when it was up and could act: not while the process was away or frozen, nor before the engine
 * had started.
 */
export class Uptime {
  private readonly spans: Span[] = [];

  /** @param now epoch ms */
  constructor(private readonly now: () => number) {}

  begin(): void {
    if (this.spans.at(-1)?.until !== undefined || this.spans.length === 0)
      this.spans.push({ from: this.now(), until: undefined });
  }

  /** @param isFrozen the next time goes on where this one stood */
  end(isFrozen = false): void {
    const last = this.spans.at(-1);
    if (last === undefined) return;
    last.until ??= this.now();
    // A process may also be frozen while one engine has ended and the next has not begun: what the first waited for waits on.
    last.isFrozen ||= isFrozen;
  }

  /** When what began at `from` and may take `ms` has ended, as a frozen process sees no end. Epoch ms. */
  endOf(from: number, ms: number): number {
    return this.spans.reduce((end, span, place) => {
      const isCut =
        span.isFrozen === true && span.from <= end && from < (span.until ?? from) && end > (span.until ?? end);
      const thawed = isCut ? this.spans[place + 1]?.from : undefined;
      return thawed === undefined ? end : thawed + ms;
    }, from + ms);
  }

  /** When something began that ended at `until` and took `ms` of the time in which engines were up. Epoch ms. */
  startOf(until: number, ms: number): number {
    let left = ms;
    for (const span of this.within(Number.NEGATIVE_INFINITY, until).reverse()) {
      const lasted = span.until - span.from;
      if (lasted >= left) return span.until - left;
      left -= lasted;
    }
    return until - ms;
  }

  /** How long engines were up between two moments, epoch ms, and how many. */
  between(from: number, until: number): { ms: number; lives: number } {
    const parts = this.spans
      .map((span) => Math.min(span.until ?? until, until) - Math.max(span.from, from))
      .filter((ms) => ms > 0);
    return { ms: parts.reduce((sum, ms) => sum + ms, 0), lives: parts.length };
  }

  /** Each time without an interruption of which a part lies between two moments, epoch ms. */
  within(from: number, until: number): { from: number; until: number }[] {
    return this.spans
      .map((span) => ({ from: span.from, until: Math.min(span.until ?? until, until) }))
      .filter((span) => span.until > from && span.from < until);
  }

  /** The longest time without an interruption, from `time` (epoch ms) on, ms. @param end up to this moment, epoch ms */
  longestSince(time: number, end = this.now()): number {
    const lengths = this.spans.map(({ from, until = end }) => Math.min(until, end) - Math.max(from, time));
    return Math.max(0, ...lengths);
  }
}
