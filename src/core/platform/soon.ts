import type { Clock, Timer } from '../base/seams.js';

/** Waits for something, but no longer than `ms`; leaves no timer behind. */
export async function soon(clock: Pick<Clock, 'after'>, ms: number, awaited: Promise<unknown>): Promise<void> {
  let timer: Timer | undefined;
  const late = new Promise<void>((resolve) => {
    timer = clock.after(ms, resolve);
  });
  try {
    await Promise.race([awaited, late]);
  } finally {
    timer?.cancel();
  }
}
