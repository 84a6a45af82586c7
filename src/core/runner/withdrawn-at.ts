import type { CallOptions } from '../api/transport/transport.js';
import type { Clock } from '../base/seams.js';
import { sleep } from '../platform/sleep.js';

/**
 * Makes a call, and withdraws it if it still waits for the rate limit at that time.
 * @param at epoch ms; undefined where it may wait
 */
export async function withdrawnAt<A>(
  clock: Clock,
  at: number | undefined,
  options: CallOptions,
  call: (options: CallOptions) => Promise<A>,
): Promise<A> {
  if (at === undefined) return call(options);
  const over = new AbortController();
  const late = new AbortController();
  void sleep(clock, at - clock.now(), over.signal).then(() => late.abort());
  const signals = options.withdraw === undefined ? [late.signal] : [options.withdraw, late.signal];
  try {
    return await call({ ...options, withdraw: AbortSignal.any(signals) });
  } finally {
    over.abort();
  }
}
