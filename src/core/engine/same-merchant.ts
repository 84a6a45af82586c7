import type { Client } from '../api/client.js';
import { PaymentError } from '../base/errors.js';

/**
 * Whether two keys open the terminals of one merchant; undefined where one of them cannot say. Under the key of another
 * merchant every payment that is open would look as if it had never been made.
 */
export async function isSameMerchant(
  clients: readonly [Client, Client],
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const [first, second] = await Promise.all(clients.map((client) => merchantsOf(client, signal)));
  if (first === undefined || second === undefined || first.size === 0 || second.size === 0) return undefined;
  return [...second].some((merchant) => first.has(merchant));
}

async function merchantsOf(client: Client, signal: AbortSignal): Promise<ReadonlySet<string> | undefined> {
  try {
    const listed = await client.devices.list({ signal });
    return new Set(listed.map(({ merchant_id_alpha: merchant }) => merchant));
  } catch (error) {
    if (error instanceof PaymentError) return undefined;
    throw error;
  }
}
