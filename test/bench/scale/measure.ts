import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Engine } from '../../../src/core/engine/engine.js';
import type { Journal } from '../../../src/core/journal/journal.js';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import { newestOf } from '../../../src/nodes/admin/operations/newest.js';
import { summaryOf } from '../../../src/nodes/admin/operations/summary.js';
import { Pruning } from '../../../src/nodes/runtime/environment/pruning.js';
import { sampleRecord } from '../../core/journal/sample-record.js';
import { shareOf } from '../../harness/share-of.js';
import { BETWEEN_PAYMENTS, type Filling } from './fill.js';
import { idleEngine } from './idle-engine.js';

/**
 * Measures a filled journal in a process of its own, in the order in which a Node-RED meets it, and sends the figures to the
 * process that started it. All times in ms.
 */
export interface Figures {
  /** Of the machine: above the number of its processors all other figures are too high. */
  loadAverage: number;
  /** With nothing to do, for comparison. */
  idleLoopDelayP99Ms: number;
  openMs: number;
  takeUpMs: number;
  /** What of it this process had a processor for, all its threads. */
  takeUpCpuMs: number;
  firstSaleMs: number;
  findMs: { median: number; p99: number };
  sidebarFirstPageMs: number;
  sidebarFirstPageCpuMs: number;
  prune: { deleted: number; loopDelayP99Ms: number; loopDelayMaxMs: number; saleMedianMs: number; saleMaxMs: number };
  checkLoopDelayP99Ms: number;
  residentMb: number;
  heapMb: number;
}

const PAGE = 200;
const PAGES = 5;
const PRUNED_DURING_MS = 10_000;
const DAY = 24 * 60 * 60 * 1000;

async function main(folder: string, path: string): Promise<void> {
  const filling: Filling = JSON.parse(await readFile(path, 'utf8'));
  await openLmdbJournal(`${folder}-other`).then((journal) => journal.close());
  const idle = await loopDelayFor(2_000);
  const [openMs, journal] = await timed(() => openLmdbJournal(folder, (damage) => console.error(damage)));
  const engines = filling.environments.map((environment) => idleEngine(environment, journal));
  const [takeUpMs, , takeUpCpuMs] = await timed(() => Promise.all(engines.map((engine) => engine.start())));
  const [firstSaleMs] = await timed(() => sell(journal));
  for (const engine of engines) await engine.stop();
  const checkLoopDelayP99Ms = (await loopDelayFor(2_000)).p99;
  const finds = await findTimes(journal, filling);
  const pages: [number, unknown, number][] = [];
  while (pages.length < PAGES) pages.push(await timed(() => firstPage(engines, filling.now)));
  const prune = await pruneBeside(journal, filling);
  const { rss, heapUsed } = process.memoryUsage();
  const figures: Figures = {
    loadAverage: loadavg()[0] ?? Number.NaN,
    idleLoopDelayP99Ms: idle.p99,
    openMs,
    takeUpMs,
    takeUpCpuMs,
    firstSaleMs,
    findMs: { median: shareOf(finds, 0.5), p99: shareOf(finds, 0.99) },
    sidebarFirstPageMs: shareOf(
      pages.map(([ms]) => ms),
      0.5,
    ),
    sidebarFirstPageCpuMs: shareOf(
      pages.map(([, , cpuMs]) => cpuMs),
      0.5,
    ),
    prune,
    checkLoopDelayP99Ms,
    residentMb: rss / 1e6,
    heapMb: heapUsed / 1e6,
  };
  await journal.close();
  process.send?.(figures);
  process.disconnect();
}

async function sell(journal: Journal): Promise<void> {
  const sale = sampleRecord({ operationId: randomUUID() });
  await journal.record(sale);
  await journal.advance({ ...sale, closed: true, updatedAt: sale.createdAt + 1 });
}

async function firstPage(engines: readonly Engine[], now: number): Promise<void> {
  const records = await newestOf(engines, PAGE);
  if (records.length !== PAGE) throw new Error(`a page of ${records.length}`);
  JSON.stringify(records.map((record) => summaryOf(record, now)));
}

async function findTimes(journal: Journal, { known }: Filling): Promise<number[]> {
  const times: number[] = [];
  for (const { operationId, transactionId } of known) {
    for (const query of [{ operationId }, { transactionId }]) {
      const [ms, found] = await timed(() => journal.find(query));
      if (found.length !== 1) throw new Error(`not found: ${JSON.stringify(query)}`);
      times.push(ms);
    }
  }
  return times;
}

/** Deletes the older half for a while, and sells beside it. */
async function pruneBeside(journal: Journal, { closed, open }: Filling): Promise<Figures['prune']> {
  const keepDays = (((closed + open) / 2) * BETWEEN_PAYMENTS) / DAY;
  let deleted = 0;
  const counting = Object.assign(Object.create(journal) as Journal, {
    prune: async (keep: number) => {
      const count = await journal.prune(keep);
      deleted += count;
      return count;
    },
  });
  const pruning = new Pruning(keepDays, (error) => console.error(error));
  const delay = loopDelayFor(PRUNED_DURING_MS);
  void pruning.start(counting);
  const sales: number[] = [];
  const end = performance.now() + PRUNED_DURING_MS;
  while (performance.now() < end) {
    sales.push((await timed(() => sell(journal)))[0]);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  pruning.stop();
  const { p99, max } = await delay;
  return {
    deleted,
    loopDelayP99Ms: p99,
    loopDelayMaxMs: max,
    saleMedianMs: shareOf(sales, 0.5),
    saleMaxMs: shareOf(sales, 1),
  };
}

async function loopDelayFor(ms: number): Promise<{ p99: number; max: number }> {
  const resolution = 1;
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  await new Promise((resolve) => setTimeout(resolve, ms));
  histogram.disable();
  return { p99: histogram.percentile(99) / 1e6 - resolution, max: histogram.max / 1e6 - resolution };
}

/** Milliseconds, result, milliseconds of a processor. */
async function timed<T>(work: () => Promise<T>): Promise<[number, T, number]> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return [performance.now() - start, result, (user + system) / 1_000];
}

void main(process.argv[2] ?? '', process.argv[3] ?? '');
