import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import { MemoryJournal } from '../../../src/core/journal/memory.js';
import { systemClock } from '../../../src/core/platform/system-clock.js';
import { VirtualClock } from '../../harness/virtual-clock.js';
import { measureTerminals, type Setting, type Throughput } from './terminals.js';

/** Terminals that share keys: how many sales a key makes at two requests a second, and how late the flow hears of them. */

const HUNDRED = { keys: 1, terminals: 100, cardMs: 15_000 };
const THOUSAND = { keys: 10, terminals: 100, cardMs: 15_000 };
const SETTINGS: readonly Setting[] = [
  { ...HUNDRED, callbacks: true, countReads: false, everyMs: 0 },
  { ...HUNDRED, callbacks: false, countReads: false, everyMs: 0 },
  { ...HUNDRED, callbacks: false, countReads: true, everyMs: 105_000 },
  // More customers than a key can serve: the terminals wait for polls.
  { ...HUNDRED, callbacks: false, countReads: true, everyMs: 0 },
  { ...HUNDRED, callbacks: true, countReads: true, everyMs: 0 },
  { ...THOUSAND, callbacks: true, countReads: false, everyMs: 0 },
  { ...THOUSAND, callbacks: false, countReads: false, everyMs: 0 },
];
const REAL: readonly Setting[] = [
  { keys: 10, terminals: 100, cardMs: 0, callbacks: true, countReads: false, everyMs: 0 },
  { keys: 10, terminals: 100, cardMs: 0, callbacks: false, countReads: false, everyMs: 0 },
];
const VIRTUAL_SECONDS = 600;
const REAL_SECONDS = 60;
const REAL_WARM_UP = 60_000;

/** Under the virtual clock, with a journal in memory. */
export async function virtualRates(): Promise<Throughput[]> {
  const all: Throughput[] = [];
  for (const setting of SETTINGS) {
    const clock = new VirtualClock();
    const means = { clock, journal: new MemoryJournal(), seconds: VIRTUAL_SECONDS };
    all.push(await measureTerminals(setting, means, (ms) => clock.advance(ms)));
  }
  return all;
}

/** In real time, on disk, with a simulator in the same process that answers at once. */
export async function realRates(base: string): Promise<(Throughput & { loopDelayP99Ms: number })[]> {
  const all: (Throughput & { loopDelayP99Ms: number })[] = [];
  for (const setting of REAL) {
    const folder = await mkdtemp(join(base, 'journal-rates-'));
    const journal = await openLmdbJournal(folder);
    const means = { clock: systemClock, journal, seconds: REAL_SECONDS, warmUpMs: REAL_WARM_UP };
    try {
      const pass = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const throughput = await measureTerminals(setting, means, pass);
      all.push({ ...throughput, loopDelayP99Ms: delay.percentile(99) / 1e6 - 1 });
    } finally {
      await journal.close();
      await rm(folder, { recursive: true });
    }
  }
  return all;
}
