import type { Outcome } from '../../core/operation.js';

const SUCCESSFUL: ReadonlySet<Outcome> = new Set<Outcome>(['approved', 'completed', 'refunded']);

/** Whether what was asked for was done, all of it. Asked by the runtime and by the sidebar. */
export function isSuccess(outcome: Outcome): boolean {
  return SUCCESSFUL.has(outcome);
}
