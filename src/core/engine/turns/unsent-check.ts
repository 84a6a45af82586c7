import type { Client } from '../../api/client.js';
import type { TransactionResult } from '../../api/schema/transaction-result.js';
import { Abort } from '../../base/abort.js';
import type { Clock } from '../../base/seams.js';
import { LAST_ANSWER, SETTLING_LAG } from '../../base/timings.js';
import type { Journal } from '../../journal/journal.js';
import type { OperationRecord, TerminalRecord } from '../../journal/record.js';
import { ownOf } from '../../lifecycle/chain/chain-evidence.js';
import { entryIn } from '../../lifecycle/chain/shape.js';
import { soughtOnTerminal } from '../../lifecycle/chain/sought.js';
import { flowWaitsUntil, isStale, type LifecycleState, turnIsLost } from '../../lifecycle/terminal/state.js';
import { movesMoney } from '../../operation/kinds.js';
import { sleep } from '../../platform/sleep.js';
import { madeByOthers } from '../../runner/others-in-chain.js';

/** Between two questions that nobody answers, ms. */
const PAUSE = 5_000;
/** No database goes on from an older copy sooner, ms. */
const DOUBTFUL_AFTER = 5_000;

/**
 * Payments that were taken up unsent, or that a door has asked for some time ago. The journal may be a copy that is only minutes
 * old, so that another process has sent them: each is asked for once before it is sent, or called not begun. One after the
 * other, as a point of sale may have many.
 */
export class UnsentCheck {
  /** The answers stay: a turn may come in the moment between an answer and what it changes. */
  private readonly asked = new Map<string, Promise<boolean>>();
  private last: Promise<unknown> = Promise.resolve();
  private readonly ended = new Abort();

  constructor(
    private readonly client: Client,
    private readonly clock: Clock,
    private readonly journal: Journal,
  ) {}

  /**
   * Begins to ask for an unsent payment that was taken up.
   * @param latest its record, as it is when somebody asks
   * @returns whether another process may have sent it
   */
  begin(latest: () => OperationRecord): Promise<boolean> {
    const { operationId } = latest();
    let hear = (): void => undefined;
    const heard = new Promise<void>((resolve) => {
      hear = resolve;
    });
    const answer = this.last.then(() => this.ask(latest, hear));
    // What an answer leaves open is asked for again beside those that follow.
    this.last = Promise.race([heard, answer]);
    let isAnswered = false;
    const decided = Promise.race([answer, this.givenUp(latest, () => isAnswered)]).finally(() => {
      isAnswered = true;
    });
    this.asked.set(operationId, decided);
    return decided;
  }

  /** Whether another process may have sent it; undefined where nobody has to be asked. */
  answer(operationId: string): Promise<boolean> | undefined {
    return this.asked.get(operationId);
  }

  end(): void {
    this.ended.abort();
  }

  /** Resolves with true once nobody waits for the answer any more, however long those before it take. */
  private async givenUp(latest: () => OperationRecord, isAnswered: () => boolean): Promise<boolean> {
    const patientUntil = this.clock.now() + LAST_ANSWER;
    while (!this.ended.signal.aborted && !isAnswered()) {
      const record = latest();
      if (!isUnsentPayment(record)) return false;
      if (isOver(record.state, patientUntil, this.clock.now())) return true;
      await sleep(this.clock, PAUSE, this.ended.signal);
    }
    return false;
  }

  /**
   * Resolves once the status service says it, or nobody waits for that any more. With true, too, if it does not show the payment to
   * refund or reverse, which would show by now.
   * @param hear called at the first answer, whatever it says
   */
  private async ask(latest: () => OperationRecord, hear: () => void): Promise<boolean> {
    let heardAt: number | undefined;
    while (!this.ended.signal.aborted) {
      const record = latest();
      if (!isUnsentPayment(record)) return false;
      const chain = await this.chain(record);
      if (chain !== undefined) hear();
      const isSent = chain && (await this.wasSent(record, chain).catch(() => undefined));
      if (isSent !== undefined) return isSent;
      const now = this.clock.now();
      if (heardAt !== undefined && now >= heardAt + SETTLING_LAG) return true;
      if (chain !== undefined) heardAt ??= now;
      await sleep(this.clock, PAUSE, this.ended.signal);
    }
    return false;
  }

  /** Undefined where nobody answers: whatever goes wrong here, a payment waits for it. */
  private chain(record: TerminalRecord): Promise<TransactionResult[] | undefined> {
    const { operationId, originalReference, state } = record;
    const reference = state.traceable ? operationId : (originalReference ?? operationId);
    return this.client.status.all(reference, { signal: this.ended.signal }).catch(() => undefined);
  }

  /** Undefined while the chain does not show the payment that it is about. @throws JournalError */
  private async wasSent(record: TerminalRecord, chain: TransactionResult[]): Promise<boolean | undefined> {
    const sought = soughtOnTerminal(record.request);
    if (record.state.traceable || sought === undefined) return chain.length > 0;
    if (entryIn(chain, sought.original) === undefined) return undefined;
    return ownOf(chain, sought, await madeByOthers(this.journal, record, chain)).length > 0;
  }
}

/**
 * Whether a leader may have begun with it before, though the journal does not know: a database that went on from an older copy has
 * requests of doors again that were dealt with. One that a leader takes at once cannot be such a request.
 */
export function mayBeBegunBefore({ origin, createdAt, updatedAt }: OperationRecord): boolean {
  return origin.asked === true && updatedAt - createdAt >= DOUBTFUL_AFTER;
}

/** Whether it is too old to be sent: it has to be asked for as if it had been. */
export function isStaleUnsent(record: OperationRecord, now: number): boolean {
  return isUnsentPayment(record) && isStale(record.state, now);
}

/** It is not sent any more: cancelled, or too late. The flow hears in time of what has a deadline. */
function isOver(state: LifecycleState, patientUntil: number, now: number): boolean {
  if (now >= flowWaitsUntil(state)) return true;
  return now >= patientUntil && (state.stopWanted === true || isStale(state, now) || turnIsLost(state, now));
}

export function isUnsentPayment(record: OperationRecord): record is TerminalRecord {
  return (
    record.kind === 'terminal' &&
    record.state.phase === 'queued' &&
    (record.state.traceable || record.state.traceableBy === 'original') &&
    movesMoney(record.operation)
  );
}
