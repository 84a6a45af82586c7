import type { Client } from '../../api/client.js';
import { mayBeAtWork, type OperationRecord, waitsForTurn } from '../../journal/record.js';
import type { AnyRunner } from '../../runner/runner-context.js';
import type { EngineOptions } from '../options.js';
import type { RecordFactory } from '../record-factory.js';
import { queueKeys, serviceAddress, terminalKey } from './queue-keys.js';
import { TurnQueues } from './turn-queues.js';
import { isUnsentPayment, UnsentCheck } from './unsent-check.js';

interface Operations {
  get: (operationId: string) => AnyRunner | undefined;
  isStopped: () => boolean;
}

/**
 * Gives the operations of an engine their turn: one at a time on each terminal and about each original, and what another
 * process may have sent only once the status service was asked about it.
 */
export class Turns {
  private readonly queues: TurnQueues;
  private readonly address: string;
  private readonly unsent: UnsentCheck;

  constructor(
    private readonly options: EngineOptions,
    client: Client,
    private readonly records: RecordFactory,
    private readonly operations: Operations,
  ) {
    this.queues = options.turns ?? new TurnQueues();
    this.address = serviceAddress(options.baseUrl);
    this.unsent = new UnsentCheck(client, options.clock, options.journal);
  }

  /** Joins the queues of an operation. Returns whether it is its turn at once; otherwise its turn is given to it later. */
  join(record: OperationRecord): boolean {
    const { operationId } = record;
    const isAtWork = (): boolean => mayBeAtWork(this.operations.get(operationId)?.record);
    const keys = queueKeys(record, this.address);
    return this.queues.join(keys, operationId, () => void this.give(operationId), isAtWork);
  }

  leave(operationId: string): void {
    this.queues.leave(operationId);
  }

  isNext(operationId: string): boolean {
    return this.queues.isNext(operationId);
  }

  /** Whether another operation may be under way on its terminal. */
  isBehind(record: OperationRecord): boolean {
    return this.queues.isBehind(terminalKey(record, this.address), record.operationId);
  }

  /** It is this operation's turn. Its original may have changed while it waited. */
  async give(operationId: string): Promise<void> {
    const runner = this.operations.get(operationId);
    if (runner === undefined || this.operations.isStopped()) return;
    try {
      const { request, createdAt } = runner.record;
      runner.refreshOriginal(await this.records.reversedBy(request, createdAt));
    } catch (error) {
      this.options.log?.('error', `${operationId}: ${String(error)}`);
    }
    const mayBeSent = this.unsent.answer(operationId);
    // What may have been sent waits for its turn to be stopped.
    const take = (isSent: boolean): void => runner.enqueue({ event: { type: isSent ? 'tick' : 'turn' } });
    if (mayBeSent === undefined) take(false);
    else void mayBeSent.then((isSent) => this.operations.isStopped() || take(isSent));
  }

  /** Of what a leader may have begun with before: a payment is asked for, and for anything else its chain. */
  askFirst(runner: AnyRunner): void {
    if (isUnsentPayment(runner.record)) void this.checkUnsent(runner);
    else if (runner.record.kind === 'back-office') this.restore(runner, false);
  }

  /** What the journal calls unsent is asked for before its turn comes. */
  async checkUnsent(runner: AnyRunner): Promise<void> {
    const isSent = await this.unsent.begin(() => runner.record);
    // Its result may have come before the answer.
    if (this.operations.isStopped() || !waitsForTurn(runner.record)) return;
    if (isSent) this.restore(runner, true);
    else runner.enqueue({ event: { type: 'shown-unsent' } });
  }

  /** Nothing is asked after this. */
  end(): void {
    this.unsent.end();
  }

  private restore(runner: AnyRunner, mayBeBackup: boolean): void {
    runner.restore({ serviceChanged: false, mayBeBackup, foundAt: this.options.clock.now() }, false);
  }
}
