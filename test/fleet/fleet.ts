import { join } from 'node:path';
import { ROOT } from '../harness/node-red.js';
import { PostgresServer } from '../harness/postgres.js';
import { Draw } from '../truth/draw.js';
import { Balancer } from './balancer.js';
import { Customers } from './customers.js';
import { fleetCredentials, fleetFlow, type Shop } from './flow.js';
import { Replica, type Setup } from './replica.js';
import { ServiceProcess } from './service.js';
import { SharedJournal } from './shared-journal.js';
import type { Told } from './told.js';

export interface FleetSetting {
  seed: number;
  /** API keys, each with so many terminals. */
  shops: number;
  terminals: number;
  /** Requests per second of each key. */
  rate: number;
  /** How much faster time passes for the replicas and the service. */
  speed: number;
  /** The lease of a replica that was struck ends at once, and not when its time is over. */
  hasty: boolean;
}

const FAST_CLOCK = join(ROOT, 'test/truth/kill/fast-clock.cjs');

/** Several real Node-REDs with one journal, the balancer in front of them, the service that they pay at, and customers. */
export class Fleet {
  readonly replicas: Replica[] = [];
  private readonly since = Date.now();
  /** What has to end, the last one first. */
  private readonly ends: (() => unknown)[] = [];
  private readonly shops: readonly Shop[];
  database!: PostgresServer;
  journal!: SharedJournal;
  service!: ServiceProcess;
  balancer!: Balancer;
  customers!: Customers;
  private replicaSetup!: Setup;

  private constructor(
    private readonly folder: string,
    readonly setting: FleetSetting,
  ) {
    this.shops = shopsOf(setting);
  }

  /** Starts everything but the replicas. @param folder for their files */
  static async open(folder: string, setting: FleetSetting): Promise<Fleet> {
    const fleet = new Fleet(folder, setting);
    try {
      await fleet.open();
      return fleet;
    } catch (error) {
      await fleet.close();
      throw error;
    }
  }

  /** Epoch ms, as the replicas and the service read it. */
  now(): number {
    return Math.floor(this.since + (Date.now() - this.since) * this.setting.speed);
  }

  draw(concern: number): Draw {
    return new Draw(this.setting.seed, concern);
  }

  /** One more replica. */
  async join(): Promise<void> {
    const name = String.fromCharCode('a'.charCodeAt(0) + this.replicas.length);
    const replica = await Replica.in(this.folder, name, this.replicaSetup);
    await replica.start();
    this.ends.push(() => replica.kill());
    this.replicas.push(replica);
  }

  told(): Told[] {
    return this.replicas.flatMap((replica) => replica.told());
  }

  async close(): Promise<void> {
    for (const end of this.ends.reverse()) await end();
  }

  private async open(): Promise<void> {
    const { shops, ends } = this;
    const { seed, rate, speed } = this.setting;
    const env = this.clock();
    this.database = await PostgresServer.start();
    ends.push(() => this.database.end());
    const address = await this.database.newDatabase();
    this.journal = new SharedJournal(this.database, address);
    this.service = await ServiceProcess.start({ seed, shops, rate }, env);
    ends.push(() => this.service.stop());
    this.balancer = await Balancer.open(() => this.replicas, this.draw(3));
    ends.push(() => this.balancer.close());
    this.customers = new Customers(this.balancer.url, shops, this.draw(4), speed);
    const flows = fleetFlow(shops, rate, { ...this.service.addresses, balancer: this.balancer.url });
    this.replicaSetup = { flows, credentials: fleetCredentials(shops, address), env };
  }

  private clock(): Record<string, string> {
    const { speed } = this.setting;
    if (speed === 1) return {};
    const clock = { CLOCK_SPEED: String(speed), CLOCK_SINCE: String(this.since) };
    return { ...clock, NODE_OPTIONS: `--require ${FAST_CLOCK}` };
  }
}

function shopsOf({ shops, terminals }: FleetSetting): Shop[] {
  return Array.from({ length: shops }, (_, shop) => ({
    key: `key-${shop}`,
    terminals: Array.from({ length: terminals }, (__, place) => ({
      serial_number: `${1000 * (shop + 1) + place}`,
      terminal_type: 'SIMULATEDT1',
    })),
  }));
}
