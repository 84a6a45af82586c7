import type { Client } from './api/client.js';
import { isBadKey } from './api/failures.js';
import type { TransactionRequest } from './api/transaction-request.js';
import type { CallOptions } from './api/transport.js';
import { callbackAddress, callbackToken } from './callback.js';
import { InputError, NotSentError, PaymentError, RefusedError, WithdrawnError } from './errors.js';
import type { LifecycleEvent, Refusal } from './lifecycle.js';
import type { TerminalRecord, Verdict } from './operation.js';

/** Where results are to be called back to: the public address below which each attempt has its own path. */
export interface CallbackSettings {
  /** https, or http on loopback. */
  address: string;
  secret: string;
}

const NAMES: Record<string, string> = {
  '1001': 'TERMINAL_BUSY',
  '1002': 'TERMINAL_OFFLINE',
  '1003': 'STOP_NOT_ALLOWED',
  '1004': 'TERMINAL_NOT_ASSIGNED',
  '1005': 'NOTHING_TO_STOP',
};

/** Sends the latest attempt of an operation, once, and says what became of it. Never rejects with a `PaymentError`. */
export async function sendAttempt(
  client: Client,
  record: TerminalRecord,
  callback: CallbackSettings | undefined,
  options: CallOptions,
): Promise<{ event: LifecycleEvent; error?: PaymentError }> {
  try {
    const accepted = await client.transactions.start(requestOf(record, callback), options);
    return { event: { type: 'accepted', resultId: accepted.transactionResultId } };
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    return { event: eventOf(error), error };
  }
}

function requestOf(record: TerminalRecord, callback: CallbackSettings | undefined): TransactionRequest {
  const reference = record.references.at(-1) ?? record.operationId;
  return {
    ...record.request,
    ...(record.state.traceable ? { transactionReference: reference } : {}),
    ...(callback === undefined
      ? {}
      : {
          callbackUrl: callbackAddress(callback.address, reference),
          token: callbackToken(callback.secret, reference),
        }),
  };
}

function eventOf(error: PaymentError): LifecycleEvent {
  if (error instanceof WithdrawnError) return { type: 'withdrawn' };
  if (error instanceof NotSentError) return { type: 'not-sent', error: describe(error.code, 'NotSent', error) };
  if (error instanceof RefusedError)
    return { type: 'refused', refusal: refusalOf(error), error: describeRefusal(error) };
  // The request was checked before it was recorded; an input error here means that nothing was sent.
  if (error instanceof InputError)
    return { type: 'refused', refusal: 'mistake', error: describe(error.code, error.name, error) };
  return { type: 'answer-lost' };
}

function refusalOf(error: RefusedError): Refusal {
  if (error.status === 429) return 'throttled';
  if (error.serviceCode === '1001') return 'busy';
  return error.status === 422 || isBadKey(error) ? 'mistake' : 'other';
}

function describeRefusal(error: RefusedError): NonNullable<Verdict['error']> {
  const code = error.serviceCode ?? String(error.status);
  return describe(code, NAMES[code] ?? error.serviceName ?? error.name, error);
}

function describe(code: string, name: string, { message }: Error): NonNullable<Verdict['error']> {
  return { code, name, message };
}
