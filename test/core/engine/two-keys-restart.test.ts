import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpRequest } from '../../../src/core/base/seams.js';
import { DEFAULT_KEY } from '../../../src/simulator/index.js';
import { type Payments, type PaymentsOptions, payments } from '../../harness/payments.js';

const SECOND = 'second-key-4711';
const TERMINALS = [
  { serial_number: '10000001', terminal_type: 'SIMULATEDT1' },
  { serial_number: '10000002', terminal_type: 'SIMULATEDT1' },
];
function withTwoKeys({ engine, simulator, ...options }: PaymentsOptions = {}): Payments {
  return payments({
    ...options,
    simulator: { merchants: [{ keys: [DEFAULT_KEY, SECOND], terminals: TERMINALS }], ...simulator },
    engine: { secondApiKey: SECOND, ...engine },
  });
}

/** The service shows that both keys are of one merchant. */
async function proved(world: Payments): Promise<void> {
  await world.engine.start();
  await world.clock.advance(100);
}

test('a sale whose process ended after the first key was refused still tries the second', async () => {
  let refusals = 0;
  const world: Payments = withTwoKeys({
    engine: {
      send: async (request: HttpRequest) => {
        const { operation } = JSON.parse(request.body ?? '{}');
        if (operation === 'sale' && request.headers.ApiKeyCloud === SECOND && refusals++ === 0)
          return {
            status: 429,
            body: JSON.stringify({ error: { statusCode: 429, name: 'TooMany', message: 'slow' } }),
          };
        return world.simulator.send(request);
      },
    },
  });
  await proved(world);
  world.simulator.merchants.revokeKey(DEFAULT_KEY);
  await world.sale();
  await world.clock.advance(300);
  const stopped = world.engine.stop();
  await world.clock.advance(100);
  await stopped;
  world.engine = world.createEngine();
  await world.engine.start();
  world.connect(world.engine);
  const { payload } = await world.untilTold();
  assert.equal(payload.outcome, 'approved');
});
