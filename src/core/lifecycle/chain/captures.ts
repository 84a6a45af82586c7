import { type Entry, found } from './shape.js';
import { wholeOf } from './whole.js';

/** What became of the captures of a hold. */

/**
 * The captures that had not gone back as a whole before an entry of the chain; undefined while the chain leaves that open.
 * @param until the entry, which is in the chain
 */
export function capturesBefore(until: Entry, hold: Entry, chain: readonly Entry[]): Entry[] | undefined {
  const standing: Entry[] = [];
  const { about, doubtful } = found('capture', chain, chain, hold);
  // One that does not say of which hold it is may be of this one.
  if (doubtful.length > 0) return undefined;
  for (const capture of about) {
    const wentBack = hasGoneBack(capture, chain.slice(chain.indexOf(capture) + 1, chain.indexOf(until)), chain);
    if (wentBack === undefined) return undefined;
    if (!wentBack) standing.push(capture);
  }
  return standing;
}

/** @param since entries that came after the capture */
function hasGoneBack(capture: Entry, since: readonly Entry[], chain: readonly Entry[]): boolean | undefined {
  const { about, doubtful } = found('reversal', since, chain, capture);
  if (doubtful.length > 0) return undefined;
  // A later reversal of a part replaces an earlier one.
  const last = about.at(-1);
  if (last === undefined) return false;
  const [then, now] = [wholeOf(capture, chain.slice(0, chain.indexOf(last))), wholeOf(capture, chain)];
  if (then === undefined || now === undefined || last.totalAmount === undefined) return undefined;
  const back = Math.abs(last.totalAmount);
  if (back >= now) return true;
  // A tip that came after it may be charged beside what went back.
  return back < then ? false : undefined;
}
