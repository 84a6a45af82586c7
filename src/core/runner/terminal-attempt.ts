import type { Client } from '../api/client.js';
import type { TransactionRequest } from '../api/schema/transaction-request.js';
import type { CallOptions } from '../api/transport/transport.js';
import { type CallbackSettings, callbackAddress, callbackToken } from '../base/callback.js';
import { InputError, NotSentError, PaymentError, RefusedError, WithdrawnError } from '../base/errors.js';
import type { TerminalRecord } from '../journal/record.js';
import type { LifecycleEvent } from '../lifecycle/terminal/lifecycle.js';
import { describe, describeRefusal, refusalOf } from '../operation/refusal.js';

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
