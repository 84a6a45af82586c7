import type { BackOfficeOperation } from '../../operation/back-office-order.js';
import { kindOf } from '../../operation/kinds.js';
import { successVerdict, UNKNOWN, type Verdict, verdictOf } from '../../operation/verdict.js';
import type { AmountMismatch } from './amounts.js';

/** What the answers of the back office mean. Every rule about money that reads them is in this file. */

/** @param kind the type of what was done, where the service says it: to release a hold moves no money */
export function doneVerdict(operation: BackOfficeOperation, kind?: string): Verdict {
  return successVerdict(kind === 'PRE_AUTHORIZATION_REVERSAL' ? 'release' : kindOf(operation));
}

/** As an approving answer says: with another amount than was asked for, a person must look. */
export function doneAs(
  operation: BackOfficeOperation,
  { kind, difference }: { kind?: string; difference?: AmountMismatch },
): Verdict {
  const done = doneVerdict(operation, kind);
  if (difference === undefined) return done;
  const { isLess, error } = difference;
  const moneyMoved = isLess && done.moneyMoved === 'yes' ? 'partly' : done.moneyMoved;
  return { ...done, outcome: 'partial', moneyMoved, error };
}

export function deniedVerdict(error: Verdict['error']): Verdict {
  return { ...verdictOf('sale', 'declined'), ...(error === undefined ? {} : { error }) };
}

/** A question about nothing that moves got no answer. */
export const NOT_ANSWERED: Verdict = {
  outcome: 'failed',
  moneyMoved: 'no',
  final: true,
  retry: 'safe',
  error: { code: 'NOT_ANSWERED', name: 'NotAnswered', message: 'the service did not answer for two minutes' },
};

/** A refusal has proven it; what the lost answer said beside that, nobody knows. */
export function doneBeforeVerdict(operation: BackOfficeOperation): Verdict {
  switch (operation) {
    case 'batch/close':
      return { ...doneVerdict(operation), error: TOTALS_UNKNOWN };
    case 'reversal':
      // Nobody has said of what: where the journal does not know, it may have been a hold.
      return doneVerdict(operation, 'PRE_AUTHORIZATION_REVERSAL');
    default:
      return doneVerdict(operation);
  }
}

const TOTALS_UNKNOWN = {
  code: 'TOTALS_UNKNOWN',
  name: 'TotalsUnknown',
  message: 'the batch is closed, and the answer with its totals was lost: ask for the summary of that batch',
};

/** The open batch may have been closed; a second close might close the one after it. */
export const CLOSE_UNKNOWN: Verdict = {
  ...UNKNOWN,
  error: {
    code: 'BATCH_CLOSE_UNKNOWN',
    name: 'BatchCloseUnknown',
    message:
      'the answer was lost, and a close without a batch number is not sent again, as it might close the next batch: look ' +
      'at the batches of the acquirer, then close by number what is still open',
  },
};

export const REFUND_UNCERTAIN: Verdict = {
  ...UNKNOWN,
  error: {
    code: 'REFUND_UNCERTAIN',
    name: 'RefundUncertain',
    message:
      'the service has approved it, but a refund of a payment that is 90 days old may never arrive: look at the ' +
      'settlement of the acquirer, or refund to the card itself',
  },
};
