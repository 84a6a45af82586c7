/** As much of an AbortSignal as a request needs. */
export interface Signal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

class OwnSignal implements Signal {
  aborted = false;
  /** Made for the first one: most signals of a payment never have any. */
  listeners: Set<() => void> | undefined;

  addEventListener(_type: 'abort', listener: () => void): void {
    this.listeners ??= new Set();
    this.listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.listeners?.delete(listener);
  }
}

/**
 * An AbortController for the path of every sale, where Node's own signals cost several microseconds, and for a signal that many
 * requests share: of more than ten listeners Node warns as of a leak.
 */
export class Abort {
  private readonly own = new OwnSignal();

  get signal(): Signal {
    return this.own;
  }

  abort(): void {
    if (this.own.aborted) return;
    this.own.aborted = true;
    for (const listener of this.own.listeners ?? []) listener();
  }
}
