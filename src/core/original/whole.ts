import type { Client } from '../api/client.js';
import { Abort } from '../base/abort.js';
import { exponentOf } from '../base/currencies.js';
import { PaymentError } from '../base/errors.js';
import type { Clock } from '../base/seams.js';
import { entryIn, isHold } from '../lifecycle/chain/shape.js';
import { wholeOf } from '../lifecycle/chain/whole.js';
import { sleep } from '../platform/sleep.js';

/** Minor units. */
export interface Whole {
  amount: bigint;
  currency: string;
}

/** A reversal waits no longer than this for what the chain says, ms. */
const PATIENCE = 3000;

/**
 * What a reversal of the whole takes back by now, as the chain says it: another system may have set a tip. Undefined where
 * that cannot be had soon.
 */
export async function wholeInChain(
  client: Client,
  clock: Clock,
  reference: string,
  transactionId: string,
): Promise<Whole | undefined> {
  const over = new Abort();
  try {
    const late = sleep(clock, PATIENCE, over.signal).then(() => []);
    const chain = await Promise.race([client.status.all(reference, { signal: over.signal }), late]);
    const original = entryIn(chain, transactionId);
    const amount = original && (isHold(original) ? original.holdAmount : wholeOf(original, chain));
    const { currency = '' } = original ?? {};
    return amount === undefined || amount <= 0 || exponentOf(currency) === undefined
      ? undefined
      : { amount: BigInt(amount), currency };
  } catch (error) {
    if (error instanceof PaymentError) return undefined;
    throw error;
  } finally {
    over.abort();
  }
}
