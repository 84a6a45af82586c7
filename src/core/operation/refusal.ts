import { isBadKey } from '../api/transport/error-answer.js';
import {
  InputError,
  KeyReplacedError,
  NotSentError,
  NotStartedError,
  type PaymentError,
  RefusedError,
  UnclearApprovalError,
  UnwrittenError,
  WithdrawnError,
} from '../base/errors.js';
import type { Verdict } from './verdict.js';

/** How the service refused a request. `key`: for its API key, and another key is used from now on. */
export type Refusal = 'busy' | 'throttled' | 'key' | 'mistake' | 'other';

/** A mistake in the flow or its configuration: the flow hears it through Catch. */
export function isMistake(refusal: Refusal): boolean {
  return refusal === 'mistake' || refusal === 'key';
}

type Failure = NonNullable<Verdict['error']>;

/** What a request that failed means to any lifecycle. */
export type FailureEvent =
  /** The request was withdrawn while it still waited for the rate limit: by a cancel, or because this engine stops. */
  | { type: 'withdrawn' }
  | { type: 'not-sent'; error: Failure }
  | { type: 'refused'; refusal: Refusal; error: Failure; needsChange?: true }
  | { type: 'answer-lost'; approves?: 'amount' | 'reference' };

/** The service's names for the terminal error numbers (spec: Errors), which its answers may leave out. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['1001', 'TERMINAL_BUSY'],
  ['1002', 'TERMINAL_OFFLINE'],
  ['1003', 'STOP_NOT_ALLOWED'],
  ['1004', 'TERMINAL_NOT_ASSIGNED'],
  ['1005', 'NOTHING_TO_STOP'],
]);

/** Whatever is not certain counts as a lost answer. */
export function failureEvent(error: PaymentError): FailureEvent {
  if (error instanceof WithdrawnError) return { type: 'withdrawn' };
  if (error instanceof NotStartedError) {
    return { type: 'not-sent', error: describe(error.code, 'NotStarted', error) };
  }
  if (error instanceof UnwrittenError) return { type: 'not-sent', error: describe(error.code, 'JournalError', error) };
  if (error instanceof NotSentError) return { type: 'not-sent', error: describe(error.code, 'NotSent', error) };
  if (error instanceof RefusedError) {
    return { type: 'refused', refusal: refusalOf(error), error: describeRefusal(error) };
  }
  // The request was checked before it was recorded; an input error here means that nothing was sent.
  if (error instanceof InputError) {
    return { type: 'refused', refusal: 'mistake', error: describe(error.code, error.name, error) };
  }
  if (error instanceof UnclearApprovalError) return { type: 'answer-lost', approves: error.differs };
  return { type: 'answer-lost' };
}

function refusalOf(error: RefusedError): Refusal {
  if (error.status === 429) return 'throttled';
  if (error instanceof KeyReplacedError) return 'key';
  if (error.serviceCode === '1001') return 'busy';
  return error.status === 422 || isBadKey(error) ? 'mistake' : 'other';
}

function describeRefusal(error: RefusedError): Failure {
  const code = error.serviceCode ?? String(error.status);
  return describe(code, NAMES.get(code) ?? error.serviceName ?? error.name, error);
}

function describe(code: string, name: string, { message }: Error): Failure {
  return { code, name, message };
}
