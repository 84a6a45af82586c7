import { parseArgs } from 'node:util';
import { playInChildren } from '../jobs.js';
import { Tally } from '../tally.js';
import { ENDPOINTS } from './endpoints.js';
import { type CaseReport, KINDS, playCase } from './play-case.js';

/**
 * Plays payments through whole engines whose service answers oddly, and says in its last line what came of it, as JSON.
 * Exit code 1 where a case crashed the process, left a message unanswered, told something wrong, or leaked something.
 *   --cases N --from S   plays N cases from seed S on (10000, 1)
 *   --seed S             plays one case and prints its timeline
 *   --jobs N             plays them on N cores
 */
const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    jobs: { type: 'string', default: '1' },
  },
});

type Figures = Record<'cases' | (typeof KINDS)[number], number>;

interface Message {
  figures: Figures;
  changed: Record<string, number>;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

class Sum {
  readonly figures: Figures = { cases: 0, crashes: 0, silences: 0, lies: 0, leaks: 0 };
  readonly changed = new Tally();

  add({ seed, found, changed }: CaseReport): void {
    this.figures.cases++;
    for (const kind of KINDS) {
      if (found[kind].length === 0) continue;
      this.figures[kind]++;
      print(`seed ${seed}: ${kind}: ${found[kind].join('; ')}`);
    }
    this.addChanged(changed);
  }

  addMessage({ figures, changed }: Message): void {
    for (const name of Object.keys(figures) as (keyof Figures)[]) this.figures[name] += figures[name];
    this.addChanged(changed);
  }

  toMessage(): Message {
    return { figures: this.figures, changed: this.changed.toObject(ENDPOINTS) };
  }

  private addChanged(changed: Record<string, number>): void {
    for (const [endpoint, times] of Object.entries(changed)) this.changed.add(endpoint, times);
  }
}

async function playMany(): Promise<boolean> {
  const startedAt = process.hrtime.bigint();
  const [from, cases, jobs] = [Number(values.from), Number(values.cases), Number(values.jobs)];
  const sum = new Sum();
  if (jobs > 1) {
    const messages = await playInChildren<Message>({ from, seeds: cases, jobs, count: '--cases', rest: [], print });
    for (const message of messages) sum.addMessage(message);
  } else {
    for (let played = 0; played < cases; played++) sum.add(await playCase(from + played));
  }
  process.send?.(sum.toMessage());
  const seconds = Math.round(Number(process.hrtime.bigint() - startedAt) / 1e8) / 10;
  const { figures, changed } = sum.toMessage();
  print(JSON.stringify({ from, jobs, seconds, ...figures, byEndpoint: changed }));
  return KINDS.every((kind) => figures[kind] === 0);
}

async function playOne(seed: number): Promise<boolean> {
  const { found, changed } = await playCase(seed, print);
  print(JSON.stringify({ seed, ...found, byEndpoint: changed }));
  return KINDS.every((kind) => found[kind].length === 0);
}

const playing = values.seed === undefined ? playMany() : playOne(Number(values.seed));
void playing.then((isFine) => {
  process.exitCode = isFine ? 0 : 1;
  process.disconnect?.();
});
