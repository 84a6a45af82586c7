import { join } from 'node:path';
import { ROOT } from '../harness/node-red.js';
import { PostgresServer } from '../harness/postgres.js';
import { Draw } from '../truth/draw.js';
import { Balancer } from './balancer.js';
import { Customers } from './customers.js';
import { fleetCredentials, fleetFlow, type Shop } from './flow.js';
import type { Habits } from './habits.js';
import { Replica, type Setup } from './replica.js';
import { ServiceProcess } from './service.js';
import { SharedJournal } from './shared-journal.js';
import type { Told } from './told.js';

export interface FleetSetting {
  seed: number;
  keys: number;
  /** Of each key. */
  terminals: number;
  /** Requests per second of each key; 0: no limit. */
  rate: number;
  /** How much faster time passes for the replicas and the service. */
  speed: number;
  habits: Habits;
  /** The embedded journal is for one replica alone. */
  store?: 'embedded' | 'postgresql';
  /** The leases of a replica that was struck end at once, and not when their time is over. */
  hasty: boolean;
}

const FAST_CLOCK = join(ROOT, 'test/truth/kill/fast-clock.cjs');

/** What runs beside the replicas. */
interface Surroundings {
  database: PostgresServer;
  journal: SharedJournal;
  service: ServiceProcess;
  balancer: Balancer;
  customers: Customers;
}

/** Several real Node-REDs with one journal, the balancer in front of them, the service that they pay at, and customers. */
export class Fleet {
  readonly database: PostgresServer;
  readonly journal: SharedJournal;
  readonly service: ServiceProcess;
  readonly balancer: Balancer;
  readonly customers: Customers;
  /** By which the journal knows the replicas; only where it is to be hasty. */
  private readonly ids = new Map<Replica, string>();

  private constructor(
    readonly setting: FleetSetting,
    /** When its time began, epoch ms. */
    private readonly since: number,
    readonly replicas: Replica[],
    private readonly newReplica: (name: string) => Promise<Replica>,
    surroundings: Surroundings,
    /** What has to end, the last one first. */
    private readonly ends: (() => unknown)[],
  ) {
    this.database = surroundings.database;
    this.journal = surroundings.journal;
    this.service = surroundings.service;
    this.balancer = surroundings.balancer;
    this.customers = surroundings.customers;
  }

  /** Starts everything but the replicas. @param folder for their files */
  static async open(folder: string, setting: FleetSetting): Promise<Fleet> {
    const { seed, rate, speed, habits } = setting;
    const shops = shopsOf(setting);
    const since = Date.now();
    const env = clockOf(speed, since);
    const ends: (() => unknown)[] = [];
    try {
      const database = await PostgresServer.start();
      ends.push(() => database.end());
      const address = await database.newDatabase();
      const service = await ServiceProcess.start({ seed, shops, rate, habits }, env);
      ends.push(() => service.stop());
      const replicas: Replica[] = [];
      const balancer = await Balancer.open(() => replicas, new Draw(seed, 3));
      ends.push(() => balancer.close());
      const customers = new Customers(balancer.url, shops, new Draw(seed, 4), speed, habits);
      const flows = fleetFlow(shops, setting, { ...service.addresses, balancer: balancer.url });
      const setup: Setup = { flows, credentials: fleetCredentials(shops, address), env };
      const newReplica = (name: string): Promise<Replica> => Replica.in(folder, name, setup);
      const journal = new SharedJournal(database, address);
      return new Fleet(setting, since, replicas, newReplica, { database, journal, service, balancer, customers }, ends);
    } catch (error) {
      await endAll(ends);
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
    const replica = await this.newReplica(name);
    this.ends.push(() => replica.kill());
    await this.start(replica);
    this.replicas.push(replica);
  }

  async start(replica: Replica): Promise<void> {
    await replica.start();
    if (this.setting.hasty) this.ids.set(replica, await this.journal.newcomer());
  }

  /** The leases of a replica end which is dead, or stood still for longer than it relies on them. */
  async endLeases(replica: Replica): Promise<void> {
    const id = this.ids.get(replica);
    if (id !== undefined) await this.journal.endLeases(id);
  }

  told(): Told[] {
    return this.replicas.flatMap((replica) => replica.told());
  }

  async close(): Promise<void> {
    await endAll(this.ends);
  }
}

async function endAll(ends: readonly (() => unknown)[]): Promise<void> {
  for (const end of [...ends].reverse()) await end();
}

/** Makes a process read a time that passes so many times as fast. */
function clockOf(speed: number, since: number): Record<string, string> {
  if (speed === 1) return {};
  const clock = { CLOCK_SPEED: String(speed), CLOCK_SINCE: String(since) };
  return { ...clock, NODE_OPTIONS: `--require ${FAST_CLOCK}` };
}

function shopsOf({ keys, terminals }: FleetSetting): Shop[] {
  return Array.from({ length: keys }, (_, shop) => ({
    key: `key-${shop}`,
    terminals: Array.from({ length: terminals }, (__, place) => ({
      serial_number: `${1000 * (shop + 1) + place}`,
      terminal_type: 'SIMULATEDT1',
    })),
  }));
}
