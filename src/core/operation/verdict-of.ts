import { type Kind, kindOf, type Operation, successOf } from './kinds.js';
import type { Meaning } from './result-meaning.js';
import { isIssuerDecline, retryAfterRefusal } from './retry.js';
import { UNKNOWN, type Verdict } from './verdict.js';

/** The verdict that follows from what the service says. */

/** The verdict on a meaning that may be believed. */
export function verdictOf(
  operation: Operation,
  meaning: Meaning,
  { needsChange = false }: { needsChange?: boolean } = {},
): Verdict {
  switch (meaning) {
    case 'approved':
      return successVerdict(kindOf(operation));
    case 'partial':
      return partialVerdict(kindOf(operation));
    case 'declined':
      return declined({ needsChange });
    case 'cancelled':
      return { outcome: 'cancelled', moneyMoved: 'no', final: true, retry: 'safe' };
    case 'returned':
      // A refund that was taken back has given nothing back.
      if (kindOf(operation) === 'refund') return verdictOf(operation, 'cancelled');
      return { outcome: 'refunded', moneyMoved: 'no', final: true, retry: 'never' };
    case 'failed':
      return { outcome: 'failed', moneyMoved: 'no', final: true, retry: needsChange ? 'after-change' : 'safe' };
    case 'undefined':
    case 'in-progress':
      return UNKNOWN;
  }
}

/** A part of it was done. A part of a hold is held, and no money has moved. */
function partialVerdict(kind: Kind): Verdict {
  const moneyMoved = successOf(kind).moneyMoved === 'no' ? 'no' : 'partly';
  return { outcome: 'partial', moneyMoved, final: true, retry: 'remainder-only' };
}

/** Nothing was charged: by the issuer's decision, or because of something that has to be changed first. */
export function declined({ needsChange = false }: { needsChange?: boolean } = {}): Verdict {
  const retry = needsChange ? 'after-change' : 'after-cardholder';
  return { outcome: 'declined', moneyMoved: 'no', final: true, retry };
}

/** The verdict on an operation of this kind that was done as requested. */
export function successVerdict(kind: Kind): Verdict {
  const { outcome, moneyMoved } = successOf(kind);
  return { outcome, moneyMoved, final: true, retry: 'never' };
}

/** The service refused the request before anything began, or an issuer declined it with a refusal. */
export function refusalVerdict(
  error: Verdict['error'],
  { needsChange = false }: { needsChange?: boolean } = {},
): Verdict {
  if (isIssuerDecline(error?.code)) return { ...declined(), error };
  const retry = needsChange ? 'after-change' : retryAfterRefusal(error?.code);
  return { outcome: 'refused', moneyMoved: 'no', final: true, retry, error };
}

/** The terminal is busy, perhaps with this very request: nothing shows of it, and a correction says how it ended. */
export function busyUnproven(error: Verdict['error']): Verdict {
  return { ...refusalVerdict(error), final: false, retry: 'after-recovery' };
}
