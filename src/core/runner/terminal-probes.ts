import type { Client } from '../api/client.js';
import type { TransactionResult } from '../api/schema/transaction-result.js';
import { PaymentError, RefusedError } from '../base/errors.js';
import { withoutAbsent } from '../base/objects.js';
import type { Clock } from '../base/seams.js';
import type { Journal } from '../journal/journal.js';
import type { TerminalRecord } from '../journal/record.js';
import type { LifecycleEvent } from '../lifecycle/terminal/lifecycle.js';
import type { Probe } from '../lifecycle/terminal/schedule.js';
import { readingOf, UNREADABLE } from '../operation/result-meaning.js';
import { needsChange } from '../operation/retry.js';
import { meaningOfChain } from '../original/chain-meaning.js';

/** The event that an answer is, and the result it came with. */
export interface Evidence {
  event: LifecycleEvent;
  /** The attempt that it is about; absent: the latest. */
  reference?: string;
  result?: TransactionResult;
}

/** Asks the service about an operation. A probe that is not answered proves nothing, and is repeated later. */
export class Probes {
  constructor(
    private readonly client: Client,
    private readonly clock: Clock,
    private readonly journal: Journal,
  ) {}

  async run(probe: Probe, record: TerminalRecord, signal: AbortSignal): Promise<Evidence | undefined> {
    try {
      switch (probe) {
        case 'poll':
          return await this.poll(record, signal);
        case 'status':
          return await this.status(record, signal);
        case 'stop':
          return await this.stop(record, signal);
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
    switch (answer.state) {
      case 'result':
        return terminalEvidence(record, answer.result, 'poll');
      case 'unreadable':
        return unreadableEvidence('poll');
      case 'pending':
        return record.state.isProcessing ? undefined : { event: { type: 'processing' } };
      case 'gone':
        return record.state.isProcessing ? { event: { type: 'result-gone' } } : undefined;
    }
  }

  private async status(record: TerminalRecord, signal: AbortSignal): Promise<Evidence | undefined> {
    // In a pause no attempt is under way, and each of them may have begun although it was refused.
    const { phase } = record.state;
    const references = phase === 'pausing' ? record.references : record.references.slice(-1);
    let absent: Evidence | undefined;
    for (const reference of references) {
      const answer = await this.statusOf(reference, record, signal);
      if (answer?.event.type !== 'gateway' || answer.event.meaning !== 'none') return answer;
      // It is as old as the first of the answers.
      absent ??= answer;
    }
    return absent;
  }

  private async statusOf(
    reference: string,
    record: TerminalRecord,
    signal: AbortSignal,
  ): Promise<Evidence | undefined> {
    const askedAt = this.clock.now();
    const chain = await this.client.status.all(reference, { signal });
    const found = meaningOfChain(record.operation, chain, record.request);
    if (found === undefined) return { event: { type: 'gateway', meaning: 'none', askedAt } };
    const { meaning, entry, net } = found;
    if (!belongs(record, entry, reference)) return undefined;
    const { transactionID: transactionId } = entry;
    const event = { type: 'gateway', meaning, askedAt, transactionId, net, ...changeNeeded(record, entry) } as const;
    return { event: withoutAbsent(event), reference, result: entry };
  }

  /**
   * Only 1005 proves something: nothing runs on the terminal. On a terminal that others use a stop may hit a payment of
   * theirs, so it is sent only right after a poll has said that our own operation is on it.
   */
  private async stop(record: TerminalRecord, signal: AbortSignal): Promise<Evidence | undefined> {
    const { terminal, policies, resultId } = record;
    if (!policies.exclusiveTerminal) {
      const own = resultId === undefined ? undefined : await this.client.transactions.result(resultId, { signal });
      if (own?.state !== 'pending')
        return own?.state === 'result' ? terminalEvidence(record, own.result, 'poll') : undefined;
    }
    const askedAt = this.clock.now();
    try {
      await this.client.transactions.start({ operation: 'stopCurrentTransaction', ...terminal }, { signal });
      return undefined;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (error.serviceCode === '1005') return { event: { type: 'idle', askedAt } };
      if (error.serviceCode === '1002') return { event: { type: 'offline', askedAt } };
      throw error;
    }
  }

  private async reverse(record: TerminalRecord, signal: AbortSignal): Promise<Evidence | undefined> {
    if (record.transactionId === undefined) return undefined;
    // Asked right before, because a person may say so to another process.
    const { operationId } = record;
    const said = (await this.journal.annotations([operationId])).get(operationId);
    if (said?.at(-1)?.event === 'handled') return { event: { type: 'handled' } };
    const reversed: Evidence = { event: { type: 'reversed' } };
    try {
      const original = { originalGuid: record.transactionId };
      const answer = await this.client.reversal.reverse(original, { signal, isUrgent: true });
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
  reference = referenceIn(record, result),
): Evidence | undefined {
  if (reference === undefined || !belongs(record, result, reference)) return undefined;
  const reading = readingOf(record.operation, result, record.request);
  const { transactionID: transactionId } = result;
  const event = { type: 'terminal', ...reading, via, transactionId, ...changeNeeded(record, result) } as const;
  return { event, reference, result };
}

/** A result that came for an attempt and cannot be read: nobody knows what it says. */
export function unreadableEvidence(via: 'callback' | 'poll', reference?: string): Evidence {
  return { event: { type: 'terminal', ...UNREADABLE, via }, ...(reference === undefined ? {} : { reference }) };
}

function changeNeeded({ operation }: TerminalRecord, result: TransactionResult): { needsChange?: true } {
  return needsChange(operation, result) ? { needsChange: true } : {};
}

/** The attempt that a polled result is about: the one it names, else the latest. */
function referenceIn(
  { state, references }: TerminalRecord,
  { transactionReference = '' }: TransactionResult,
): string | undefined {
  const named = state.traceable && references.includes(transactionReference);
  return named ? transactionReference : references.at(-1);
}

/** A result that names another reference is another attempt's or operation's, where the service honours ours. */
function belongs(
  { state }: TerminalRecord,
  { transactionReference = '' }: TransactionResult,
  reference: string,
): boolean {
  return !state.traceable || transactionReference === '' || transactionReference === reference;
}
