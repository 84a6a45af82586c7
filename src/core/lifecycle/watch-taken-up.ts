import { WATCH_LIMIT } from '../base/timings.js';

/** 2020-01-01 UTC. This software is younger: a clock that stands before that has never been set. Epoch ms. */
const SET_CLOCKS_ARE_AFTER = 1_577_836_800_000;

/**
 * Until when a process that takes an operation up goes on watching it: no longer than it would from here. An end that was
 * noted by a clock that had never been set does not say how much of the watch has passed: it begins anew.
 * @param watchUntil as the process before it noted it, epoch ms
 * @returns epoch ms
 */
export function watchTakenUp(watchUntil: number, now: number): number {
  const latest = now + WATCH_LIMIT;
  const wasUnset = watchUntil < SET_CLOCKS_ARE_AFTER && now >= SET_CLOCKS_ARE_AFTER;
  return wasUnset ? latest : Math.min(watchUntil, latest);
}
