import type { Database } from 'lmdb';
import { checkedJson, valueIn } from './checked-json.js';

const KEY = 'age';
/** How much may be lost when the process is killed, ms. */
const SAVED_EVERY = 60 * 60 * 1000;

/**
 * How long the journal has been open, ms: what its processes measured, summed up. No clock that can be set is involved, so
 * everything is at least as old as this says. It may be older: the time while the journal was closed is not counted, nor
 * what a killed process had measured since it last saved.
 */
export class Age {
  private readonly openedAt: number;
  private readonly before: number;
  private saved: number;

  /**
   * @param newest the age at which the newest record was written
   * @param clock passes evenly, ms
   */
  constructor(
    private readonly meta: Database<string, string>,
    newest: number,
    private readonly clock: () => number,
  ) {
    this.saved = valueIn<{ ms: number }>(meta.get(KEY) ?? '')?.ms ?? 0;
    this.before = Math.max(newest, this.saved);
    this.openedAt = clock();
  }

  now(): number {
    return this.before + Math.max(0, Math.floor(this.clock() - this.openedAt));
  }

  /** Saves the age now and then, for the next process. To be called in a transaction of the store. */
  save(): void {
    const ms = this.now();
    if (ms - this.saved < SAVED_EVERY) return;
    this.meta.putSync(KEY, checkedJson({ ms }));
    this.saved = ms;
  }
}
