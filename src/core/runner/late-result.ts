import type { TerminalRecord } from '../journal/record.js';
import type { Meaning } from '../operation/result-meaning.js';
import { type Outcome, UNKNOWN, type Verdict, verdictOf } from '../operation/verdict.js';

/**
 * What a terminal's result means after the flow was told something final. Undefined where it adds nothing: the same
 * once more, a question, or an approval that the flow's own policy has taken back.
 */
export function lateVerdict(
  { operation, state }: TerminalRecord,
  meaning: Meaning,
  via: 'callback' | 'poll',
): Verdict | undefined {
  const { reported, reversing } = state;
  // The question on the screen as it stood when it was asked for: the answer to it has come since.
  if (meaning === 'partial' && via === 'poll') return undefined;
  const verdict = verdictOf(operation, meaning);
  if (reported === undefined || reversing !== undefined) return undefined;
  if (verdict.outcome === reported || verdict.outcome === 'failed' || verdict.outcome === 'unknown') return undefined;
  const isSuccess = (outcome: Outcome): boolean =>
    outcome === 'partial' || outcome === verdictOf(operation, 'approved').outcome;
  return isSuccess(verdict.outcome) === isSuccess(reported) ? verdict : contradicted(reported, verdict.outcome);
}

function contradicted(told: Outcome, now: Outcome): Verdict {
  const message = `the flow was told "${told}", and the terminal now says "${now}": look at the acquirer's records`;
  return { ...UNKNOWN, error: { code: 'CONTRADICTED', name: 'Contradicted', message } };
}
