import { parseArgs } from 'node:util';
import { torture } from './torture.js';

/**
 * `npm run journal:torture -- --rounds 1000 --seed 1`: spoils a journal in each round in another way, lets a process work with
 * it, and prints what became of each. None may go unnoticed, and none may end the process. The last line is JSON.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { rounds: { type: 'string' }, seed: { type: 'string' }, verbose: { type: 'boolean' } },
  });
  const [rounds, seed] = [Number(values.rounds ?? 1_000), Number(values.seed ?? 1)];
  const totals = await torture(rounds, seed, (line, isBad) => {
    if (isBad || values.verbose) console.log(line);
  });
  console.log(JSON.stringify(totals));
  if (totals.silent + totals.ended > 0) process.exitCode = 1;
}

void main();
