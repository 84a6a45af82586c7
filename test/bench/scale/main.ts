import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Figures } from './measure.js';
import { realRates, virtualRates } from './rates.js';

/**
 * `npm run bench:scale -- --records 1000000 --open 10000 --json`: what a journal costs beside many closed records, and what many
 * terminals on a key get. `--in` names the folder whose disk is measured; the default is the temporary one. `--only journal` or
 * `--only terminals` leaves out the other.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      records: { type: 'string' },
      open: { type: 'string' },
      in: { type: 'string' },
      only: { type: 'string' },
      json: { type: 'boolean' },
    },
  });
  const [records, open] = [Number(values.records ?? 1_000_000), Number(values.open ?? 10_000)];
  const base = await mkdtemp(join(values.in ?? tmpdir(), 'journal-scale-'));
  try {
    const journal = values.only === 'terminals' ? {} : await journalFigures(base, records, open);
    const terminals = values.only === 'journal' ? {} : { virtual: await virtualRates(), real: await realRates(base) };
    const figures = rounded({ loadAverage: loadavg()[0], ...journal, ...terminals });
    for (const [name, value] of Object.entries(figures)) console.log(`${name}: ${JSON.stringify(value)}`);
    if (values.json) console.log(JSON.stringify(figures));
  } finally {
    await rm(base, { recursive: true });
  }
}

async function journalFigures(base: string, records: number, open: number): Promise<object> {
  const folder = join(base, 'journal');
  const path = join(base, 'filling.json');
  const start = performance.now();
  const [code] = await once(fork(join(__dirname, './fill-alone.cjs'), [folder, path, `${records}`, `${open}`]), 'exit');
  if (code !== 0) throw new Error(`the filling process ended with ${code}`);
  const fillSeconds = (performance.now() - start) / 1_000;
  const fileMb = (await stat(join(folder, 'journal.mdb'))).size / 1e6;
  return { records, open, fillSeconds, fileMb, ...(await measured(folder, path)) };
}

async function measured(folder: string, filling: string): Promise<Figures> {
  const child = fork(join(__dirname, './measure.cjs'), [folder, filling]);
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the measuring process ended with ${code}`);
  });
  const [figures] = await Promise.race([once(child, 'message'), failed]);
  failed.catch(() => undefined);
  return figures;
}

/** To a tenth of a microsecond at most: nobody reads more. */
function rounded<T>(figures: T): T {
  return JSON.parse(
    JSON.stringify(figures, (_key, value) => (typeof value === 'number' ? Number(value.toFixed(4)) : value)),
  );
}

void main();
