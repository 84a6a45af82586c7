import { AnswerLostError, NotSentError } from '../../src/core/base/errors.js';
import type { Clock, Send } from '../../src/core/base/seams.js';
import { sleep } from '../../src/core/platform/sleep.js';
import { STATUS_URL } from '../../src/simulator/index.js';
import { isIn } from './disk.js';
import type { Outage } from './scenario.js';

/** `time`: ms from the beginning of the run. */
export function outageFor(outages: readonly Outage[], url: string, time: number): Outage | undefined {
  const target = url.startsWith(STATUS_URL) ? 'status' : 'service';
  return outages.find((outage) => isIn([outage], time) && (outage.target === 'both' || outage.target === target));
}

/** What a request meets in an outage. */
export function cut({ kind }: Outage, clock: Clock): Send {
  return async ({ timeoutMs, signal }) => {
    if (kind === 'refused') throw new NotSentError('connection refused');
    await sleep(clock, timeoutMs, signal ?? new AbortController().signal);
    throw new AnswerLostError('no answer');
  };
}
