import { cpus } from 'node:os';
import { bareFlow, callbackFlow, handFlow, pollingFlow } from './flows.js';
import { type Figures, measure, SLOTS, startSimulator } from './run.js';
import { measureStart, type StartUp } from './start-up.js';

/**
 * `npm run bench`: what a sale costs inside a real Node-RED, and what the package adds to its start. Every figure is a
 * median of rounds that take turns, so that a noisy machine is noisy for all: trust the ratios.
 */
const ROUNDS = 3;
const STARTS = 5;

const VARIANTS = [
  { name: 'bare node, undici, keeps nothing', makeFlow: bareFlow, sales: 3_000, warmUp: 1_000 },
  { name: 'by hand, core nodes', makeFlow: handFlow, sales: 3_000, warmUp: 1_000 },
  { name: 'payment-sale, by callback', makeFlow: callbackFlow, sales: 3_000, warmUp: 1_000 },
  // A round of polling takes 4 s: fewer of them, or it would take an hour.
  { name: 'payment-sale, by polling', makeFlow: pollingFlow, sales: 160, warmUp: 96 },
];

async function main(json: boolean): Promise<void> {
  const sales = await measureSales();
  const start = await measureStarts();
  printTable(sales, start);
  if (json) console.log(JSON.stringify({ inFlight: SLOTS, sales, start }));
}

async function measureSales(): Promise<Record<string, Figures>> {
  const simulator = await startSimulator();
  const rounds = new Map<string, Figures[]>(VARIANTS.map(({ name }) => [name, []]));
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const { name, makeFlow, ...size } of VARIANTS) {
        rounds.get(name)?.push(await measure(simulator, makeFlow, size));
      }
    }
  } finally {
    simulator.stop();
  }
  const medians = [...rounds].map(([name, figures]): [string, Figures] => [
    name,
    {
      cpuMsPerSale: median(figures.map(({ cpuMsPerSale }) => cpuMsPerSale)),
      salesPerSecond: median(figures.map(({ salesPerSecond }) => salesPerSecond)),
    },
  ]);
  return Object.fromEntries(medians);
}

/** What the package adds. */
async function measureStarts(): Promise<StartUp> {
  const [without, withPackage]: [StartUp[], StartUp[]] = [[], []];
  for (let start = 0; start < STARTS; start++) {
    without.push(await measureStart(false));
    withPackage.push(await measureStart(true));
  }
  const added = (figure: keyof StartUp): number =>
    median(withPackage.map((start) => start[figure])) - median(without.map((start) => start[figure]));
  return { ms: added('ms'), megabytes: added('megabytes') };
}

function printTable(sales: Record<string, Figures>, start: StartUp): void {
  const [processor] = cpus();
  console.log(`Node ${process.version}, ${cpus().length} x ${processor?.model}, ${SLOTS} in flight\n`);
  console.log('| sale | CPU ms per sale | sales per second |\n|---|---|---|');
  for (const [name, { cpuMsPerSale, salesPerSecond }] of Object.entries(sales)) {
    console.log(`| ${name} | ${cpuMsPerSale.toFixed(2)} | ${salesPerSecond.toFixed(0)} |`);
  }
  console.log(`\nAdded to Node-RED's start: ${start.ms.toFixed(0)} ms, ${start.megabytes.toFixed(1)} MB`);
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

void main(process.argv.includes('--json'));
