import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort, ROOT, startNodeRed } from '../harness/node-red.js';
import type { Service } from './flows.js';

export const SLOTS = 32;

export interface Figures {
  /** Of the Node-RED process, all its threads. */
  cpuMsPerSale: number;
  salesPerSecond: number;
}

/** Starts the simulated service; `stop` ends it. */
export async function startSimulator(): Promise<{ baseUrl: string; statusUrl: string; stop: () => void }> {
  const child = fork(join(__dirname, './simulator.ts'), [String(SLOTS)], { execArgv: ['--import', 'tsx'] });
  const [addresses] = await once(child, 'message');
  return { ...addresses, stop: () => child.disconnect() };
}

/** Runs sales through a flow in a Node-RED of its own, and measures those after the warm-up. */
export async function measure(
  service: Omit<Service, 'callback'>,
  makeFlow: (service: Service) => object[],
  { sales, warmUp }: { sales: number; warmUp: number },
): Promise<Figures> {
  const port = await freePort();
  const flows = makeFlow({ ...service, callback: `http://127.0.0.1:${port}` });
  const credentials = { environment: { apiKey: 'simulator' } };
  const settings = { uiPort: port, nodesDir: [ROOT, join(__dirname, 'nodes')] };
  const nodeRed = await startNodeRed({ flows, credentials, settings });
  try {
    await drive(nodeRed.process, warmUp);
    const { ms, cpuMs } = await drive(nodeRed.process, sales);
    return { cpuMsPerSale: cpuMs / sales, salesPerSecond: (sales * 1000) / ms };
  } finally {
    await nodeRed.stop();
  }
}

async function drive(nodeRed: ChildProcess, sales: number): Promise<{ ms: number; cpuMs: number }> {
  nodeRed.send({ sales, slots: SLOTS });
  const [{ failed, ...took }] = await once(nodeRed, 'message');
  if (failed.length > 0) throw new Error(`${failed.length} of ${sales} sales were not approved: ${failed[0]}`);
  return took;
}
