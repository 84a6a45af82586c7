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

/** By a right clock and with a sound journal alone: otherwise more than the time that has passed decides. */
export function* inTime(world: World, asked: Asked): Generator<string> {
  const [first] = asked.heard;
  const sentAt = world.standstill.sentAt.get(asked.id);
  if (world.isHostile || first === undefined || sentAt === undefined || first.at < sentAt) return;
  if (world.faults.of('journal write failed') > 0 || asked.request.kind !== 'terminal') return;
  const { policies } = asked.request.order;
  const mayReverse = policies.lateApproval === 'reverse' || policies.partialApproval === 'reverse';
  const isAccepted = world.standstill.accepted.has(asked.id);
  const harmless = isAccepted ? undefined : WITHOUT_MONEY.get(operationOf(asked));
  const due = sentAt + REQUEST + (harmless ?? MONEY);
  const { ms, lives } = world.uptime.between(due, first.at);
  if (ms > ASKING + (mayReverse ? REVERSAL : 0) + lives * STARTS)
    yield `told ${Math.round((first.at - due) / SECOND)} s late, in which time ${lives} processes were up for ${Math.round(ms / SECOND)} s`;
}
