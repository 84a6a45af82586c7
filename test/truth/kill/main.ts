import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { playKills } from './rounds.js';

/**
 * `npm run truth:kill`: a real Node-RED that is killed at random moments while it takes payments; in some of its lives the
 * clock is wrong, or jumps, or the disk is full. Says what came of it as JSON; exit code 1 where anything does not agree.
 *   --rounds N   kills (20)
 *   --speed N    how much faster time passes (20); less on a machine with other work
 *   --seed S     what is bought, by whom, and when it is killed (random); the moments themselves nobody can repeat
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    speed: { type: 'string', default: '20' },
    seed: { type: 'string' },
  },
});

async function main(): Promise<void> {
  const startedAt = performance.now();
  const seed = Number(values.seed ?? randomInt(1, 2 ** 31));
  const report = await playKills({ seed, rounds: Number(values.rounds), speed: Number(values.speed) });
  process.stdout.write(
    `${JSON.stringify({ ...report, seconds: Math.round((performance.now() - startedAt) / 1000) })}\n`,
  );
  process.exitCode = report.violations.length > 0 ? 1 : 0;
}

void main();
