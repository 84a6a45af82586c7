import type { Signal } from '../base/abort.js';
import type { Clock } from '../base/seams.js';
import { sleep } from '../platform/sleep.js';
import type { Client } from './client.js';
import type { TransactionRequest } from './schema/transaction-request.js';
import type { TransactionResult } from './schema/transaction-result.js';

const POLL_MS = 2000;
const POLLS = 5;

/** How a terminal responded to a ping or a stop: at once, with a result, or not within ten seconds. */
export type CommandOutcome = 'at-once' | TransactionResult | undefined;

/**
 * Sends a command that a terminal runs at once, even during a payment (`pingDevice`, `stopCurrentTransaction`).
 * @throws RefusedError, NotSentError, AnswerLostError
 */
export async function commandTerminal(
  client: Client,
  clock: Clock,
  request: TransactionRequest,
  signal: Signal,
): Promise<CommandOutcome> {
  const accepted = await client.transactions.start(request, { signal });
  if (accepted.result === 'PING_PONG') return 'at-once';
  if (accepted.transactionResultId === undefined) return undefined;
  for (let tries = 0; tries < POLLS; tries++) {
    await sleep(clock, POLL_MS, signal);
    if (signal.aborted) return undefined;
    const answer = await client.transactions.result(accepted.transactionResultId, { signal });
    if (answer.state === 'result') return answer.result;
    if (answer.state === 'gone') return undefined;
  }
  return undefined;
}
