import type { Client } from '../../api/client.js';
import type { TransactionRequest } from '../../api/schema/transaction-request.js';
import type { TransactionAccepted } from '../../api/transactions.js';
import type { CallOptions } from '../../api/transport/transport.js';
import { type CallbackSettings, callbackAddress, callbackToken } from '../../base/callback.js';
import { changed } from '../../base/objects.js';
import type { TerminalRecord } from '../../journal/record.js';

/**
 * Sends the next attempt of an operation, once.
 * @param leave called when the rate limit has let it through; returns the record with the attempt
 * @throws PaymentError
 */
export async function sendAttempt(
  client: Client,
  leave: () => Promise<TerminalRecord>,
  callback: CallbackSettings | undefined,
  options: CallOptions,
): Promise<TransactionAccepted> {
  return client.transactions.startOnceAdmitted(async () => requestOf(await leave(), callback), options);
}

function requestOf(record: TerminalRecord, callback: CallbackSettings | undefined): TransactionRequest {
  const reference = record.references.at(-1) ?? record.operationId;
  const own = { transactionReference: record.state.traceable ? reference : undefined };
  const called = callback && {
    callbackUrl: callbackAddress(callback.address, reference),
    token: callbackToken(callback.secret, reference),
  };
  return changed<TransactionRequest>(record.request, Object.assign(own, called));
}
