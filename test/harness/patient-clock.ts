import type { Clock } from '../../src/core/base/seams.js';
import { systemClock } from '../../src/core/platform/system-clock.js';

/** For a simulator: several starts of Node-RED on a busy machine take longer than a terminal waits for a card. */
export const PATIENT: Clock = { ...systemClock, after: (ms, run) => systemClock.after(ms * 20, run) };
