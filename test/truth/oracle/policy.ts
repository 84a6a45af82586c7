import type { Asked } from '../flow.js';
import type { World } from '../world.js';
import { mayStay } from './second-charge.js';

/** The recommended active-recovery timeout, ms. */
const RECOVERY_LIMIT = 360_000;
/** What is found out after so long nothing takes back any more, ms. */
const TOO_LATE_TO_REVERSE = 48 * 60 * 60_000;

/** After a reversal that nobody confirmed, or that the service could not be asked about any more, a person decides. */
function isLeftToPerson({ heard }: Asked, isBegun: boolean): boolean {
  const codes = heard.map(({ telling }) => telling.payload.error?.code);
  return codes.includes('REVERSAL_UNPROVEN') || (isBegun && codes.includes('SERVICE_CHANGED'));
}

/** What the flow decided in advance for approvals that come late, or in part. */
export function* policy(world: World, asked: Asked): Generator<string> {
  const { id, heard } = asked;
  const record = world.disk.of(id);
  const last = heard.at(-1)?.telling.payload;
  if (record?.kind !== 'terminal' || last === undefined) return;
  const { policies, startedAt, attemptAt, terminal, approvedEarlier } = record.state;
  const deadline = policies.deadlineMs === undefined ? attemptAt + RECOVERY_LIMIT : startedAt + policies.deadlineMs;
  // What works on an earlier payment cannot be undone, so no policy is about it.
  if (record.request.originalTransactionId !== undefined && record.operation !== 'refund') return;
  if (record.state.transactionId !== undefined && world.inspector.beyondReversal.has(record.state.transactionId))
    return;
  // Of an earlier attempt that was approved in time the flow hears once the late one has gone back.
  const wasApproved = terminal?.meaning === 'approved' && approvedEarlier === undefined;
  // A process that takes back a second charge after the flow has heard of this one notes its result as its own.
  const { at: toldAt = 0 } = heard.find(({ telling }) => telling.payload.outcome === last.outcome) ?? {};
  const isLate = record.request.amount !== undefined && wasApproved && Math.min(terminal.at, toldAt) >= deadline;
  // Of three charges one goes back, and callback-in hears that a person must look at the others.
  const isAlarmed = mayStay(asked);
  const isLeft =
    world.handled.has(record.operationId) || isAlarmed || isLeftToPerson(asked, record.state.reversing !== undefined);
  const isReversible = toldAt < startedAt + TOO_LATE_TO_REVERSE;
  const isKept =
    isLate && isReversible && !isLeft && policies.lateApproval === 'reverse' && last.outcome === 'approved';
  // With a clock that jumps nobody can compare what the record says of time.
  if (isKept && !world.clockIsWrong) yield 'a late approval was kept';
  const isPart = terminal?.meaning === 'partial' && last.outcome === 'partial';
  if (isPart && isReversible && !isLeft && policies.partialApproval === 'reverse' && last.error === undefined)
    yield 'a partial approval was kept';
  const { total = 0, requested = 0 } = last.amount?.minor ?? {};
  if (last.outcome === 'approved' && total < requested) yield `approved, and only ${total} of ${requested} moved`;
}
