import type { TransactionRequest } from '../../api/schema/transaction-request.js';
import type { CallOptions } from '../../api/transport/transport.js';
import { type CallbackSettings, callbackAddress, callbackToken } from '../../base/callback.js';
import { changed, withoutAbsent } from '../../base/objects.js';
import type { TerminalRecord } from '../../journal/record.js';
import type { LifecycleEvent } from '../../lifecycle/terminal/lifecycle.js';
import type { RunnerContext } from '../runner-context.js';
import { givesTooMuch, type Looking, looksFirst } from './look-before.js';
import { ownAcceptance } from './own-acceptance.js';

/** What the next attempt needs of its runner. */
interface Attempt extends Pick<Looking, 'note'> {
  /** The operation as it is by now. */
  current: () => TerminalRecord;
  /** Called when the rate limit has let it through: the record has the attempt then. */
  leave: () => Promise<void>;
  options: () => CallOptions & Pick<Looking, 'withdraw'>;
}

/**
 * Sends the next attempt of an operation, once, or not at all where more would go back than was taken.
 * @throws PaymentError
 */
export async function sendAttempt(attempt: Attempt, context: RunnerContext): Promise<LifecycleEvent> {
  const { current, leave, options, note } = attempt;
  const { client, callback, journal } = context;
  const looking = { withdraw: options().withdraw, note };
  if (looksFirst(current()) && (await givesTooMuch(current(), context, looking))) return { type: 'too-much-back' };
  const made = (): Promise<TransactionRequest> => leave().then(() => requestOf(current(), callback));
  const accepted = await client.transactions.startOnceAdmitted(made, options());
  const { transactionResultId: resultId, saysEnd } = await ownAcceptance(current(), accepted, journal);
  return withoutAbsent({ type: 'accepted', resultId, saysEnd } as const);
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
