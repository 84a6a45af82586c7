import { DEFAULT_KEY } from '../../src/simulator/index.js';
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

/** Stops the engine and starts another one on the same journal. */
export async function restart(world: Payments, changes?: Parameters<Payments['createEngine']>[0]): Promise<void> {
  const stopped = world.engine.stop();
  await world.clock.advance(100);
  await stopped;
  world.engine = world.createEngine(changes);
  await world.engine.start();
  world.connect(world.engine);
}
