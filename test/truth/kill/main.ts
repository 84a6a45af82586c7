import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type Clocks, playKills } from './rounds.js';

/**
 * `npm run truth:kill`: a real Node-RED that is killed at random moments while it takes payments; in some of its lives the
 * clock is wrong, or jumps, or the disk is full. Says what came of it as JSON; exit code 1 where anything does not agree.
 *   --rounds N   kills (20)
 *   --speed N    how much faster time passes (20); less on a machine with other work
 *   --clocks C   any, 1970 or far-ahead: see `Clocks` (any)
 *   --seed S     what is bought, by whom, and when it is killed (random); the moments themselves nobody can repeat
 */
const CLOCKS: readonly Clocks[] = ['any', '1970', 'far-ahead'];

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    speed: { type: 'string', default: '20' },
    seed: { type: 'string' },
    clocks: { type: 'string', default: 'any' },
  },
});

async function main(): Promise<void> {
  const startedAt = performance.now();
  const seed = Number(values.seed ?? randomInt(1, 2 ** 31));
  const report = await playKills({
    seed,
    rounds: Number(values.rounds),
    speed: Number(values.speed),
    clocks: clocksOf(values.clocks),
  });
  process.stdout.write(
    `${JSON.stringify({ ...report, seconds: Math.round((performance.now() - startedAt) / 1000) })}\n`,
  );
  process.exitCode = report.violations.length > 0 ? 1 : 0;
}

function clocksOf(text: string): Clocks {
  const known = CLOCKS.find((clocks) => clocks === text);
  if (known === undefined) throw new Error(`--clocks is one of ${CLOCKS.join(', ')}`);
  return known;
}

void main();
