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

/** A Node-RED with one flow, which sells as often as it is asked. */
export class Runner {
  private constructor(private readonly nodeRed: Awaited<ReturnType<typeof startNodeRed>>) {}

  /** @param root folder of the built package whose nodes it has */
  static async start(
    service: Omit<Service, 'callback'>,
    makeFlow: (service: Service) => object[],
    root = ROOT,
  ): Promise<Runner> {
    const port = await freePort();
    const flows = makeFlow({ ...service, callback: `http://127.0.0.1:${port}` });
    const credentials = { environment: { apiKey: 'simulator' } };
    const settings = { uiPort: port, nodesDir: [root, join(__dirname, 'nodes')] };
    return new Runner(await startNodeRed({ flows, credentials, settings }));
  }

  /** @param everyMs from the start of one sale to the next; absent: as fast as they can, 32 at once */
  async sell(sales: number, everyMs?: number): Promise<Figures> {
    const child: ChildProcess = this.nodeRed.process;
    child.send({ sales, slots: SLOTS, everyMs });
    const [{ failed, ms, cpuMs }] = await once(child, 'message');
    if (failed.length > 0) throw new Error(`${failed.length} of ${sales} sales were not approved: ${failed[0]}`);
    return { cpuMsPerSale: cpuMs / sales, salesPerSecond: (sales * 1000) / ms };
  }

  /** What is left of the heap after a garbage collection, MB. */
  async heapMb(): Promise<number> {
    const child: ChildProcess = this.nodeRed.process;
    child.send({ heap: true });
    const [{ heapMb }] = await once(child, 'message');
    return heapMb;
  }

  stop(): Promise<void> {
    return this.nodeRed.stop();
  }
}
