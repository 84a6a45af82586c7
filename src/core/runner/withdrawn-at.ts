import type { CallOptions } from '../api/transport/transport.js';
import { Abort } from '../base/abort.js';
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
  const over = new Abort();
  const withdrawal = new Abort();
  const withdraw = (): void => withdrawal.abort();
  if (options.withdraw?.aborted) withdraw();
  options.withdraw?.addEventListener('abort', withdraw);
  void sleep(clock, at - clock.now(), over.signal).then(withdraw);
  try {
    return await call({ ...options, withdraw: withdrawal.signal });
  } finally {
    options.withdraw?.removeEventListener('abort', withdraw);
    over.abort();
  }
}
