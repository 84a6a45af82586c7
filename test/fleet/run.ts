import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Blow, Evidence } from './evidence.js';
import { type Figures, figuresOf } from './figures.js';
import { Fleet, type FleetSetting } from './fleet.js';
import { judgeFleet, unheard } from './oracle.js';
import { type Blows, torture } from './torture.js';

export interface FleetOptions extends FleetSetting, Blows {
  replicas: number;
  /** Sales and holds; more where the blows take longer than these. */
  sales: number;
  freezeMs: number;
  /** After so long nobody buys anything more, and what there is is judged. Absent: when all have bought. ms. */
  closesAfterMs?: number;
}

export interface FleetReport extends Figures {
  seed: number;
  replicas: number;
  /** The shops closed before all had bought. */
  closedEarly: boolean;
  violationCount: number;
  /** The first of them. */
  violations: string[];
  seconds: number;
  loadAverage: number;
}

/** Of the sales so many are made by one replica alone, and as many by all of them in peace, to compare with. */
const IN_PEACE = { share: 0.1, least: 15, most: 300 };
/** What recovery takes at most, ms. */
const SETTLED_WITHIN = 15 * 60_000;
const LOOK_EVERY = 500;
const TOLD_EVERY = 30_000;
/** The longest that a timer takes, ms. */
const NEVER = 2 ** 31 - 1;
/** How long the database stays away at most, ms. */
const AWAY = 3000;
/** Violations in the report. */
const SHOWN = 40;

/**
 * Lets customers pay at several real Node-REDs with one journal, strikes those, and compares in the end what everybody knows.
 * @param say hears how far it has come
 */
export async function playFleet(options: FleetOptions, say: (text: string) => void): Promise<FleetReport> {
  const startedAt = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'fleet-'));
  try {
    const fleet = await Fleet.open(folder, options);
    const closing = setTimeout(() => fleet.customers.goHome(), options.closesAfterMs ?? NEVER);
    const telling = setInterval(() => say(`${fleet.customers.sales} sales`), TOLD_EVERY);
    const evidence = await play(fleet, options, say).finally(() => {
      clearTimeout(closing);
      clearInterval(telling);
      return fleet.close();
    });
    const violations = judgeFleet(evidence);
    const doubted = new Set(violations.map((violation) => violation.split(':')[0]));
    for (const told of evidence.told) if (doubted.has(told.order)) say(`told ${JSON.stringify(told)}`);
    const { seed, replicas } = options;
    const figures = figuresOf(evidence);
    return {
      ...{ seed, replicas, closedEarly: figures.sales < options.sales, ...figures },
      ...{ violationCount: violations.length, violations: violations.slice(0, SHOWN) },
      ...{ seconds: Math.round((performance.now() - startedAt) / 1000), loadAverage: loadavg()[0] ?? 0 },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function play(fleet: Fleet, options: FleetOptions, say: (text: string) => void): Promise<Evidence> {
  const { customers, balancer } = fleet;
  const { sales, speed } = options;
  const peaceful = Math.min(IN_PEACE.most, Math.max(IN_PEACE.least, Math.floor(sales * IN_PEACE.share)));
  await fleet.join();
  customers.allow(peaceful);
  const paid = customers.come();
  await customers.served();
  say(`${customers.sales} sales by one replica`);
  const joinedAt = fleet.now();
  while (fleet.replicas.length < options.replicas) await fleet.join();
  customers.allow(2 * peaceful);
  await customers.served();
  say(`${customers.sales} sales, the latter half by ${fleet.replicas.length} replicas in peace`);
  const struckAt = fleet.now();
  customers.allow(Number.POSITIVE_INFINITY);
  const noted = ({ kind, life = '', at, until }: Blow): void => {
    say(`${kind} ${life}, ${Math.round((until - at) / 1000)} s; ${customers.sales} sales`);
  };
  const blows = await torture(fleet, { ...options, awayMs: AWAY / speed }, noted);
  customers.allow(sales);
  await customers.served();
  customers.close();
  await paid;
  say(`${customers.sales} sales; what is open is settled`);
  await settled(fleet, blows, SETTLED_WITHIN / speed);
  for (const replica of fleet.replicas) await replica.stop();
  const { handed, unavailable, lost } = balancer;
  return {
    ...{ orders: customers.orders, told: fleet.told(), blows, rate: options.rate, joinedAt, struckAt },
    ...{ handed, unavailable, lost },
    ...(await fleet.journal.contents()),
    seen: await fleet.service.seen(),
  };
}

/** Resolves once nothing is open, and every message was told something; at the latest after `ms`. */
async function settled(fleet: Fleet, blows: readonly Blow[], ms: number): Promise<void> {
  const { orders } = fleet.customers;
  const { handed } = fleet.balancer;
  const isSettled = async (): Promise<boolean> =>
    (await fleet.journal.open()) === 0 && unheard({ orders, told: fleet.told(), handed, blows }).length === 0;
  const giveUpAt = performance.now() + ms;
  while (!(await isSettled()) && performance.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
  }
}
