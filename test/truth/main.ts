import { parseArgs } from 'node:util';
import { DEFAULT_WORLD, WORLD_NAMES, type WorldName } from './hostility.js';
import { playInChildren } from './jobs.js';
import { JOURNAL_NAMES, type JournalName, run } from './run.js';
import { coverageOf, Totals, type TotalsMessage } from './totals.js';
import { SITUATIONS_OF } from './worlds.js';

/**
 * Plays seeds, and says in its last line what came of it, as JSON. Exit code 1 where anything was violated, or where
 * 100,000 seeds and more left something out.
 *   --seeds N --from S   plays N seeds from S on
 *   --seed S             plays one and prints its timeline
 *   --world W            `today`, `hostile` or `fleet`
 *   --situation S        every seed is in a situation of this name, see `situations.ts` and `fleet/fleet-situations.ts`
 *   --journal J          `memory` or `lmdb`: the product's own, on a disk that is really full now and then (Linux)
 *   --jobs N             plays them on N cores
 *   --enough N           stops after N seeds that violate something (with --jobs: each core by itself)
 */

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    world: { type: 'string', default: DEFAULT_WORLD },
    situation: { type: 'string' },
    journal: { type: 'string', default: 'memory' },
    jobs: { type: 'string', default: '1' },
    enough: { type: 'string', default: 'Infinity' },
  },
});

/** In so many seeds everything that can happen must. */
const ENOUGH_FOR_ALL = 100_000;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function worldNamed(name: string): WorldName {
  const world = WORLD_NAMES.find((known) => known === name);
  if (world === undefined) throw new Error(`--world is one of ${WORLD_NAMES.join(', ')}`);
  return world;
}

function journalNamed(name: string): JournalName {
  const journal = JOURNAL_NAMES.find((known) => known === name);
  if (journal === undefined) throw new Error(`--journal is one of ${JOURNAL_NAMES.join(', ')}`);
  return journal;
}

function mustBeSituation(name: string, world: WorldName): void {
  const known = SITUATIONS_OF[world];
  if (!known.includes(name))
    throw new Error(`--situation in the world ${world} is one of ${known.join(', ') || 'none'}`);
}

const journal = journalNamed(values.journal);
const chosenWorld = worldNamed(values.world);
const { situation } = values;
if (situation !== undefined) mustBeSituation(situation, chosenWorld);

async function playOne(seed: number, world: WorldName): Promise<number> {
  const report = await run(seed, print, world, journal, situation);
  const { operations, simulatedMs, crashes, violations } = report;
  print(JSON.stringify({ seed, world, operations, simulatedMs, crashes, ...coverageOf(report), violations }));
  return violations.length;
}

async function playSome(from: number, seeds: number, enough: number, world: WorldName): Promise<Totals> {
  const totals = new Totals();
  for (let played = 0; played < seeds && totals.violations < enough; played++) {
    const report = await run(from + played, undefined, world, journal, situation);
    totals.add(report);
    if (report.violations.length > 0) print(`seed ${report.seed}: ${report.violations.join('; ')}`);
  }
  const { user, system } = process.cpuUsage();
  totals.cpuMicroseconds = user + system;
  return totals;
}

async function playOnCores(from: number, seeds: number, jobs: number, world: WorldName): Promise<Totals> {
  const alone = situation === undefined ? [] : ['--situation', situation];
  const rest = ['--world', world, ...alone, '--journal', journal, '--enough', values.enough];
  const messages = await playInChildren<TotalsMessage>({ from, seeds, jobs, count: '--seeds', rest, print });
  const totals = new Totals();
  for (const message of messages) totals.addMessage(message);
  return totals;
}

async function playMany(): Promise<number> {
  const startedAt = process.hrtime.bigint();
  const [from, seeds, jobs] = [Number(values.from), Number(values.seeds), Number(values.jobs)];
  const world = worldNamed(values.world);
  const totals =
    jobs > 1 ? await playOnCores(from, seeds, jobs, world) : await playSome(from, seeds, Number(values.enough), world);
  if (process.send !== undefined) process.send(totals.toMessage());
  const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
  const summary = totals.summary(world);
  print(JSON.stringify({ world, situation, journal, from, jobs, ...totals.figures(seconds), ...summary }));
  return totals.violations + (totals.seeds >= ENOUGH_FOR_ALL ? summary.never.length : 0);
}

// Nobody reads the stacks of what goes wrong by plan, and taking them is slow.
Error.stackTraceLimit = values.seed === undefined ? 0 : Error.stackTraceLimit;
const playing = values.seed === undefined ? playMany() : playOne(Number(values.seed), worldNamed(values.world));
void playing.then((violations) => {
  process.exitCode = violations > 0 ? 1 : 0;
  process.disconnect?.();
});
