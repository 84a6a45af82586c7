import type { Clock } from './seams.js';

/** The computer's own time. Its timers keep the process alive; whoever sets one cancels it. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};
