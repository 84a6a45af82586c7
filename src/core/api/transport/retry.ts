import type { Signal } from '../../base/abort.js';
import { AnswerLostError, NotSentError } from '../../base/errors.js';
import type { Clock } from '../../base/seams.js';
import { sleep } from '../../platform/sleep.js';

const PAUSES = [1000, 2000, 4000, 8000];

/** Retries a read-only request that got no response. Rejects with the last failure, or at once if the signal aborts. */
export async function retried<T>(clock: Clock, signal: Signal, ask: () => Promise<T>): Promise<T> {
  for (const ms of PAUSES) {
    try {
      return await ask();
    } catch (error) {
      const isOpen = error instanceof AnswerLostError || error instanceof NotSentError;
      if (!isOpen || signal.aborted) throw error;
    }
    await sleep(clock, ms, signal);
  }
  return ask();
}
