import type { Signal } from '../base/abort.js';
import { PaymentError } from '../base/errors.js';
import { withoutAbsent } from '../base/objects.js';
import type { Clock } from '../base/seams.js';
import { sleep } from '../platform/sleep.js';
import type { Client } from './client.js';
import type { TransactionRequest } from './schema/transaction-request.js';
import type { TransactionResult } from './schema/transaction-result.js';
import type { PolledResult } from './transactions.js';

const POLL_MS = 2000;
const PATIENCE_MS = 10_000;

/** What ends the wait, and whether the terminal did it. Anything else says neither. */
const ENDINGS: ReadonlyMap<string, boolean> = new Map([
  ['PROCESSED', true],
  ['FAILED', false],
  ['DECLINED', false],
]);

/** What a terminal said to a ping or a stop. */
export interface CommandReply {
  isDone: boolean;
  device?: Record<string, unknown>;
  result?: TransactionResult;
}

/**
 * Sends a command that a terminal runs at once, even during a payment (`pingDevice`, `stopCurrentTransaction`).
 * @returns undefined where the terminal has not said within ten seconds whether it did it
 * @throws RefusedError, NotSentError, AnswerLostError
 */
export async function commandTerminal(
  client: Client,
  clock: Clock,
  request: TransactionRequest,
  signal: Signal,
): Promise<CommandReply | undefined> {
  const {
    result: reply,
    deviceStatus: device,
    transactionResultId,
  } = await client.transactions.start(request, { signal });
  if (reply === 'PING_PONG') return withoutAbsent({ isDone: true, device });
  if (transactionResultId === undefined) return undefined;
  for (const until = clock.now() + PATIENCE_MS; clock.now() < until; ) {
    await sleep(clock, POLL_MS, signal);
    if (signal.aborted) return undefined;
    const answer = await polled(client, transactionResultId, signal);
    if (answer?.state === 'gone') return undefined;
    const isDone = answer?.state === 'result' ? ENDINGS.get(answer.result.finStatus) : undefined;
    if (answer?.state !== 'result' || isDone === undefined) continue;
    return withoutAbsent({ isDone, device: answer.result.deviceStatus, result: answer.result });
  }
  return undefined;
}

/** A poll that is refused, or gets no answer, says nothing of the command: it is asked once more. */
async function polled(client: Client, resultId: string, signal: Signal): Promise<PolledResult | undefined> {
  try {
    return await client.transactions.result(resultId, { signal });
  } catch (error) {
    if (error instanceof PaymentError) return undefined;
    throw error;
  }
}
