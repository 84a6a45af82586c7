import type { Client } from '../api/client.js';
import { commandTerminal } from '../api/device-command.js';
import type { TransactionResult } from '../api/schema/transaction-result.js';
import { PaymentError, RefusedError } from '../base/errors.js';
import type { Clock } from '../base/seams.js';
import type { TerminalRecord } from '../journal/record.js';
import type { LifecycleEvent } from '../lifecycle/terminal/lifecycle.js';
import type { Probe } from '../lifecycle/terminal/schedule.js';
import { mayGoOn, meaningOf } from '../operation/result-meaning.js';

/** The event that an answer is, and the result it came with. */
export interface Evidence {
  event: LifecycleEvent;
  result?: TransactionResult;
}

/** Asks the service about an operation. A probe that is not answered proves nothing, and is repeated later. */
export class Probes {
  constructor(
    private readonly client: Client,
    private readonly clock: Clock,
  ) {}

  async run(probe: Probe, record: TerminalRecord, signal: AbortSignal): Promise<Evidence | undefined> {
    try {
      switch (probe) {
        case 'poll':
          return await this.poll(record, signal);
        case 'status':
          return await this.status(record, signal);
        case 'ping':
          return await this.command('pingDevice', record, signal);
        case 'stop':
          return await this.command('stopCurrentTransaction', record, signal);
        case 'reverse':
          return await this.reverse(record, signal);
      }
    } catch (error) {
      if (error instanceof PaymentError) return undefined;
      throw error;
    }
  }

  private async poll(record: TerminalRecord, signal: AbortSignal): Promise<Evidence | undefined> {
    if (record.resultId === undefined) return undefined;
    const answer = await this.client.transactions.result(record.resultId, { signal });
    return answer.state === 'result' ? terminalEvidence(record, answer.result, 'poll') : undefined;
  }

  private async status(record: TerminalRecord, signal: AbortSignal): Promise<Evidence | undefined> {
    const askedAt = this.clock.now();
    const reference = record.references.at(-1) ?? record.operationId;
    const answer = await this.client.status.get(reference, 'first', { signal });
    if (answer === 'no-record') return { event: { type: 'gateway', meaning: 'none', askedAt } };
    if (!belongs(record, answer)) return undefined;
    const meaning = meaningOf(record.operation, answer, record.request);
    const { transactionID: transactionId } = answer;
    return {
      event: { type: 'gateway', meaning, askedAt, transactionId, ...(mayGoOn(answer) && { mayGoOn: true }) },
      result: answer,
    };
  }

  /** After a ping that is answered, or a stop that stopped something or found nothing, the terminal is idle. */
  private async command(
    operation: 'pingDevice' | 'stopCurrentTransaction',
    { terminal }: TerminalRecord,
    signal: AbortSignal,
  ): Promise<Evidence | undefined> {
    const askedAt = this.clock.now();
    const idle: Evidence = { event: { type: 'idle', askedAt } };
    try {
      const answer = await commandTerminal(this.client, this.clock, { operation, ...terminal }, signal);
      return answer === 'at-once' || answer?.finStatus === 'PROCESSED' ? idle : undefined;
    } catch (error) {
      if (error instanceof RefusedError && error.serviceCode === '1005') return idle;
      throw error;
    }
  }

  private async reverse(record: TerminalRecord, signal: AbortSignal): Promise<Evidence | undefined> {
    if (record.transactionId === undefined) return undefined;
    const reversed: Evidence = { event: { type: 'reversed' } };
    try {
      const answer = await this.client.reversal.reverse({ originalGuid: record.transactionId }, { signal });
      return answer.approved ? reversed : undefined;
    } catch (error) {
      // 3051: reversed already. Where the status service knows the chain, the next status probe is better proof.
      const already = error instanceof RefusedError && error.serviceCode === '3051';
      if (already && !record.state.traceable) return reversed;
      throw error;
    }
  }
}

/** The evidence in a terminal's result; undefined when the result is another operation's. */
export function terminalEvidence(
  record: TerminalRecord,
  result: TransactionResult,
  via: 'callback' | 'poll',
): Evidence | undefined {
  if (!belongs(record, result)) return undefined;
  const meaning = meaningOf(record.operation, result, record.request);
  return { event: { type: 'terminal', meaning, via, transactionId: result.transactionID }, result };
}

/** A result that names another reference is another operation's, where the service honours ours. */
function belongs({ state, references }: TerminalRecord, { transactionReference = '' }: TransactionResult): boolean {
  return !state.traceable || transactionReference === '' || transactionReference === references.at(-1);
}
