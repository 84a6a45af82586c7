import type { OperationRecord } from '../journal/record.js';
import type { OrderKey } from '../operation/order-key.js';
import type { ActiveOperations } from './active-operations.js';
import type { EngineOptions } from './options.js';
import type { Repeats } from './repeats.js';
import type { Submission } from './submissions.js';

/** What a flow wants to be cancelled, within one environment. */
export type CancelTarget =
  /** Everything that came from a node, and what its messages repeat. */
  | { node: string }
  | { operationId: string }
  | { key: OrderKey }
  /** Everything on a terminal, by its serial number. */
  | { terminal: string };

/** Finds what is to be cancelled. A message that repeats an order stands for the first. */
export class Cancellation {
  constructor(
    private readonly options: Pick<EngineOptions, 'environment' | 'journal'>,
    private readonly operations: ActiveOperations,
    private readonly repeats: Repeats,
  ) {}

  /**
   * Stops the target where it is under way, without a look at the journal. Every result is delivered as usual.
   * @returns whether anything of it is under way here
   */
  cancel(target: CancelTarget): boolean {
    const meant = this.operations.all.filter(({ record }) => isMeant(target, record));
    for (const runner of meant) runner.cancel();
    const firsts = this.firstsOf(target).filter((first) => this.cancelOperation(first));
    return meant.length > 0 || firsts.length > 0;
  }

  /** Whether this environment has ever heard of it. @throws JournalError */
  async isKnown(target: CancelTarget): Promise<boolean> {
    if ('node' in target) return true;
    const { environment, journal } = this.options;
    if ('key' in target) return (await journal.holder(environment, target.key.hash)) !== undefined;
    if ('terminal' in target) return this.isOwn(await journal.find(target));
    const operationId = this.repeats.firstOf(target.operationId) ?? target.operationId;
    return this.isOwn(await journal.find({ operationId }, 1));
  }

  /**
   * Stops a message of the target once it is recorded.
   * @returns whether it is known by now to be one
   */
  cancelOnceTaken(target: CancelTarget, submission: Submission): boolean {
    const isTarget = (): boolean => submission.record !== undefined && isMeant(target, submission.record);
    submission.taken.then(
      (id) => isTarget() && this.cancelOperation(this.repeats.firstOf(id) ?? id),
      // Nothing of it was begun.
      () => undefined,
    );
    return isTarget();
  }

  /** Stops what is open, and not taken up here yet, as soon as it is. @throws JournalError */
  cancelOnceTakenUp(target: CancelTarget): Promise<void> {
    const firsts = this.firstsOf(target);
    return this.operations.cancelOnceTakenUp(
      (record) => isMeant(target, record) || firsts.includes(record.operationId),
    );
  }

  /** False where it is not under way here. */
  cancelOperation(operationId: string): boolean {
    const runner = this.operations.get(operationId);
    runner?.cancel();
    return runner !== undefined;
  }

  private isOwn(found: readonly OperationRecord[]): boolean {
    return found.some(({ environment }) => environment === this.options.environment);
  }

  private firstsOf(target: CancelTarget): string[] {
    if ('node' in target) return this.repeats.firstsOf(target.node);
    const first = 'operationId' in target ? this.repeats.firstOf(target.operationId) : undefined;
    return first === undefined ? [] : [first];
  }
}

function isMeant(target: CancelTarget, { operationId, origin, terminal }: OperationRecord): boolean {
  if ('node' in target) return origin.node === target.node;
  if ('terminal' in target) return terminal?.serial_number === target.terminal;
  return 'key' in target ? origin.key?.hash === target.key.hash : operationId === target.operationId;
}
