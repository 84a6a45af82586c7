import type { TerminalRecord } from '../../journal/record.js';
import { ownAttempt, wentBack } from '../../lifecycle/terminal/earlier-attempts.js';
import type { LifecycleEvent } from '../../lifecycle/terminal/lifecycle.js';
import { movesMoney } from '../../operation/kinds.js';
import type { Outcome } from '../../operation/outcome.js';
import { UNKNOWN, type Verdict, verdictOf } from '../../operation/verdict.js';

/**
 * What a terminal's result means after the flow got a final verdict. Undefined where it adds nothing: the same verdict
 * once more, a question to the cardholder, or an approval that the flow's own policy has reversed.
 */
export function lateVerdict(
  { operation, state }: TerminalRecord,
  result: LifecycleEvent & { type: 'terminal' },
): Verdict | undefined {
  const { meaning, via } = result;
  const { reported, reversing } = state;
  // The poll saw a question on the screen that has been answered since.
  if (meaning === 'partial' && via === 'poll') return undefined;
  // A "no" is about its own attempt alone: it contradicts no approval of another one.
  if (result.earlier !== undefined && (meaning === 'declined' || meaning === 'cancelled')) return undefined;
  // What that attempt charged has gone back, as we asked.
  if (wentBack(state, result.earlier ?? '')) return undefined;
  const verdict = verdictOf(operation, meaning, result);
  if (reported === undefined) return undefined;
  const known = [ownAttempt(state), reversing?.second?.reference];
  const isAnother = result.earlier !== undefined && !known.includes(result.earlier);
  if (reversing !== undefined && !isAnother) return undefined;
  if (verdict.outcome === reported || verdict.outcome === 'failed' || verdict.outcome === 'unknown') return undefined;
  if (reported === 'unknown') return verdict;
  // It was charged before it was given back, as the status service has shown since.
  const hasGoneBack = reported === 'refunded' || (reported === 'cancelled' && state.latest?.source === 'status');
  const isSame = result.transactionId === state.transactionId;
  if (hasGoneBack && (meaning === 'approved' || meaning === 'partial') && isSame) return undefined;
  const isSuccess = (outcome: Outcome): boolean =>
    outcome === 'partial' || outcome === verdictOf(operation, 'approved').outcome;
  // An operation that moves no money contradicts nothing, however it ended.
  const isHarmless = !movesMoney(operation) || isSuccess(verdict.outcome) === isSuccess(reported);
  return isHarmless ? verdict : contradicted(reported, verdict.outcome);
}

function contradicted(before: Outcome, now: Outcome): Verdict {
  const message = `settled as "${before}", but the terminal now reports "${now}": check the records of the acquirer`;
  return { ...UNKNOWN, error: { code: 'CONTRADICTED', name: 'Contradicted', message } };
}
