import { fork } from 'node:child_process';

export interface Jobs {
  from: number;
  seeds: number;
  jobs: number;
  /** The argument that says how many. */
  count: '--seeds' | '--cases';
  /** Further arguments of each child. */
  rest: readonly string[];
  print(line: string): void;
}

/** Plays seeds in child processes, each a range of them, prints what they find, and returns what each of them sends. */
export function playInChildren<Message>({ from, seeds, jobs, count, rest, print }: Jobs): Promise<Message[]> {
  const size = Math.ceil(seeds / jobs);
  const starts = Array.from({ length: jobs }, (_, job) => job * size).filter((start) => start < seeds);
  const children = starts.map((start) =>
    play<Message>([...rest, '--from', String(from + start), count, String(Math.min(size, seeds - start))], print),
  );
  return Promise.all(children);
}

function play<Message>(args: readonly string[], print: (line: string) => void): Promise<Message> {
  return new Promise((resolve, reject) => {
    const script = process.argv[1] ?? '';
    const child = fork(script, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    let message: Message | undefined;
    let rest = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      const lines = `${rest}${chunk.toString()}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('seed ')) print(line);
    });
    child.once('message', (sent) => {
      message = sent as Message;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (message === undefined) reject(new Error(`a child ended with ${code} and told nothing`));
      else resolve(message);
    });
  });
}
