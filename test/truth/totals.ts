import { ACTOR_NAMES } from './actors/names.js';
import type { WorldName } from './hostility.js';
import { MET_READINGS } from './readings.js';
import type { Report } from './run.js';
import { ALL_ASKED, ALL_TELLINGS, EDGES_EXPECTED, FAULTS_EXPECTED, Tally } from './tally.js';

const HOUR = 60 * 60 * 1000;
const TALLIES = ['asked', 'faults', 'edges', 'tellings', 'readings', 'actors'] as const;

type Exercised = Pick<Report, (typeof TALLIES)[number]>;

/** What may be exercised at all. */
const expectedIn = (world: WorldName): Record<(typeof TALLIES)[number], readonly string[]> => ({
  asked: ALL_ASKED,
  faults: FAULTS_EXPECTED[world],
  edges: EDGES_EXPECTED[world],
  tellings: ALL_TELLINGS,
  readings: world === 'hostile' ? MET_READINGS : [],
  actors: world === 'hostile' ? ACTOR_NAMES : [],
});

/** Totals as one process sends them to another. */
export interface TotalsMessage {
  numbers: Record<'seeds' | 'operations' | 'simulatedMs' | 'crashes' | 'violations' | 'cpuMicroseconds', number>;
  tallies: Record<string, Record<string, number>>;
  standstill: [number, number][];
}

/** What many seeds came to. */
export class Totals {
  seeds = 0;
  operations = 0;
  simulatedMs = 0;
  crashes = 0;
  violations = 0;
  cpuMicroseconds = 0;
  private readonly tallies = Object.fromEntries(TALLIES.map((name) => [name, new Tally()])) as unknown as Exercised;
  private readonly standstill = new Map<number, number>();

  add(report: Report): void {
    this.seeds++;
    this.operations += report.operations;
    this.simulatedMs += report.simulatedMs;
    this.crashes += report.crashes;
    if (report.violations.length > 0) this.violations++;
    for (const name of TALLIES) this.tallies[name].addAll(report[name]);
    this.addStandstill(report.standstill);
  }

  addMessage({ numbers, tallies, standstill }: TotalsMessage): void {
    for (const name of Object.keys(numbers) as (keyof typeof numbers)[]) this[name] += numbers[name];
    for (const name of TALLIES) {
      for (const [what, times] of Object.entries(tallies[name] ?? {})) this.tallies[name].add(what, times);
    }
    this.addStandstill(standstill);
  }

  toMessage(): TotalsMessage {
    const { seeds, operations, simulatedMs, crashes, violations, cpuMicroseconds } = this;
    return {
      numbers: { seeds, operations, simulatedMs, crashes, violations, cpuMicroseconds },
      tallies: coverageOf(this.tallies),
      standstill: [...this.standstill],
    };
  }

  /** `seconds`: what all of it took. */
  figures(seconds: number): Record<string, number> {
    const { seeds, operations, simulatedMs, crashes, violations, cpuMicroseconds } = this;
    return {
      seeds,
      operations,
      simulatedHours: Math.round(simulatedMs / HOUR),
      crashes,
      violations,
      seconds: Math.round(seconds * 10) / 10,
      operationsPerSecond: Math.round(operations / seconds),
      cpuSeconds: Math.round(cpuMicroseconds / 1e5) / 10,
      operationsPerCpuSecond: Math.round((operations * 1e6) / cpuMicroseconds),
    };
  }

  /** `never` has what nobody exercised, and might have. */
  summary(world: WorldName) {
    const expected = expectedIn(world);
    const counts = TALLIES.map((name) => [name, this.tallies[name].toObject(expected[name])] as const);
    const never = counts.flatMap(([, all]) => Object.keys(all).filter((name) => all[name] === 0));
    return { standstillSeconds: this.standstillFigures(), ...Object.fromEntries(counts), never };
  }

  private addStandstill(seconds: Iterable<[number, number]>): void {
    for (const [length, times] of seconds) this.standstill.set(length, (this.standstill.get(length) ?? 0) + times);
  }

  /** How long a message waited for a terminal that stood idle: the longest, and what 99 of 100 did not exceed. */
  private standstillFigures(): { waits: number; longest: number; percentile99: number } {
    const lengths = [...this.standstill].sort(([a], [b]) => a - b);
    const waits = lengths.reduce((sum, [, times]) => sum + times, 0);
    let seen = 0;
    const [percentile99] = lengths.find(([, times]) => {
      seen += times;
      return seen >= waits * 0.99;
    }) ?? [0];
    return { waits, longest: lengths.at(-1)?.[0] ?? 0, percentile99 };
  }
}

export function coverageOf(exercised: Exercised): Record<string, Record<string, number>> {
  return Object.fromEntries(TALLIES.map((name) => [name, exercised[name].toObject()]));
}
