import assert from 'node:assert/strict';
import type { TransactionResult } from '../../src/core/api/schema/transaction-result.js';
import type { SimulatorOptions } from '../../src/simulator/index.js';
import { type Connected, connected, TERMINAL } from '../harness/connected.js';

/** Ways to a state, for the rows about states. */

export const sale = { operation: 'sale', amount: '1000', currency: 'EUR' } as const;
export async function ended(amount = '1000', options: Partial<SimulatorOptions> = {}): Promise<TransactionResult> {
  return connected(options).perform({ ...sale, amount });
}

/** What the status service shows first of a chain. */
export async function statusOf({ client, clock }: Connected, reference: string): Promise<TransactionResult> {
  await clock.advance(1000);
  const first = await client.status.get(reference);
  assert.ok(first !== 'no-record');
  return first;
}

/** A sale that was accepted and waits for its card. */
export async function waiting(options: Partial<SimulatorOptions> = {}) {
  const world = connected({ cardholder: 'none', ...options });
  const transactionReference = world.newId();
  const started = await world.client.transactions.start({ ...TERMINAL, ...sale, transactionReference });
  const id = started.transactionResultId ?? '';
  return { ...world, transactionReference, poll: () => world.client.transactions.result(id) };
}

export async function pollOf(world: Awaited<ReturnType<typeof waiting>>): Promise<TransactionResult> {
  await world.clock.advance(5000);
  const polled = await world.poll();
  assert.ok(polled.state === 'result', polled.state);
  return polled.result;
}
