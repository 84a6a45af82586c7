import type { Selector } from '../../../src/core/api/status.js';
import { PaymentError } from '../../../src/core/base/errors.js';
import { shownNet } from '../../../src/core/lifecycle/chain/shown-net.js';
import { Draw } from '../draw.js';
import { LoneWorld } from '../lone-world.js';
import { Play } from '../play.js';
import { TERMINALS } from '../scenario.js';
import { drawTarget } from './endpoints.js';
import { OddNetwork } from './odd-network.js';
import { fuzzScenario } from './scenario.js';
import { leaks, lies, silences } from './verdicts.js';

/** What odd answers must not lead to. `crashes`: the process ends, goes round in circles, or a handler throws. */
export const KINDS = ['crashes', 'silences', 'lies', 'leaks'] as const;

export type Found = Record<(typeof KINDS)[number], string[]>;

export interface CaseReport {
  seed: number;
  found: Found;
  /** Answers that were changed, by endpoint. */
  changed: Record<string, number>;
}

const DAY = 24 * 60 * 60 * 1000;
const LIMIT = 12 * DAY;
const MOST_TIMERS = 200_000;
/** What no handler may throw. */
const BUG = /\b(Type|Range|Reference|Syntax)Error\b|is not a function|Cannot (read|convert)/;

/** Plays a few messages through an engine whose service answers oddly, and starts another one on its journal in the end. */
export async function playCase(seed: number, write?: (line: string) => void): Promise<CaseReport> {
  const draw = new Draw(seed, 40);
  const target = drawTarget(draw);
  const scenario = fuzzScenario(seed, target, draw);
  const crashes: string[] = [];
  const said: string[] = [];
  const network = new OddNetwork(new Draw(seed, 41), target.endpoints, write);
  const world = new LoneWorld(scenario, write, network);
  const play = new Play(scenario, world);
  world.onLog = (text) => said.push(text);
  const ended = (error: unknown): void => void crashes.push(`the process ends: ${describe(error)}`);
  process.on('uncaughtException', ended);
  process.on('unhandledRejection', ended);
  try {
    play.begin();
    askAround(world, new Draw(seed, 42), crashes);
    world.clock.after(scenario.calmAt, () => {
      network.isCalm = network.isCalm || new Draw(seed, 43).chance(0.5);
    });
    world.start();
    await untilIdle(world, crashes);
    world.crash();
    await untilIdle(world, crashes);
  } catch (error) {
    ended(error);
  } finally {
    process.off('uncaughtException', ended);
    process.off('unhandledRejection', ended);
  }
  if (world.engine === undefined) crashes.push('the engine does not start on its journal');
  crashes.push(...world.violations, ...said.filter((line) => BUG.test(line)));
  const found: Found = {
    crashes,
    silences: [...silences(world, play)],
    lies: [...lies(world, play)],
    leaks: [...leaks(world, play, said, network.secrets)],
  };
  return { seed, found, changed: network.changed.toObject() };
}

async function untilIdle(world: LoneWorld, crashes: string[]): Promise<void> {
  let timers = 0;
  await world.clock.runUntil(() => ++timers > MOST_TIMERS, LIMIT);
  if (timers > MOST_TIMERS) crashes.push(`goes on after ${MOST_TIMERS} timers`);
}

/** What a flow or the editor asks beside payments: it is answered, or refused with an error that says so. */
function askAround(world: LoneWorld, draw: Draw, crashes: string[]): void {
  const [terminal] = TERMINALS;
  const ask = async (): Promise<void> => {
    const client = world.engine?.client;
    const reference = [...world.disk.durable.values()].flatMap(({ references }) => references).at(-1);
    if (client === undefined) return;
    try {
      await draw.pick<() => Promise<unknown>>([
        () => client.devices.list(),
        () => client.commands.run(terminal, 'set-unattended-mode', { status: true }),
        async () => reference && (await client.status.get(reference, draw.pick<Selector>(['first', 'last', 2]))),
        async () => reference && shownNet(await client.status.all(reference), reference),
      ])();
    } catch (error) {
      if (!(error instanceof PaymentError)) crashes.push(`a question throws ${describe(error)}`);
    }
  };
  for (let times = draw.int(0, 2); times > 0; times--) world.clock.after(draw.scale(1000, 600_000), () => void ask());
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? String(error)).split('\n').slice(0, 4).join(' | ') : String(error);
}
