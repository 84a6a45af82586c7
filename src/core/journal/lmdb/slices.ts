import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Timer } from '../../base/seams.js';
import { systemClock } from '../../platform/system-clock.js';

/** How long others wait for their turn, ms. */
const SLICE = 2;
/** How much longer than its work a check in the background rests, so that payments feel nothing of it. */
const REST = 9;

/** Called between two slices of work: resolves with whether to go on. */
export type Pause = () => Promise<boolean>;

/** Does one step after the other, in slices. Resolves with whether it came to the end. */
export async function inSlices(steps: Iterator<unknown> | AsyncIterator<unknown>, pause: Pause): Promise<boolean> {
  do {
    const begun = systemClock.now();
    while (systemClock.now() - begun < SLICE) if ((await steps.next()).done) return true;
  } while (await pause());
  return false;
}

/** Goes on for `ms` at most, without rests. */
export function pauseFor(ms: number): Pause {
  const end = systemClock.now() + ms;
  return async () => {
    await nextTurn();
    return systemClock.now() < end;
  };
}

/** The rests of work in the background, until it is stopped. */
export class Rests {
  private timer: Timer | undefined;
  private wake: () => void = () => undefined;
  private isStopped = false;

  readonly pause: Pause = async () => {
    await new Promise<void>((resolve) => {
      if (this.isStopped) return resolve();
      this.wake = resolve;
      this.timer = systemClock.after(SLICE * REST, resolve);
    });
    return !this.isStopped;
  };

  stop(): void {
    this.isStopped = true;
    this.timer?.cancel();
    this.wake();
  }
}
