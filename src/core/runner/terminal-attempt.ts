import type { Client } from '../api/client.js';
import type { TransactionRequest } from '../api/schema/transaction-request.js';
import type { TransactionAccepted } from '../api/transactions.js';
import type { CallOptions } from '../api/transport/transport.js';
import { type CallbackSettings, callbackAddress, callbackToken } from '../base/callback.js';
import type { TerminalRecord } from '../journal/record.js';

/** Sends the latest attempt of an operation, once. @throws PaymentError */
export async function sendAttempt(
  client: Client,
  record: TerminalRecord,
  callback: CallbackSettings | undefined,
  options: CallOptions,
): Promise<TransactionAccepted> {
  return client.transactions.start(requestOf(record, callback), options);
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
