import type { Clock } from '../base/seams.js';
import { sleep } from '../platform/sleep.js';
import type { Client } from './client.js';
import type { TransactionRequest } from './schema/transaction-request.js';
import type { TransactionResult } from './schema/transaction-result.js';

const POLL_MS = 2000;
const POLLS = 5;

/** What a terminal said to a ping or a stop: at once, by its result, or not within ten seconds. */
export type CommandOutcome = 'at-once' | TransactionResult | undefined;

/**
 * Sends a terminal what it does at once (`pingDevice`, `stopCurrentTransaction`), beside whatever it is doing.
 * @throws RefusedError, NotSentError, AnswerLostError
 */
export async function commandTerminal(
  client: Client,
  clock: Clock,
  request: TransactionRequest,
  signal: AbortSignal,
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
