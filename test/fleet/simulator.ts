import { randomUUID } from 'node:crypto';
import { systemClock } from '../../src/core/platform/system-clock.js';
import { createHttpSend } from '../../src/core/platform/undici-send.js';
import { serveSimulator } from '../../src/simulator/http.js';
import { automaticCardholder, type Cardholder, Simulator } from '../../src/simulator/index.js';
import { Draw } from '../truth/draw.js';
import type { Habits } from './habits.js';
import type { Seen, ServiceOptions } from './service.js';

/**
 * The simulated service in a process of its own, which answers fast. Sends its addresses to the process that started it, and
 * what it has seen whenever it is asked. Ends with it.
 */
async function main({ seed, shops, rate, habits }: ServiceOptions): Promise<void> {
  const requests: Seen['requests'] = [];
  const callbacks: Seen['callbacks'] = [];
  const http = createHttpSend();
  const simulator = new Simulator({
    clock: systemClock,
    newId: randomUUID,
    random: new Draw(seed, 1).random,
    deliver: (request) => {
      callbacks.push({ at: systemClock.now(), reference: request.url.split('/').at(-1) ?? '' });
      return http(request);
    },
    merchants: shops.map(({ key, terminals }) => ({ keys: [key], terminals: [...terminals] })),
    requestsPerSecond: rate,
    cardholder: inAHurry(new Draw(seed, 2), habits),
    timings: { toGatewayMs: 20, fromGatewayMs: 20 },
  });
  const answer = simulator.handle.bind(simulator);
  simulator.handle = async (request) => {
    const at = systemClock.now();
    const outcome = await answer(request);
    const { target, method, path, headers } = request;
    if (target === 'service' && method === 'POST' && !path.startsWith('/devices')) {
      const status = typeof outcome === 'string' ? 0 : outcome.status;
      requests.push({ at, key: headers.apikeycloud ?? '', status });
    }
    return outcome;
  };
  const { baseUrl, statusUrl } = await serveSimulator(simulator);
  process.on('message', () => process.send?.({ ledger: simulator.bank.entries(), requests, callbacks } satisfies Seen));
  process.once('disconnect', () => process.exit());
  process.send?.({ baseUrl, statusUrl });
}

function inAHurry(draw: Draw, { tapMs, cancels }: Habits): Cardholder {
  const taps = automaticCardholder();
  return (screen, terminal) => {
    const reaction = taps(screen, terminal);
    const changesMind = screen.stage === 'awaiting-card' && draw.chance(cancels);
    return reaction && { afterMs: draw.int(0, tapMs), act: changesMind ? { do: 'cancel' } : reaction.act };
  };
}

void main(JSON.parse(process.argv[2] ?? ''));
