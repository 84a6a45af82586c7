import { cpus, loadavg } from 'node:os';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { shareOf } from '../harness/share-of.js';
import { bareFlow, callbackFlow, handFlow, pollingFlow } from './flows.js';
import { type Figures, Runner, SLOTS, startSimulator } from './run.js';
import { measureStart, type StartUp } from './start-up.js';

/**
 * `npm run bench`: what a sale costs inside a real Node-RED, and what the package adds to its start. All variants are alive
 * and take turns, so that a noisy machine is noisy for all: trust the differences within a round.
 * - `--rounds N` (12), `--sales N` of a variant in a round (500)
 * - `--against <folder or commit>`, more than once if need be: another copy of the package takes turns with this one. A commit is
 *   built by `scripts/bench.mjs`; it runs on the packages that are installed here
 * - `--only sales` leaves out polling and the start; `--only paced` is polling beside the others at its pace; `--only heap`
 *   measures what is left of the heap, again and again, while one Node-RED makes 200,000 sales
 * - `--json`: the last line is one JSON object
 */
const WARM_UP = 3_000;
const STARTS = 5;
/** As fast as polls settle what is open at full pace. */
const PACE_MS = 250;
const PACED_SALES = 160;

const HEAP_STEP = 10_000;
const HEAP_STEPS = 20;

const BARE = 'bare node, undici, keeps nothing';
const BY_HAND = 'by hand, core nodes';
const OURS = 'payment-sale, by callback';
const POLLING = 'payment-sale, by polling';

interface Spread {
  /** What others on the machine have disturbed least. */
  lowest: number;
  lowerQuartile: number;
  median: number;
}

interface Sale {
  cpuMs: Spread;
  /** More than the bare node in the same round. */
  aboveBareMs: Spread;
  /** How many of ours one costs in the same round: the median. */
  inOurs: number;
  salesPerSecond: number;
}

interface Options {
  rounds: number;
  sales: number;
  against: readonly string[];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '12' },
      sales: { type: 'string', default: '500' },
      against: { type: 'string', multiple: true, default: [] },
      only: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const service = await startSimulator();
  try {
    const { rounds, sales, against, only } = values;
    if (only === 'heap') {
      const heapMb = await measureHeap(service);
      if (values.json) console.log(JSON.stringify({ heapStep: HEAP_STEP, heapMb }));
      return;
    }
    if (only === 'paced') {
      console.log(JSON.stringify({ perSecond: 1000 / PACE_MS, cpuMs: await measurePaced(service) }));
      return;
    }
    const measured = await measureSales(service, { rounds: Number(rounds), sales: Number(sales), against });
    const rest = only === 'sales' ? {} : { paced: await measurePaced(service), start: await measureStarts() };
    printTable({ ...measured, ...rest });
    const loadAverage = loadavg()[0];
    if (values.json) console.log(JSON.stringify({ inFlight: SLOTS, loadAverage, ...measured, ...rest }));
  } finally {
    service.stop();
  }
}

type Service = Awaited<ReturnType<typeof startSimulator>>;

async function measureSales(
  service: Service,
  { rounds, sales, against }: Options,
): Promise<{ sales: Record<string, Sale>; roundsCheaperThanByHand: string }> {
  const runners = new Map<string, Runner>();
  const figures = new Map<string, Figures[]>();
  try {
    runners.set(BARE, await Runner.start(service, bareFlow));
    runners.set(BY_HAND, await Runner.start(service, handFlow));
    for (const root of against)
      runners.set(`${OURS}, of ${basename(root)}`, await Runner.start(service, callbackFlow, { root }));
    runners.set(OURS, await Runner.start(service, callbackFlow));
    for (const runner of runners.values()) await runner.sell(WARM_UP);
    for (let round = 0; round < rounds; round++) {
      // Whoever comes after an expensive one must not always be the same.
      const turns = round % 2 === 0 ? [...runners] : [...runners].reverse();
      for (const [name, runner] of turns) {
        figures.set(name, [...(figures.get(name) ?? []), await runner.sell(sales)]);
      }
    }
  } finally {
    for (const runner of runners.values()) await runner.stop();
  }
  const costs = (name: string): number[] => (figures.get(name) ?? []).map(({ cpuMsPerSale }) => cpuMsPerSale);
  const bare = costs(BARE);
  const byHand = costs(BY_HAND);
  const ours = costs(OURS);
  const cheaper = ours.filter((cost, round) => cost < (byHand[round] ?? 0)).length;
  return {
    sales: Object.fromEntries(
      [...figures].map(([name, all]) => [
        name,
        {
          cpuMs: spread(costs(name)),
          aboveBareMs: spread(costs(name).map((cost, round) => cost - (bare[round] ?? 0))),
          inOurs: spread(costs(name).map((cost, round) => cost / (ours[round] ?? 0))).median,
          salesPerSecond: spread(all.map(({ salesPerSecond }) => salesPerSecond)).median,
        },
      ]),
    ),
    roundsCheaperThanByHand: `${cheaper} of ${rounds}`,
  };
}

/** After each step, the first one included, so that what is loaded and filled once does not count. */
async function measureHeap(service: Service): Promise<number[]> {
  const runner = await Runner.start(service, callbackFlow);
  const heapMb: number[] = [];
  try {
    while (heapMb.length < HEAP_STEPS) {
      await runner.sell(HEAP_STEP);
      heapMb.push(await runner.heapMb());
      console.log(`${heapMb.length * HEAP_STEP} sales: ${heapMb.at(-1)?.toFixed(2)} MB of heap`);
    }
  } finally {
    await runner.stop();
  }
  return heapMb;
}

/** Polling has a pace of its own, at which an idle Node-RED costs more than a sale: all at that pace, at the same time. */
async function measurePaced(service: Service): Promise<Record<string, number>> {
  const flows = { [BARE]: bareFlow, [OURS]: callbackFlow, [POLLING]: pollingFlow };
  const runners = new Map<string, Runner>();
  try {
    for (const [place, [name, makeFlow]] of Object.entries(flows).entries()) {
      runners.set(name, await Runner.start(service, makeFlow, { place }));
    }
    // The service keeps so many results: a burst of sales must not push out those that are polled for.
    for (const [name, runner] of runners) {
      if (name !== POLLING) await runner.sell(WARM_UP);
    }
    await Promise.all([...runners.values()].map((runner) => runner.sell(PACED_SALES, PACE_MS)));
    const paced = async ([name, runner]: [string, Runner]): Promise<[string, number]> => [
      name,
      (await runner.sell(PACED_SALES, PACE_MS)).cpuMsPerSale,
    ];
    return Object.fromEntries(await Promise.all([...runners].map(paced)));
  } finally {
    for (const runner of runners.values()) await runner.stop();
  }
}

/** What the package adds. */
async function measureStarts(): Promise<StartUp> {
  const [without, withPackage]: [StartUp[], StartUp[]] = [[], []];
  for (let start = 0; start < STARTS; start++) {
    without.push(await measureStart(false));
    withPackage.push(await measureStart(true));
  }
  const added = (figure: keyof StartUp): number =>
    spread(withPackage.map((start) => start[figure])).median - spread(without.map((start) => start[figure])).median;
  return { ms: added('ms'), megabytes: added('megabytes') };
}

interface Results {
  sales: Record<string, Sale>;
  roundsCheaperThanByHand: string;
  paced?: Record<string, number>;
  start?: StartUp;
}

function printTable({ sales, roundsCheaperThanByHand, paced, start }: Results): void {
  const [processor] = cpus();
  console.log(`Node ${process.version}, ${cpus().length} x ${processor?.model}, ${SLOTS} in flight\n`);
  console.log(
    '| sale | CPU ms: lowest | lower quartile | median | above bare: lower quartile | median | in ours | sales per second |',
  );
  console.log('|---|---|---|---|---|---|---|---|');
  for (const [name, { cpuMs, aboveBareMs, inOurs, salesPerSecond }] of Object.entries(sales)) {
    const { lowest, lowerQuartile, median } = cpuMs;
    const figures = [lowest, lowerQuartile, median, aboveBareMs.lowerQuartile, aboveBareMs.median, inOurs];
    console.log(`| ${name} | ${figures.map((ms) => ms.toFixed(3)).join(' | ')} | ${salesPerSecond.toFixed(0)} |`);
  }
  console.log(`\nCheaper than by hand in ${roundsCheaperThanByHand} rounds`);
  for (const [name, ms] of Object.entries(paced ?? {})) {
    console.log(`${name}, ${1000 / PACE_MS} a second: ${ms.toFixed(2)} CPU ms`);
  }
  if (start) console.log(`Added to Node-RED's start: ${start.ms.toFixed(0)} ms, ${start.megabytes.toFixed(1)} MB`);
}

function spread(values: readonly number[]): Spread {
  return { lowest: shareOf(values, 0), lowerQuartile: shareOf(values, 0.25), median: shareOf(values, 0.5) };
}

void main();
