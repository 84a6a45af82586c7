import { enter } from './actors/index.js';
import { FleetWorld } from './fleet/fleet-world.js';
import { DEFAULT_WORLD, type WorldName } from './hostility.js';
import { newLmdbDisk } from './lmdb-disk.js';
import { LoneWorld } from './lone-world.js';
import { judge } from './oracle/judge.js';
import { Play } from './play.js';
import type { Tally } from './tally.js';
import { scenarioOf } from './worlds.js';

/** `lmdb`: the journal of the product, on a real disk. */
export const JOURNAL_NAMES = ['memory', 'lmdb'] as const;

export type JournalName = (typeof JOURNAL_NAMES)[number];

/** What became of one seed. */
export interface Report {
  seed: number;
  operations: number;
  /** Virtual time that passed, ms. */
  simulatedMs: number;
  crashes: number;
  faults: Tally;
  /** Transitions that were taken, by table and the phase they found. */
  edges: Tally;
  tellings: Tally;
  /** What was asked of the service, by operation. */
  asked: Tally;
  /** The readings of the service that this seed switched on and that decided something; the actors that did something. */
  readings: Tally;
  actors: Tally;
  /** How long idle terminals stood still while somebody waited: whole seconds, with how often. */
  standstill: ReadonlyMap<number, number>;
  violations: string[];
}

const DAY = 24 * 60 * 60 * 1000;
/** Longer than anything may go on. */
const LIMIT = { today: 12 * DAY, hostile: 400 * DAY, fleet: 12 * DAY };
/** A run that sets more goes round in circles. */
const MOST_TIMERS = { today: 200_000, hostile: 200_000, fleet: 10_000_000 };

/** Plays one seed to its end. */
export async function run(
  seed: number,
  write?: (line: string) => void,
  name: WorldName = DEFAULT_WORLD,
  journal: JournalName = 'memory',
  situation?: string,
): Promise<Report> {
  const scenario = scenarioOf(seed, name, situation);
  const world =
    scenario.fleet === undefined
      ? new LoneWorld(scenario, write, undefined, journal === 'lmdb' ? newLmdbDisk : undefined)
      : new FleetWorld(scenario, scenario.fleet, write);
  const play = new Play(scenario, world);
  play.begin();
  const { hostility, messages } = scenario;
  if (hostility !== undefined) {
    const span = Math.max(...messages.map(({ at }) => at));
    enter({ world, play, span }, seed, hostility.actors);
  }
  world.start();
  let timers = 0;
  const most = MOST_TIMERS[name];
  await world.clock.runUntil(() => ++timers > most || world.isOver, LIMIT[name]);
  if (timers > most) world.violations.push(`goes on after ${most} timers`);
  for (const { at, kind, customerReference, moved, held, transactionId } of world.simulator.bank.entries()) {
    write?.(`LEDGER ${at} ${kind} ${customerReference} ${moved} moved, ${held} held, ${transactionId}`);
  }
  await world.disk.discard();
  const violations = judge(world, play);
  for (const violation of violations) write?.(`VIOLATION ${violation}`);
  for (const [kind, times] of Object.entries(world.simulator.faults.counts())) world.faults.add(kind, times);
  const { faults, edges, tellings, asked, crashes, readings, acts, standstill } = world;
  return {
    seed,
    operations: world.flow.asked.size,
    simulatedMs: world.time,
    crashes,
    faults,
    edges,
    tellings,
    asked,
    readings,
    actors: acts,
    standstill: standstill.seconds,
    violations,
  };
}
