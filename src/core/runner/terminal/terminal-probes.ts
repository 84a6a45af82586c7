import type { Client } from '../../api/client.js';
import { isReversed, type ReversalResult } from '../../api/reversal.js';
import type { TransactionResult } from '../../api/schema/transaction-result.js';
import type { CallOptions } from '../../api/transport/transport.js';
import { NotStartedError, PaymentError, RefusedError } from '../../base/errors.js';
import { saidAmount } from '../../base/money.js';
import { textOf, withoutAbsent } from '../../base/objects.js';
import { isSameId } from '../../base/same-id.js';
import type { Clock } from '../../base/seams.js';
import { GLANCE_WAIT } from '../../base/timings.js';
import { isLeftToPerson } from '../../journal/annotation.js';
import type { Journal } from '../../journal/journal.js';
import type { TerminalRecord } from '../../journal/record.js';
import { meaningOfChain } from '../../lifecycle/chain/chain-meaning.js';
import { isOfAnother } from '../../lifecycle/chain/shape.js';
import {
  earlierAskedFrom,
  endedAttempts,
  isWhollyBack,
  knownAttempts,
} from '../../lifecycle/terminal/earlier-attempts.js';
import { type LifecycleEvent, type LifecycleState, needsStop } from '../../lifecycle/terminal/lifecycle.js';
import type { Probe } from '../../lifecycle/terminal/schedule.js';
import { kindOf } from '../../operation/kinds.js';
import { chainReferenceOf } from '../../original/chain-reference.js';
import { soon } from '../../platform/soon.js';
import { isMadeByAnother, isNoId, namedIn } from '../named-original.js';
import { EarlierAttempts } from './earlier-attempts.js';
import { earlierInChain, shownByChain } from './linked-status.js';
import { belongs, changeNeeded, type Evidence, resultEvidence, unreadableEvidence } from './result-evidence.js';

/** How to end a question, at once or only where it has not been sent, and who hears of a part of its answer. */
export interface Asking extends Pick<CallOptions, 'signal' | 'withdraw' | 'isUrgent'> {
  note: (evidence: Evidence) => void;
  /** The operation as it is by now. */
  current: () => LifecycleState;
}

/** Nothing of it is left, or somebody gave something of it back. */
const WENT_BACK: ReadonlySet<string> = new Set(['cancelled', 'returned']);

/** Reversed already, or completed already. */
const ALREADY: ReadonlySet<string> = new Set(['3051', '3052']);

/** Asks the service about an operation. A probe that is not answered proves nothing, and is repeated later. */
export class Probes {
  private attempts: EarlierAttempts | undefined;

  constructor(
    private readonly client: Client,
    private readonly clock: Clock,
    private readonly journal: Journal,
    private readonly onLost: (error: PaymentError) => void,
  ) {}

  async run(probe: Probe, record: TerminalRecord, asking: Asking): Promise<Evidence | undefined> {
    try {
      switch (probe) {
        case 'poll':
          return await this.poll(record, asking);
        case 'status':
          return await this.status(record, asking);
        case 'earlier':
          return await this.earlier(record, asking);
        case 'stop':
          return await this.stop(record, asking);
        case 'reverse':
          return await this.reverse(record, asking);
      }
    } catch (error) {
      this.noteLost(error);
      return undefined;
    }
  }

  private async poll(record: TerminalRecord, asking: Asking): Promise<Evidence | undefined> {
    if (record.resultId === undefined) return undefined;
    const askedAt = this.clock.now();
    const answer = await this.client.transactions.result(record.resultId, asking);
    switch (answer.state) {
      case 'result':
        return resultEvidence(record, answer.result, 'poll', this.journal, { askedAt });
      case 'unreadable':
        return unreadableEvidence('poll');
      case 'pending':
        return record.state.isProcessing ? undefined : { event: { type: 'processing' } };
      case 'gone':
        return { event: { type: 'result-gone', askedAt } };
    }
  }

  private async status(record: TerminalRecord, asking: Asking): Promise<Evidence | undefined> {
    if (!record.state.traceable) return this.statusElsewhere(record, asking);
    // Each of the refused attempts may have begun all the same.
    const { phase } = record.state;
    const ended = endedAttempts(record.state);
    const isAboutAll = phase === 'pausing' || phase === 'listening';
    const open = record.references.filter((reference) => !ended.includes(reference));
    const answers: Evidence[] = [];
    for (const reference of isAboutAll ? open : record.references.slice(-1)) {
      const answer = await this.statusOf(reference, record, asking);
      if (answer === undefined) return undefined;
      // The flow hears of a charge at once, whether the other attempts are answered or not.
      if (shows(answer, 'approved', 'partial')) return answer;
      answers.push(answer);
    }
    return telling(answers);
  }

  /** Asks about the attempts before the latest: what one of them did counts too. */
  private async earlier(record: TerminalRecord, asking: Asking): Promise<Evidence | undefined> {
    const { references, state } = record;
    const known = knownAttempts(state);
    const open = references.slice(0, -1).filter((reference) => !known.includes(reference));
    if (!state.traceable) return this.earlierElsewhere(record, open, asking);
    const { shown = [] } = state.earlier ?? {};
    this.attempts ??= new EarlierAttempts();
    const event = await this.attempts.ask(
      open,
      earlierAskedFrom(state) ?? 0,
      shown,
      (reference) => this.statusOf(reference, record, asking),
      (part) => asking.note({ event: part }),
    );
    return event && { event };
  }

  /** The same, of attempts that show in the chain of their original alone. */
  private async earlierElsewhere(
    record: TerminalRecord,
    open: readonly string[],
    asking: Asking,
  ): Promise<Evidence | undefined> {
    const reference = chainReferenceOf(record);
    if (reference === undefined) return undefined;
    const askedAt = this.clock.now();
    const chain = await this.client.status.all(reference, asking);
    const event = await earlierInChain(chain, record, open, askedAt, this.journal);
    return event && { event };
  }

  /**
   * Asks about an operation that the service keeps under another reference: that of its original, or one that its result
   * names.
   */
  private async statusElsewhere(record: TerminalRecord, asking: Asking): Promise<Evidence | undefined> {
    const reference = chainReferenceOf(record);
    if (reference === undefined) return undefined;
    const askedAt = this.clock.now();
    const chain = await this.client.status.all(reference, asking);
    if (record.request.originalTransactionId !== undefined) {
      return shownByChain(chain, record, askedAt, this.journal);
    }
    // This, too, may be the answer to another question, or be about what another operation has made.
    if (chain.some((entry) => isOfAnother(entry, [reference]))) return undefined;
    const { event, result } = this.readingOf(record, chain, askedAt);
    if (result === undefined) return { event };
    const { transactionID: id = '' } = result;
    return !isNoId(id) && (await isMadeByAnother(record, id, this.journal)) ? undefined : { event, result };
  }

  private async statusOf(reference: string, record: TerminalRecord, asking: Asking): Promise<Evidence | undefined> {
    const askedAt = this.clock.now();
    const chain = await this.client.status.all(reference, asking);
    const { event, result } = this.readingOf(record, chain, askedAt);
    if (result === undefined) return { event };
    return belongs(record, result, reference) ? { event, reference, result } : undefined;
  }

  private readingOf(
    record: TerminalRecord,
    chain: readonly TransactionResult[],
    askedAt: number,
  ): { event: LifecycleEvent; result?: TransactionResult } {
    const found = meaningOfChain(record.operation, chain, record.request);
    if (found === undefined) return { event: { type: 'gateway', meaning: 'none', askedAt } };
    const { entry: result, ...shown } = found;
    const { transactionID: transactionId } = result;
    const event = { type: 'gateway', ...shown, askedAt, transactionId, ...changeNeeded(record, result) } as const;
    return { event: withoutAbsent(event), result };
  }

  /**
   * Only 1005 proves something: nothing runs on the terminal. On a terminal that others use a stop may hit a payment of
   * theirs, so it is sent only right after a poll has said that our own operation is on it, or for a keyed entry of ours that
   * keeps it busy after its end.
   */
  private async stop(record: TerminalRecord, asking: Asking): Promise<Evidence | undefined> {
    const { terminal, policies, resultId } = record;
    const askedAt = this.clock.now();
    if (!policies.exclusiveTerminal && !needsStop(record.state)) {
      const own = resultId === undefined ? undefined : await this.client.transactions.result(resultId, asking);
      if (own?.state === 'result') return resultEvidence(record, own.result, 'poll', this.journal, { askedAt });
      if (own?.state !== 'pending')
        return record.state.stopWanted ? { event: { type: 'stop-not-possible' } } : undefined;
    }
    const stoppedAt = this.clock.now();
    const stop = { operation: 'stopCurrentTransaction', ...terminal } as const;
    try {
      await this.client.transactions.start(stop, { ...asking, mayStart: () => this.journal.mayAct() });
      // What it ends is not stopped once more: that could hit the next payment on the terminal.
      return { event: { type: 'stop-tried' } };
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (error.serviceCode === '1005') return { event: { type: 'idle', askedAt: stoppedAt } };
      if (error.serviceCode === '1002') return { event: { type: 'offline', askedAt: stoppedAt } };
      throw error;
    }
  }

  /** What goes back. Where its result names no transaction, the status service says which it is. */
  private async transactionToReverse(record: TerminalRecord, asking: Asking): Promise<string | undefined> {
    const { references, state } = record;
    const { reference, transactionId } = state.reversing?.second ?? {
      reference: references.at(-1),
      transactionId: record.transactionId,
    };
    if (transactionId || reference === undefined || !state.traceable) return transactionId;
    const shown = await this.statusOf(reference, record, asking);
    return shown?.event.type === 'gateway' ? shown.event.transactionId : undefined;
  }

  /** What the status service says of an attempt, where it says that soon: nothing that has to go back waits for it. */
  private async shownSoon(
    reference: string | undefined,
    record: TerminalRecord,
    asking: Asking,
  ): Promise<Evidence | undefined> {
    if (reference === undefined || !record.state.traceable) return undefined;
    let shown: Evidence | undefined;
    const answered = this.statusOf(reference, record, { ...asking, isUrgent: true }).then((evidence) => {
      shown = evidence;
    }, this.noteLost);
    await soon(this.clock, GLANCE_WAIT, answered);
    return shown;
  }

  private readonly noteLost = (error: unknown): void => {
    if (!(error instanceof PaymentError)) throw error;
    this.onLost(error);
  };

  private async hasGoneBack(reference: string, record: TerminalRecord, asking: Asking): Promise<boolean> {
    const shown = await this.statusOf(reference, record, asking);
    return shown?.event.type === 'gateway' && isWhollyBack(shown.event);
  }

  /** An answer about another payment says nothing of this one. @throws JournalError */
  private async isOfAnother(record: TerminalRecord, original: string, answer: ReversalResult): Promise<boolean> {
    if (namedIn(answer).some((id) => !isNoId(id) && !isSameId(id, original))) return true;
    const { reversalGuid = '' } = answer;
    const isOwn = isNoId(reversalGuid) || isSameId(reversalGuid, original);
    return !isOwn && (await isMadeByAnother(record, reversalGuid, this.journal));
  }

  private async reverse(record: TerminalRecord, asking: Asking): Promise<Evidence | undefined> {
    const { operationId, state } = record;
    const { reversing } = state;
    const { second } = reversing ?? {};
    const reversed: Evidence = { event: { type: 'reversed' } };
    const shown = await this.shownSoon(second?.reference ?? record.references.at(-1), record, asking);
    if (shown?.event.type === 'gateway' && WENT_BACK.has(shown.event.meaning)) {
      // The whole would come back on top of it. What is left of a part, a person decides about.
      if (second === undefined) return shown;
      return shown.event.meaning === 'cancelled' || isWhollyBack(shown.event) ? reversed : undefined;
    }
    const originalGuid = await this.transactionToReverse(record, asking);
    if (!originalGuid) return undefined;
    // Read right before it is sent, because a person may have said so to another process, or while it waited for the rate limit.
    let isHandled = false;
    const onLeaving = async (): Promise<void> => {
      const current = asking.current();
      if (current.phase !== 'reversing' || current.reversing !== reversing)
        throw new NotStartedError('it is not to be reversed any more');
      isHandled = isLeftToPerson((await this.journal.annotations([operationId])).get(operationId));
      if (isHandled) throw new NotStartedError('a person has dealt with it');
    };
    try {
      const answer = await this.client.reversal.reverse(
        { originalGuid },
        { ...asking, isUrgent: true, mayStart: () => this.journal.mayAct(), onLeaving },
      );
      const isProved = answer.approved && provesReversal(record, answer) && !isShort(record, answer);
      return isProved && !(await this.isOfAnother(record, originalGuid, answer)) ? reversed : undefined;
    } catch (error) {
      if (isHandled) return { event: { type: 'handled' } };
      // Reversed or completed already: by a lost try of ours, or by somebody else, who may have given back a part. The chain says.
      const isAlready = error instanceof RefusedError && ALREADY.has(error.serviceCode ?? '');
      if (isAlready && second !== undefined && (await this.hasGoneBack(second.reference, record, asking)))
        return reversed;
      throw error;
    }
  }
}

/** The answer for a hold may name its release alone. */
function provesReversal({ operation }: TerminalRecord, answer: ReversalResult): boolean {
  return kindOf(operation) === 'hold' || isReversed(answer);
}

/**
 * Whether the answer to a reversal names less than was charged, an amount that cannot be read, or another currency: the chain
 * has to say what went back.
 */
function isShort({ request, state, result }: TerminalRecord, answer: ReversalResult): boolean {
  const { amount } = answer;
  // The service may write it in small letters.
  const currency = answer.currency?.toUpperCase() ?? '';
  if (currency !== '' && request.currency !== undefined && currency !== request.currency) return true;
  // The result is that of the latest attempt.
  const total = state.reversing?.second === undefined ? Number(textOf(result?.totalAmount)) : 0;
  const charged = total || Number(request.amount);
  const back = saidAmount(amount, currency || request.currency);
  return back === undefined ? Boolean(amount) : Math.abs(Number(back)) < charged;
}

const shows = ({ event }: Evidence, ...meanings: string[]): boolean =>
  event.type === 'gateway' && meanings.includes(event.meaning);

/** Of several attempts of which none shows a charge the one that may have charged; where none may have, the oldest answer. */
function telling(answers: readonly Evidence[]): Evidence | undefined {
  const says = (...meanings: string[]): Evidence | undefined => answers.find((answer) => shows(answer, ...meanings));
  const mayHaveCharged = says('undefined', 'in-progress', 'failed') ?? says('returned');
  const told = mayHaveCharged ?? says('declined') ?? says('cancelled') ?? answers[0];
  if (told?.event.type !== 'gateway' || shows(told, 'none') || says('none') === undefined) return told;
  return { ...told, event: { ...told.event, othersAbsent: true } };
}
