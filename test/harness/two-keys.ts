import { AnswerLostError } from '../../src/core/base/errors.js';
import type { Send } from '../../src/core/base/seams.js';
import { DEFAULT_KEY, type MerchantConfig } from '../../src/simulator/index.js';
import { type Payments, type PaymentsOptions, payments } from './payments.js';

export const SECOND_KEY = 'second-key-4711';
const TERMINALS = [
  { serial_number: '10000001', terminal_type: 'SIMULATEDT1' },
  { serial_number: '10000002', terminal_type: 'SIMULATEDT1' },
];

/** An environment with two keys of one merchant. */
export function withTwoKeys({ engine, simulator, ...options }: PaymentsOptions = {}): Payments {
  return payments({
    ...options,
    simulator: { merchants: [{ keys: [DEFAULT_KEY, SECOND_KEY], terminals: TERMINALS }], ...simulator },
    engine: { secondApiKey: SECOND_KEY, ...engine },
  });
}

/** The service shows that both keys are of one merchant. */
export async function proved(world: Payments): Promise<void> {
  await world.engine.start();
  await world.clock.advance(100);
}

/** The merchants of a service where both keys open one, or each its own. */
export function merchantsOf(isOneMerchant: boolean, otherKey: string): MerchantConfig[] {
  if (isOneMerchant) return [{ keys: [DEFAULT_KEY, otherKey], terminals: TERMINALS }];
  return [
    { id: 'M-1', keys: [DEFAULT_KEY], terminals: TERMINALS.slice(0, 1) },
    { id: 'M-2', keys: [otherKey], terminals: TERMINALS.slice(1) },
  ];
}

/** The first question whose a key is stays without an answer. */
export function devicesAnsweredLate(world: Payments): Send {
  let lists = 0;
  return (request) => {
    const isLost = request.url.endsWith('/devices') && lists++ === 0;
    return isLost ? Promise.reject(new AnswerLostError('no answer')) : world.simulator.send(request);
  };
}

/**
 * Stops the engine and starts another one on the same journal.
 * @param answeredWithin what a request on its way gets to be answered, ms
 */
export async function restart(
  world: Payments,
  changes?: Parameters<Payments['createEngine']>[0],
  answeredWithin = 100,
): Promise<void> {
  const stopped = world.engine.stop();
  await world.clock.advance(answeredWithin);
  await stopped;
  world.engine = world.createEngine(changes);
  await world.engine.start();
  world.connect(world.engine);
}
