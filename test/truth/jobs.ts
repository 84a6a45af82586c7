import { fork } from 'node:child_process';
import { Totals, type TotalsMessage } from './totals.js';

export interface Jobs {
  from: number;
  seeds: number;
  jobs: number;
  /** Further arguments of each child. */
  rest: readonly string[];
  print(line: string): void;
}

/** Plays seeds in child processes, each a range of them, prints what they find, and adds up what they come to. */
export async function playInChildren({ from, seeds, jobs, rest, print }: Jobs): Promise<Totals> {
  const totals = new Totals();
  const size = Math.ceil(seeds / jobs);
  const starts = Array.from({ length: jobs }, (_, job) => job * size).filter((start) => start < seeds);
  const children = starts.map((start) =>
    play([...rest, '--from', String(from + start), '--seeds', String(Math.min(size, seeds - start))], print),
  );
  for (const message of await Promise.all(children)) totals.addMessage(message);
  return totals;
}

function play(args: readonly string[], print: (line: string) => void): Promise<TotalsMessage> {
  return new Promise((resolve, reject) => {
    const script = process.argv[1] ?? '';
    const child = fork(script, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    let message: TotalsMessage | undefined;
    let rest = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      const lines = `${rest}${chunk.toString()}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('seed ')) print(line);
    });
    child.once('message', (sent) => {
      message = sent as TotalsMessage;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (message === undefined) reject(new Error(`a child ended with ${code} and told nothing`));
      else resolve(message);
    });
  });
}
