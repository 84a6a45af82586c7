import type { Clock } from '../base/seams.js';

const START = Date.now() - performance.now();

/**
 * The computer's own time as it stood when the process began, and what has passed since: a clock that somebody sets
 * later must not make a payment look older, or younger, than it is. Its timers keep the process alive; whoever sets one
 * cancels it.
 */
export const systemClock: Clock = {
  now: () => Math.round(START + performance.now()),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};
