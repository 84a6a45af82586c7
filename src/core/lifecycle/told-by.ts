import { SECOND_LOOK } from '../base/timings.js';

/**
 * When a process that takes an operation up tells the flow that nobody can say how it ended: when the process before it
 * would have, so that the flow hears in time however often the process dies. A proof has to be counted anew, and this is
 * none. What should have been told long ago is asked for first.
 * @param due when the process before would have told it, epoch ms
 * @param asking how long it takes to ask, ms
 * @returns epoch ms
 */
export function toldAfterRestart(due: number, now: number, asking: number): number {
  return now > due + asking ? now + asking : Math.max(due, now + SECOND_LOOK);
}
