import { Abort } from '../base/abort.js';
import type { Clock } from '../base/seams.js';
import { sleep } from '../platform/sleep.js';

/** Node-RED gives a node 15 s to close. */
const LAST_ANSWER_WAIT = 10_000;

/** Waits for the answer to a request that is on its way as the engine stops, as long as there is time for that. */
export async function lastAnswer(clock: Clock, posting: Promise<void> | undefined): Promise<void> {
  if (posting === undefined) return;
  const answered = new Abort();
  const done = posting.then(() => answered.abort());
  await Promise.race([done, sleep(clock, LAST_ANSWER_WAIT, answered.signal)]);
}
