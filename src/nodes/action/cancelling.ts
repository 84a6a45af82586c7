import type { Node } from 'node-red';
import { CancelTargetError, type PaymentError } from '../../core/base/errors.js';
import type { TransientSet } from '../../core/base/transient.js';
import type { CancelTarget } from '../../core/engine/cancellation.js';
import { soon } from '../../core/platform/soon.js';
import { systemClock } from '../../core/platform/system-clock.js';
import type { ActionContext } from '../input/context.js';
import type { EnvironmentRuntime } from '../runtime/environment-runtime.js';
import { hasTerminal } from '../runtime/lookup.js';
import type { PendingOrder } from '../runtime/pending-order.js';
import { allEnvironments } from '../runtime/registry.js';

/** Finds what a node is asked to cancel. */

/** A payment is recorded within this time, but where its journal is in trouble. */
const EARLIER_MS = 1000;
/** A cancel has found all that is under way within this time, whatever the journal does. */
const CANCELLED_MS = 5000;

/** The node that has the message, and where it sends payments now. */
export interface Canceller {
  environment: EnvironmentRuntime | undefined;
  /** Why it has no environment. */
  problem: PaymentError | undefined;
}

/**
 * Asks for operations to be stopped. Each of them still answers its own message.
 * @param earlier messages from before the cancel, which may not have reached the engine yet
 * @throws CancelTargetError, JournalError
 */
export async function cancelAny(
  by: Canceller,
  targets: readonly CancelTarget[],
  earlier: readonly PendingOrder[],
): Promise<void> {
  for (const order of earlier) order.cancel(targets);
  let isKnown = await isAnyCancelled(by, targets);
  if (earlier.length > 0) {
    let areSettled = false;
    const settled = Promise.allSettled(earlier.map((order) => order.settled)).then(() => {
      areSettled = true;
    });
    await soon(systemClock, EARLIER_MS, settled);
    // What is still being read may be meant, and remembers the cancel.
    isKnown = (await isAnyCancelled(by, targets)) || isKnown || !areSettled;
  }
  if (isKnown) return;
  const [first] = targets;
  throw by.problem ?? new CancelTargetError(first === undefined ? '' : nameOf(first), by.environment?.name ?? '');
}

/**
 * Waits for cancels that came before a payment, so that they do not stop it too.
 * @param cancels see `EnvironmentRuntime.cancels`
 */
export async function afterCancels(cancels: TransientSet<Promise<void>>): Promise<void> {
  if (cancels.size > 0) await soon(systemClock, CANCELLED_MS, Promise.allSettled(cancels));
}

/** Stops an order that was cancelled before the engine had it. It answers its message all the same. */
export async function cancelIfMeant(
  order: PendingOrder,
  operationId: string,
  { node, environment, origin, terminal }: Pick<ActionContext, 'environment' | 'origin' | 'terminal'> & { node: Node },
): Promise<void> {
  const serial = async (): Promise<string> => (await terminal()).address.serial_number;
  try {
    if (await order.isCancelled({ node: origin.node, key: origin.key?.hash, terminal: serial }))
      await (await environment.engine()).cancelTarget({ operationId });
  } catch (error) {
    // The order was taken: its error must not be told as one of an order that was not.
    node.warn(`${operationId}: it may not be cancelled: ${String(error)}`);
  }
}

/** As the message names it. */
function nameOf(target: CancelTarget): string {
  if ('operationId' in target) return target.operationId;
  if ('key' in target) return target.key.text;
  return 'terminal' in target ? target.terminal : target.node;
}

/** Tries the targets in this order until one is known. */
async function isAnyCancelled(by: Canceller, targets: readonly CancelTarget[]): Promise<boolean> {
  for (const target of targets) if (await isCancelled(by, target)) return true;
  return false;
}

async function isCancelled({ environment }: Canceller, target: CancelTarget): Promise<boolean> {
  if ('node' in target) return isNodeCancelled(environment, target);
  if (environment === undefined) return false;
  if (await (await environment.engine()).cancelTarget(target)) return true;
  return 'terminal' in target && hasTerminal(environment.id, target.terminal);
}

/**
 * A deploy may have moved the node while payments of it are under way in another environment.
 * @returns false where the node has no environment, and none has anything of it
 */
async function isNodeCancelled(own: EnvironmentRuntime | undefined, target: { node: string }): Promise<boolean> {
  const others = allEnvironments().filter((environment) => environment !== own);
  const found = await Promise.allSettled([
    own?.engine().then((engine) => engine.cancelTarget(target)) ?? false,
    ...others.map((environment) => isCancelledIn(environment, target)),
  ]);
  const failed = found.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return found.some((one) => one.status === 'fulfilled' && one.value);
}

/** Returns whether the environment has anything of the node. */
async function isCancelledIn(environment: EnvironmentRuntime, target: { node: string }): Promise<boolean> {
  const engine = await environment.engineIfAny();
  if (engine === undefined) return false;
  const [open] = await Promise.all([engine.open(), engine.cancelTarget(target)]);
  return open.some(({ origin }) => origin.node === target.node);
}
