import { parseArgs } from 'node:util';
import { type Report, run } from './run.js';
import { ALL_ASKED, ALL_EDGES, ALL_FAULTS, ALL_TELLINGS, Tally } from './tally.js';

/**
 * Plays seeds, and says in its last line what came of it, as JSON. Exit code 1 where anything was violated, or where
 * 100,000 seeds and more left something out.
 *   --seeds N --from S   plays N seeds from S on
 *   --seed S             plays one and prints its timeline
 *   --enough N           stops after N seeds that violate something
 */

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    enough: { type: 'string', default: 'Infinity' },
  },
});

/** In so many seeds everything that can happen must. */
const ENOUGH_FOR_ALL = 100_000;
const HOUR = 60 * 60 * 1000;

type Exercised = Pick<Report, 'faults' | 'edges' | 'tellings' | 'asked'>;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function playOne(seed: number): Promise<number> {
  const report = await run(seed, print);
  const { operations, simulatedMs, crashes, violations } = report;
  print(JSON.stringify({ seed, operations, simulatedMs, crashes, ...coverageOf(report), violations }));
  return violations.length;
}

async function playMany(from: number, seeds: number, enough: number): Promise<number> {
  const startedAt = process.hrtime.bigint();
  const total = { faults: new Tally(), edges: new Tally(), tellings: new Tally(), asked: new Tally() };
  let [played, operations, simulatedMs, crashes, violations] = [0, 0, 0, 0, 0];
  while (played < seeds && violations < enough) {
    const report = await run(from + played);
    played++;
    operations += report.operations;
    simulatedMs += report.simulatedMs;
    crashes += report.crashes;
    total.faults.addAll(report.faults);
    total.edges.addAll(report.edges);
    total.tellings.addAll(report.tellings);
    total.asked.addAll(report.asked);
    if (report.violations.length === 0) continue;
    violations++;
    print(`seed ${report.seed}: ${report.violations.join('; ')}`);
  }
  const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
  const { user, system } = process.cpuUsage();
  const coverage = coverageOf(total, true);
  const missing = Object.values(coverage).flatMap((counts) => Object.keys(counts).filter((name) => counts[name] === 0));
  print(
    JSON.stringify({
      seeds: played,
      from,
      operations,
      simulatedHours: Math.round(simulatedMs / HOUR),
      crashes,
      violations,
      seconds: Math.round(seconds * 10) / 10,
      operationsPerSecond: Math.round(operations / seconds),
      cpuSeconds: Math.round((user + system) / 1e5) / 10,
      operationsPerCpuSecond: Math.round((operations * 1e6) / (user + system)),
      ...coverage,
      missing,
    }),
  );
  return violations + (played >= ENOUGH_FOR_ALL ? missing.length : 0);
}

/** `whole`: with a zero for what was never exercised. */
function coverageOf(
  { faults, edges, tellings, asked }: Exercised,
  whole = false,
): Record<string, Record<string, number>> {
  return {
    asked: asked.toObject(whole ? ALL_ASKED : []),
    faults: faults.toObject(whole ? ALL_FAULTS : []),
    edges: edges.toObject(whole ? ALL_EDGES : []),
    tellings: tellings.toObject(whole ? ALL_TELLINGS : []),
  };
}

const { seed, seeds, from, enough } = values;
// Nobody reads the stacks of what goes wrong by plan, and taking them is slow.
Error.stackTraceLimit = seed === undefined ? 0 : Error.stackTraceLimit;
const playing = seed === undefined ? playMany(Number(from), Number(seeds), Number(enough)) : playOne(Number(seed));
void playing.then((violations) => {
  process.exitCode = violations > 0 ? 1 : 0;
});
