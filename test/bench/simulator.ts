import { randomUUID } from 'node:crypto';
import { systemClock } from '../../src/core/platform/system-clock.js';
import { createHttpSend } from '../../src/core/platform/undici-send.js';
import { serveSimulator } from '../../src/simulator/http.js';
import { Simulator } from '../../src/simulator/index.js';

/**
 * The simulated service in a process of its own, as fast as it can be: as many terminals as it is asked for, a card at once, no
 * rate limit. Sends its addresses to the process that started it, and ends with it.
 */
async function main(count: number): Promise<void> {
  const terminals = Array.from({ length: count }, (_, slot) => ({
    serial_number: `bench-${slot}`,
    terminal_type: 'A920',
  }));
  const simulator = new Simulator({
    clock: systemClock,
    newId: randomUUID,
    random: Math.random,
    deliver: createHttpSend(),
    merchants: [{ keys: ['simulator'], group: 'B', terminals }],
    requestsPerSecond: 0,
    cardholder: { tapAfterMs: 0 },
    timings: { toGatewayMs: 1, fromGatewayMs: 1 },
  });
  const { baseUrl, statusUrl } = await serveSimulator(simulator);
  process.send?.({ baseUrl, statusUrl });
  process.once('disconnect', () => process.exit());
}

void main(Number(process.argv[2]));
