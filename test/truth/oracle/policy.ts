import type { Asked } from '../flow.js';
import type { World } from '../world.js';

/** The recommended active-recovery timeout, ms. */
const RECOVERY_LIMIT = 360_000;

/** After a reversal that nobody confirmed, and after the service was another one meanwhile, a person decides. */
const LEFT_TO_PERSON: ReadonlySet<string> = new Set(['REVERSAL_UNPROVEN', 'SERVICE_CHANGED']);

/** What the flow decided in advance for approvals that come late, or in part. */
export function* policy(world: World, { id, heard }: Asked): Generator<string> {
  const record = world.disk.of(id);
  const last = heard.at(-1)?.telling.payload;
  if (record?.kind !== 'terminal' || last === undefined) return;
  const { policies, startedAt, attemptAt, terminal } = record.state;
  const deadline = policies.deadlineMs === undefined ? attemptAt + RECOVERY_LIMIT : startedAt + policies.deadlineMs;
  // What works on an earlier payment cannot be undone, so no policy is about it.
  if (record.request.originalTransactionId !== undefined && record.operation !== 'refund') return;
  if (record.state.transactionId !== undefined && world.inspector.beyondReversal.has(record.state.transactionId))
    return;
  const isLate = record.request.amount !== undefined && terminal?.meaning === 'approved' && terminal.at >= deadline;
  const isLeftToPerson = heard.some(({ telling }) => LEFT_TO_PERSON.has(telling.payload.error?.code ?? ''));
  const isKept = isLate && !isLeftToPerson && policies.lateApproval === 'reverse' && last.outcome === 'approved';
  // With a clock that jumps nobody can compare what the record says of time.
  if (isKept && !world.clockIsWrong) yield 'a late approval was kept';
  const isPart = terminal?.meaning === 'partial' && last.outcome === 'partial';
  if (isPart && !isLeftToPerson && policies.partialApproval === 'reverse' && last.error === undefined)
    yield 'a partial approval was kept';
  const { total = 0, requested = 0 } = last.amount?.minor ?? {};
  if (last.outcome === 'approved' && total < requested) yield `approved, and only ${total} of ${requested} moved`;
}
