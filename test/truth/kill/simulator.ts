import { randomUUID } from 'node:crypto';
import { systemClock } from '../../../src/core/platform/system-clock.js';
import { createHttpSend } from '../../../src/core/platform/undici-send.js';
import { serveSimulator } from '../../../src/simulator/http.js';
import type { Cardholder } from '../../../src/simulator/index.js';
import { Simulator } from '../../../src/simulator/index.js';
import { shopper } from '../cardholder.js';
import { Draw } from '../draw.js';

/**
 * The simulated service in a process of its own, which outlives the Node-RED it is called by. Sends its addresses to the
 * process that started it, its ledger whenever it is asked, and ends with it.
 */
async function main(seed: number): Promise<void> {
  const simulator = new Simulator({
    clock: systemClock,
    newId: randomUUID,
    random: new Draw(seed, 1).random,
    deliver: createHttpSend(),
    requestsPerSecond: 0,
    cardholder: passersBy(new Draw(seed, 2)),
  });
  const { baseUrl, statusUrl } = await serveSimulator(simulator);
  simulator.faults.decideBy(({ moment }) => {
    if (moment === 'request') process.send?.({ requested: true });
    return undefined;
  });
  process.on('message', () => process.send?.({ ledger: simulator.bank.entries() }));
  process.once('disconnect', () => process.exit());
  process.send?.({ baseUrl, statusUrl });
}

/** Somebody else at every screen, whoever the seed. Lives are short here, so people are ten times as quick. */
function passersBy(draw: Draw): Cardholder {
  return (screen, terminal) => {
    const reaction = shopper(draw)(screen, terminal);
    return reaction && { ...reaction, afterMs: reaction.afterMs / 10 };
  };
}

void main(Number(process.argv[2]));
