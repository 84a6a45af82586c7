import { JOURNAL_PATIENCE } from '../../../src/core/base/timings.js';
import { type Asked, operationOf } from '../flow.js';
import type { World } from '../world.js';

/** When the flow has to hear of what a terminal was asked for, if only that nobody can say, however often the process dies. */

const SECOND = 1000;
/** What a request may take until its answer is given up. */
const REQUEST = 20 * SECOND;
/** The recovery limit, and what its last question may take. */
const MONEY = 360 * SECOND + 30 * SECOND;
/** So long a reversal by policy is tried, in whichever process begins it. */
const REVERSAL = 120 * SECOND;
const WITHOUT_MONEY = new Map([
  ['printReceipt', 30 * SECOND],
  ['tokenizeCard', 90 * SECOND],
  ['cardPan', 90 * SECOND],
]);
/** A process that comes late may ask first; what it has told may have been lost with it, and is told again. */
const ASKING = 120 * SECOND;
const STARTS = 10 * SECOND;
/** The same of one that has to learn first whether its key opens what another key has sent. */
const LEARNS = 25 * SECOND;
/** How long a process that the database has kept from starting waits at most until it tries again. */
const STARTS_AGAIN = 30 * SECOND;

/** With a sound journal it takes no longer; one that cannot be written has a minute of its own, at each telling. */
export function* inTime(world: World, asked: Asked): Generator<string> {
  const { uptime, disk, isHostile, failedStarts } = world;
  const [first] = asked.heard;
  const sentAt = lastSentAt(world, asked);
  if (first === undefined || sentAt === undefined || first.at < sentAt || asked.request.kind !== 'terminal') return;
  const { policies } = asked.request.order;
  // What a repeated request charged a second time goes back whatever the flow has decided.
  const mayReverse = isHostile || policies.lateApproval === 'reverse' || policies.partialApproval === 'reverse';
  const most = REQUEST + (WITHOUT_MONEY.get(operationOf(asked)) ?? MONEY);
  // What was repeated, and answered "busy", is found when the wait for the terminal ends, and may take its time from then on.
  const wait = isHostile ? policies.busyWaitMs : 0;
  // One of several that shows late has the time of a payment from then on; a backup may know of one alone.
  const mayBeSeveral = world.forgotten.has(asked.id) || (disk.of(asked.id)?.references.length ?? 1) > 1;
  const isOneOfSeveral = isHostile && mayBeSeveral;
  const due = uptime.endOf(sentAt, REQUEST) + most - REQUEST + wait + (isOneOfSeveral ? MONEY : 0);
  const starts = world.wasElsewhereSince(sentAt) ? LEARNS : STARTS;
  const patience = disk.wasBrokenBetween(sentAt, first.at) ? JOURNAL_PATIENCE : 0;
  const failed = failedStarts.filter((at) => at + STARTS_AGAIN > due && at < first.at).length;
  const late = ASKING + (mayReverse ? REVERSAL : 0) + patience + triesAgain(failed);
  // What the journal has lost nobody can tell from then on.
  const toldAt = Math.min(first.at, world.forgotten.get(asked.id) ?? first.at);
  const { ms, lives } = uptime.between(due, toldAt);
  const seconds = Math.round((toldAt - due) / SECOND);
  if (!world.clockIsWrong) {
    if (ms > late + lives * starts)
      yield `told ${seconds} s late, in which time ${lives} processes were up for ${Math.round(ms / SECOND)} s`;
    return;
  }
  // A clock that jumps, and each start by a wrong one, begin the proofs anew.
  for (const { from, until } of uptime.within(due, toldAt)) {
    const begun = Math.max(from, first.disturbedAt ?? 0) + most;
    if (until > Math.max(due, begun) + late + starts)
      yield `told ${seconds} s late, and the process was up all the while`;
  }
}

/** How long starts take that fail so many times in a row: each tries for a while, and waits twice as long as the one before. */
function triesAgain(failures: number): number {
  let ms = 0;
  for (let failure = 0; failure < failures; failure++) ms += STARTS + Math.min(2 ** failure * SECOND, STARTS_AGAIN);
  return ms;
}

/** When a terminal was asked for it last, or when a process that died over the next attempt may have asked. Epoch ms. */
function lastSentAt({ standstill, disk, clockIsWrong }: World, { id }: Asked): number | undefined {
  const sentAt = standstill.sentAt.get(id);
  if (sentAt === undefined || clockIsWrong) return sentAt;
  const again = disk.of(id)?.timeline.findLast(({ event }) => event === 'sent-again');
  return Math.max(sentAt, again?.at ?? sentAt);
}
