import type { OperationRecord } from '../journal/record.js';

/**
 * The record, as old as the journal and the process before know it to be: the clock of this process may be behind theirs. It
 * ages no further than to the flow's own deadline, so that the flow hears sooner, and nothing else comes to its end.
 * @param unchangedFor see `Journal.unchangedFor`
 * @param now epoch ms
 */
export function withTimePassed(
  record: OperationRecord,
  unchangedFor: number | undefined,
  now: number,
): OperationRecord {
  if (record.kind !== 'terminal' || unchangedFor === undefined) return record;
  const { state, updatedAt } = record;
  const { startedAt, policies } = state;
  if (policies.deadlineMs === undefined) return record;
  // Both were noted by the clock of the process before.
  const passed = unchangedFor + Math.max(0, updatedAt - startedAt);
  const startedBy = now - Math.min(passed, policies.deadlineMs);
  return startedAt <= startedBy ? record : { ...record, state: { ...state, startedAt: startedBy } };
}
