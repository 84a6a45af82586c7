import type { Signal } from '../base/abort.js';
import type { Clock } from '../base/seams.js';

/** Resolves after `ms`, or at once when the signal aborts; leaves no timer behind. */
export function sleep(clock: Clock, ms: number, signal: Signal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const wake = (): void => {
      timer.cancel();
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = clock.after(ms, wake);
    signal.addEventListener('abort', wake);
  });
}
