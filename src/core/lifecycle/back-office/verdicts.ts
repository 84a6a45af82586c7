import type { BackOfficeOperation } from '../../operation/back-office-order.js';
import { kindOf } from '../../operation/kinds.js';
import { isMistake } from '../../operation/refusal.js';
import {
  AMOUNT_DIFFERS,
  HOLD_OR_MONEY,
  NO_RESPONSE,
  NOT_CHARGED,
  NOT_STARTED,
  NOT_STARTED_ELSEWHERE,
  PARTLY_REFUNDED,
  SERVICE_CHANGED,
  type Source,
  UNANSWERED,
  UNKNOWN,
  type Verdict,
  verdictWithoutEnd,
  WATCH_ENDED,
} from '../../operation/verdict.js';
import { declined as declinedVerdict, refusalVerdict, successVerdict, verdictOf } from '../../operation/verdict-of.js';
import type { VerdictSource as AnyVerdictSource } from '../verdict-source.js';
import { RULES } from './rules.js';
import { type BackOfficeEvent, type BackOfficeState, canReconcile } from './state.js';

/** What the answers of the back office mean, and what the flow is told. Every rule about money that reads them is in this file. */

type VerdictSource = AnyVerdictSource<BackOfficeState, BackOfficeEvent>;

/** @param kind the type of what was done, where the service says it: to release a hold moves no money */
export function doneVerdict(operation: BackOfficeOperation, kind?: string): Verdict {
  return successVerdict(kind === 'PRE_AUTHORIZATION_REVERSAL' ? 'release' : kindOf(operation));
}

/** What an answer, or the chain, says of what was done. */
type Shown = Pick<BackOfficeEvent & { type: 'proof' }, 'kind' | 'difference' | 'left' | 'isTwice'>;

/** As an approving answer says: with another amount than was asked for, a person must look. */
function doneAs(operation: BackOfficeOperation, { kind, difference, left, isTwice }: Shown): Verdict {
  const done = doneVerdict(operation, kind);
  if (isTwice) return { ...done, error: AMOUNT_DIFFERS };
  if (left !== undefined) return left === 0 ? verdictOf(operation, 'returned') : PARTLY_REFUNDED;
  if (difference === undefined) return done;
  const { isLess, error } = difference;
  const moneyMoved = isLess && done.moneyMoved === 'yes' ? 'partly' : done.moneyMoved;
  return { ...done, outcome: 'partial', moneyMoved, error };
}

/** A question about nothing that moves got no answer. */
export const NOT_ANSWERED: Verdict = {
  ...UNANSWERED,
  outcome: 'failed',
  error: Object.freeze({ ...NO_RESPONSE, message: 'the service gave no usable response for two minutes' }),
};

/** A refusal has proven it; the totals that the lost answer named, nobody knows. */
const TOTALS_UNKNOWN = Object.freeze({
  code: 'TOTALS_UNKNOWN',
  name: 'TotalsUnknown',
  message: 'the batch is closed, but the response with its totals was lost: request the summary of this batch',
});

/** The answer was lost, and no reference is known to ask by. */
const UNTRACEABLE: Verdict = {
  ...UNKNOWN,
  error: Object.freeze({
    code: 'NO_WITNESS',
    name: 'NoWitness',
    message:
      'the response was lost, and nobody can be asked whether it was done, as no reference of the payment is known: check the ' +
      'records of the acquirer',
  }),
};

/** The open batch may have been closed; a second close might close the one after it. */
const CLOSE_UNKNOWN: Verdict = {
  ...UNKNOWN,
  error: Object.freeze({
    code: 'BATCH_CLOSE_UNKNOWN',
    name: 'BatchCloseUnknown',
    message:
      'the response was lost, and a close without a batch number is not sent again because it could close the next ' +
      'batch: check the batches at the acquirer, then close by number what is still open',
  }),
};

const TIP_UNCERTAIN: Verdict = {
  ...UNKNOWN,
  error: Object.freeze({
    code: 'TIP_UNCERTAIN',
    name: 'TipUncertain',
    message:
      'the service approved the tip within a minute of the sale, or after something of the sale went back; such an approval ' +
      'may have no effect, and nothing has confirmed it since: look at the tip of the payment at the acquirer',
  }),
};

/** @param source who says that it was done: the answer, or what shows it after a lost one */
export const done =
  (source: Source): VerdictSource =>
  (state, event) => {
    const shown = event.type === 'proof' || (event.type === 'answered' && event.approved) ? event : {};
    return { verdict: doneAs(state.operation, shown), source };
  };

/** @param source who says that it was declined: the answer, or what shows it after a lost one */
export const declined =
  (source: Source): VerdictSource =>
  ({ operation }, event) => {
    const { meaning = 'declined' } = event.type === 'proof' ? event : {};
    const verdict = verdictOf(operation, meaning, 'needsChange' in event ? event : {});
    return { verdict: { ...verdict, ...errorOf(event) }, source };
  };

/** After a lost answer a mistake is no news: an earlier try was made with the same settings. */
export const refusal: VerdictSource = ({ lostAt }, event) => ({
  verdict: refusalVerdict(errorOf(event).error),
  source: 'answer',
  ...(lostAt === undefined && event.type === 'refused' && isMistake(event.refusal) ? { mistake: true } : {}),
});

export const notSent: VerdictSource = (_state, event) => ({
  verdict: { ...NOT_CHARGED, ...errorOf(event) },
  source: 'answer',
});

/** Nothing of it was sent, and nothing will be. */
export const neverStarted: VerdictSource = ({ serviceChanged }) => ({
  verdict: serviceChanged ? NOT_STARTED_ELSEWHERE : NOT_STARTED,
  source: 'recovery',
});

/** Nothing shows it: not the chain, nor the refusal of a later try. */
export const absent: VerdictSource = (state) => ({ verdict: absentVerdict(state), source: 'status' });

function absentVerdict({ refusal, perhapsSent, decline }: BackOfficeState): Verdict {
  if (decline?.refusal) return refusalVerdict(decline.error);
  if (decline !== undefined) return { ...declinedVerdict(decline), error: decline.error };
  if (refusal !== undefined) return refusalVerdict(refusal);
  return perhapsSent ? NOT_STARTED : NOT_CHARGED;
}

export const doneBefore: VerdictSource = ({ operation }) => ({
  verdict: { ...doneVerdict(operation), error: TOTALS_UNKNOWN },
  source: 'recovery',
});

/** A person must look. */
export const unknown: VerdictSource = (state) => ({
  verdict: verdictWithoutEnd(state.operation, unknownVerdict(state)),
  source: 'recovery',
});

/** Two days later nobody has said. A close without a number could still close the next batch. */
export const watchEnded: VerdictSource = ({ operation, notResendable }) => {
  const { retry, ...verdict } = verdictWithoutEnd(operation, WATCH_ENDED);
  return { verdict: { ...verdict, retry: notResendable ? 'never' : retry }, source: 'recovery' };
};

function unknownVerdict(state: BackOfficeState): Verdict {
  const { operation, serviceChanged, refusal, notResendable, answeredAt, approved } = state;
  if (answeredAt !== undefined) return HOLD_OR_MONEY;
  if (serviceChanged) {
    const { error } = SERVICE_CHANGED;
    return RULES[operation].read ? { ...NOT_ANSWERED, error } : SERVICE_CHANGED;
  }
  if (approved === 'early') return TIP_UNCERTAIN;
  if (approved === 'amount') return { ...UNKNOWN, error: AMOUNT_DIFFERS };
  if (refusal !== undefined) return { ...UNKNOWN, error: refusal };
  if (notResendable) return CLOSE_UNKNOWN;
  return canReconcile(state) ? UNKNOWN : UNTRACEABLE;
}

function errorOf(event: BackOfficeEvent): Pick<Verdict, 'error'> {
  return 'error' in event ? { error: event.error } : {};
}
