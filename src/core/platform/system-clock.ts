import type { Clock } from '../base/seams.js';

const START = Date.now() - performance.now();

/**
 * The system time at the start of the process plus the time elapsed since. Setting the computer's clock later
 * therefore does not change the age of a payment. Timers keep the process alive, so each has to be cancelled.
 */
export const systemClock: Clock = {
  wall: Date.now,
  now: () => Math.round(START + performance.now()),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};
