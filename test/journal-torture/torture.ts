import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Draw } from '../truth/draw.js';
import { CORRUPTIONS, type Corrupt } from './corruptions.js';
import { sampleJournal } from './sample.js';
import type { Outcome } from './victim.js';

const KINDS = Object.entries(CORRUPTIONS) as [[string, Corrupt], ...[string, Corrupt][]];

const READERS = 'journal.mdb-lock';

/** What became of how many spoiled journals. */
export interface Totals {
  rounds: number;
  seed: number;
  detected: number;
  movedAside: number;
  harmless: number;
  silent: number;
  ended: number;
}

/** Spoils a journal in each round in another way, and lets a process work with it. @param say hears of each round */
export async function torture(
  rounds: number,
  seed: number,
  say: (line: string, isBad: boolean) => void,
): Promise<Totals> {
  const totals: Totals = { rounds, seed, detected: 0, movedAside: 0, harmless: 0, silent: 0, ended: 0 };
  const base = await mkdtemp(join(tmpdir(), 'journal-torture-'));
  const sample = await sampleJournal(join(base, 'sample'), new Draw(seed, 0));
  const truth = join(base, 'truth.json');
  await writeFile(truth, JSON.stringify(sample.records));
  let victim = await startVictim(truth);
  try {
    for (let round = 1; round <= rounds; round++) {
      const draw = new Draw(seed, round);
      const [kind, corrupt] = draw.pick(KINDS);
      const folder = join(base, `round-${round}`);
      await mkdir(folder);
      await writeFile(join(folder, 'journal.mdb'), corrupt(Buffer.from(sample.bytes), draw));
      // LMDB leaves its file of readers behind: it shows that there was a journal, where nothing is left of that.
      await copyFile(join(base, 'sample', READERS), join(folder, READERS));
      const outcome = await outcomeOf(victim, folder);
      const became = outcome?.became ?? 'ended';
      totals[became]++;
      const isBad = outcome === undefined || outcome.became === 'silent';
      say(`${round} ${kind}: ${became}; ${outcome?.why ?? 'the process is gone'}`, isBad);
      if (outcome === undefined) victim = await startVictim(truth);
      await rm(folder, { recursive: true });
    }
  } finally {
    victim.kill('SIGKILL');
    await rm(base, { recursive: true });
  }
  return totals;
}

async function startVictim(truth: string): Promise<ChildProcess> {
  const victim = fork(join(__dirname, './victim.ts'), [truth], { execArgv: ['--import', 'tsx'] });
  await once(victim, 'message');
  return victim;
}

/** Undefined where the process has ended. */
async function outcomeOf(victim: ChildProcess, folder: string): Promise<Outcome | undefined> {
  const ended = new AbortController();
  const exit = once(victim, 'exit', { signal: ended.signal }).then(() => undefined);
  const answer = once(victim, 'message', { signal: ended.signal }).then(([outcome]): Outcome => outcome);
  victim.send(folder);
  try {
    return await Promise.race([answer, exit]);
  } finally {
    exit.catch(() => undefined);
    answer.catch(() => undefined);
    ended.abort();
  }
}
