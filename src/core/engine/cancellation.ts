import type { OrderKey } from '../operation/order-key.js';
import type { ActiveOperations } from './active-operations.js';
import type { EngineOptions } from './options.js';
import type { Repeats } from './repeats.js';

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
   * Stops the target where it is under way. Every result is delivered as usual.
   * @returns false where this environment has never heard of it
   * @throws JournalError
   */
  async cancel(target: CancelTarget): Promise<boolean> {
    if ('node' in target) return this.cancelOf(target.node);
    if ('terminal' in target) return this.cancelAt(target.terminal);
    const { environment, journal } = this.options;
    if ('key' in target) {
      const holder = await journal.holder(environment, target.key.hash);
      if (holder !== undefined) this.cancelOperation(holder.operationId);
      return holder !== undefined;
    }
    const operationId = this.repeats.firstOf(target.operationId) ?? target.operationId;
    if (this.cancelOperation(operationId)) return true;
    return (await journal.find({ operationId }, 1)).some((record) => record.environment === environment);
  }

  /** False where it is not under way here. */
  cancelOperation(operationId: string): boolean {
    const runner = this.operations.get(operationId);
    runner?.cancel();
    return runner !== undefined;
  }

  private cancelOf(node: string): true {
    const own = this.operations.all.filter(({ record }) => record.origin.node === node);
    for (const runner of own) runner.cancel();
    for (const first of this.repeats.firstsOf(node)) this.cancelOperation(first);
    return true;
  }

  private async cancelAt(terminal: string): Promise<boolean> {
    const there = this.operations.all.filter(({ record }) => record.terminal?.serial_number === terminal);
    for (const runner of there) runner.cancel();
    if (there.length > 0) return true;
    const { environment, journal } = this.options;
    return (await journal.find({ terminal })).some((record) => record.environment === environment);
  }
}
