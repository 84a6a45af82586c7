import type { CancelTarget } from '../../core/engine/cancellation.js';

/** What a cancel may call an order by, before the engine has it. */
export interface OrderNames {
  node: string;
  /** Hash of its idempotency key. */
  key: string | undefined;
  /** Serial number of its terminal. Rejects, or resolves with undefined, where it has none. */
  terminal(): Promise<string | undefined>;
}

/** A message on its way to the engine. Its fields may take long to be read, and a cancel finds nothing of it until then. */
export class PendingOrder {
  /** Resolves once the engine has it, or its error has gone to Catch. */
  settled: Promise<void> = Promise.resolve();
  private readonly cancels: CancelTarget[] = [];

  /** It remembers the cancel until the engine has it. */
  cancel(targets: readonly CancelTarget[]): void {
    this.cancels.push(...targets);
  }

  /** Whether a cancel that came meanwhile means it. */
  async isCancelled(names: OrderNames): Promise<boolean> {
    for (const target of this.cancels) if (await isMeant(target, names)) return true;
    return false;
  }
}

async function isMeant(target: CancelTarget, { node, key, terminal }: OrderNames): Promise<boolean> {
  if ('node' in target) return target.node === node;
  if ('key' in target) return target.key.hash === key;
  // Its id is not known to anybody yet.
  if ('operationId' in target) return false;
  return (await terminal().catch(() => undefined)) === target.terminal;
}
