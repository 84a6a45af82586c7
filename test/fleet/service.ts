import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LedgerEntry } from '../../src/simulator/index.js';
import type { Shop } from './flow.js';
import type { Habits } from './habits.js';

export interface ServiceOptions {
  seed: number;
  shops: readonly Shop[];
  /** Requests per second that a key may make; 0: any number. */
  rate: number;
  habits: Habits;
}

/** What the service has seen. Times are epoch ms. */
export interface Seen {
  ledger: readonly LedgerEntry[];
  /** Those that count against the rate of their key. */
  requests: { at: number; key: string; status: number }[];
  /** Every try; `reference` is that of the attempt. */
  callbacks: { at: number; reference: string }[];
}

/** The simulated service in a process of its own, see `simulator.ts`. */
export class ServiceProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly addresses: { baseUrl: string; statusUrl: string },
  ) {}

  static async start(options: ServiceOptions, env: Record<string, string>): Promise<ServiceProcess> {
    const child = fork(join(__dirname, './simulator.ts'), [JSON.stringify(options)], {
      execArgv: ['--import', 'tsx'],
      env: { ...process.env, ...env },
    });
    const [{ baseUrl, statusUrl }] = await once(child, 'message');
    return new ServiceProcess(child, { baseUrl, statusUrl });
  }

  async seen(): Promise<Seen> {
    const answered = once(this.child, 'message');
    this.child.send('seen');
    const [seen] = await answered;
    return seen;
  }

  stop(): void {
    this.child.disconnect();
  }
}
