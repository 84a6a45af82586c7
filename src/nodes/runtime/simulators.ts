import type { AcquirerGroup } from '../../core/base/capabilities.js';
import type { HttpAnswer, HttpRequest } from '../../core/base/seams.js';
import type { Simulator } from '../../simulator/index.js';
import { loadCore, loadSimulator } from './load.js';

type Receiver = (request: HttpRequest) => Promise<HttpAnswer>;

interface Running {
  simulator: Simulator;
  /** Receives callbacks: the current environment node with this id. */
  receiver: Receiver | undefined;
}

/**
 * The simulated services of this process, one for each environment. They outlive a redeploy, as a real service does: the
 * terminals go on and the ledger stays.
 */
const simulators = new Map<string, Running>();

/** The simulator of an environment, started with the first call. Its merchants get the acquirer group. */
export async function simulatorFor(environment: string, group: AcquirerGroup): Promise<Simulator> {
  const simulator = startedFor(environment);
  for (const merchant of simulator.merchants.all) merchant.group = group;
  return simulator;
}

function startedFor(environment: string): Simulator {
  const known = simulators.get(environment);
  if (known !== undefined) return known.simulator;
  const { Simulator } = loadSimulator();
  const { systemClock, newId } = loadCore();
  const running: Running = {
    simulator: new Simulator({
      clock: systemClock,
      newId,
      random: Math.random,
      deliver: async (request) => (await running.receiver?.(request)) ?? { status: 503, body: '' },
    }),
    receiver: undefined,
  };
  simulators.set(environment, running);
  return running.simulator;
}

/** Sets where the terminals of an environment's simulator post their results. Undefined: every callback gets a 503. */
export function receiveFrom(environment: string, receiver: Receiver | undefined): void {
  const running = simulators.get(environment);
  if (running !== undefined) running.receiver = receiver;
}

/** Ends the simulator of an environment that was removed. */
export function endSimulator(environment: string): void {
  simulators.get(environment)?.simulator.stop();
  simulators.delete(environment);
}
