import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresJournal } from '../../src/core/journal/postgres/postgres-journal.js';
import { systemClock } from '../../src/core/platform/system-clock.js';
import { paymentAt } from '../bench/scale/fill.js';
import { idleEngine } from '../bench/scale/idle-engine.js';
import { PostgresServer } from '../harness/postgres.js';
import { type Times, timesOf } from './figures.js';
import { Fleet } from './fleet.js';
import { BUSY } from './habits.js';
import { SharedJournal } from './shared-journal.js';

/** How fast Node-REDs sell. */
export interface Throughput {
  journal: 'embedded' | 'postgresql';
  processes: number;
  salesPerSecond: number;
  /** From the order to the response, ms. */
  orderToAnswerMs: Times;
}

/** How fast what a process left is taken up by another. */
export interface Orphans {
  orphans: number;
  environments: number;
  seconds: number;
}

export interface ThroughputReport {
  throughput: Throughput[];
  orphans: Orphans;
  loadAverage: number;
}

const SETTINGS = [
  { store: 'embedded', processes: 1 },
  { store: 'postgresql', processes: 1 },
  { store: 'postgresql', processes: 2 },
  { store: 'postgresql', processes: 4 },
] as const;
/** Customers at once. */
const TERMINALS = 32;
const KEYS = 4;
const WARM_UP = 200;
const ENVIRONMENTS = Array.from({ length: 10 }, (_, place) => `environment-${place}`);
/** Since when the orphans are open, ms. */
const OPEN_FOR = 60_000;

/** Measures sales a second of one process and of several, and how long it takes to take up what a process left. */
export async function measureThroughput(
  { seed, sales, orphans }: { seed: number; sales: number; orphans: number },
  say: (text: string) => void,
): Promise<ThroughputReport> {
  const throughput: Throughput[] = [];
  for (const setting of SETTINGS) {
    throughput.push(await selling(seed, sales, setting));
    say(JSON.stringify(throughput.at(-1)));
  }
  return { throughput, orphans: await takingUp(orphans), loadAverage: loadavg()[0] ?? 0 };
}

async function selling(seed: number, sales: number, setting: (typeof SETTINGS)[number]): Promise<Throughput> {
  const { store, processes } = setting;
  const folder = await mkdtemp(join(tmpdir(), 'fleet-'));
  const terminals = TERMINALS / KEYS;
  const fleet = await Fleet.open(folder, {
    ...{ seed, keys: KEYS, terminals, rate: 0, speed: 1, hasty: false, habits: BUSY, store },
  });
  try {
    const { customers } = fleet;
    while (fleet.replicas.length < processes) await fleet.join();
    customers.allow(WARM_UP);
    const paid = customers.come();
    await customers.served();
    const since = performance.now();
    customers.allow(WARM_UP + sales);
    await customers.served();
    const seconds = (performance.now() - since) / 1000;
    customers.close();
    await paid;
    const times = customers.orders.slice(WARM_UP).map(({ tookMs = 0 }) => tookMs);
    const salesPerSecond = Number((times.length / seconds).toFixed(1));
    return { journal: store, processes, salesPerSecond, orderToAnswerMs: timesOf(times) };
  } finally {
    await fleet.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Payments that wait for their cardholders, left by a process that is gone. */
async function takingUp(orphans: number): Promise<Orphans> {
  const server = await PostgresServer.start();
  try {
    const address = await server.newDatabase();
    const gone = randomUUID();
    const open = (id: string) =>
      openPostgresJournal(address, {
        clock: systemClock,
        replica: { id, host: 'here' },
        onLost: () => undefined,
        log: () => undefined,
      });
    const left = await open(gone);
    const payments = Array.from({ length: orphans }, (_, place) =>
      paymentAt(place, Date.now() - OPEN_FOR, ENVIRONMENTS[place % ENVIRONMENTS.length] ?? '', false),
    );
    await Promise.all(payments.map((payment) => left.record(payment)));
    await left.close();
    await new SharedJournal(server, address).endLeases(gone);
    const since = performance.now();
    const journal = await open(randomUUID());
    const engines = ENVIRONMENTS.map((environment) => idleEngine(environment, journal));
    await Promise.all(engines.map((engine) => engine.start()));
    const seconds = Number(((performance.now() - since) / 1000).toFixed(2));
    await Promise.all(engines.map((engine) => engine.stop()));
    await journal.close();
    return { orphans, environments: ENVIRONMENTS.length, seconds };
  } finally {
    await server.end();
  }
}
