import type { Client } from '../api/client.js';
import { Abort } from '../base/abort.js';
import { PaymentError } from '../base/errors.js';
import type { Clock } from '../base/seams.js';
import { entryIn } from '../lifecycle/chain/shape.js';
import { wholeIn } from '../lifecycle/chain/whole.js';
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
    const { amount, currency } = (original && wholeIn(original, chain)) ?? {};
    return amount === undefined || currency === undefined || BigInt(amount) <= 0n
      ? undefined
      : { amount: BigInt(amount), currency };
  } catch (error) {
    if (error instanceof PaymentError) return undefined;
    throw error;
  } finally {
    over.abort();
  }
}
