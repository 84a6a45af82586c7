import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { USUAL } from './habits.js';
import { playFleet } from './run.js';
import { measureThroughput } from './throughput.js';

/**
 * `npm run fleet`: several real Node-REDs with one journal in PostgreSQL, behind a balancer that passes orders and callbacks to any
 * of them; they are killed and frozen, and the database is restarted. Says what came of it, as JSON in the last line; exit code 1
 * where anything does not agree.
 *   --sales N            sales and holds at least (200); follow-ups come beside them
 *   --kills N            SIGKILL of a replica (2)
 *   --freezes N          SIGSTOP of a replica (1), for --freeze-seconds (60)
 *   --restarts N         power cuts of the database (1)
 *   --replicas N         (3)
 *   --keys N             API keys (2), each of which may make --rate requests per second (2)
 *   --terminals N        on all keys together (20)
 *   --throughput         measures instead how fast one process and several sell, --sales each, and take up what another left
 *   --seed S             what is bought, and what is struck (random); the moments themselves nobody can repeat
 *   --minutes N          closes the shops after so long, whatever is still to be bought
 *   --json               on stdout nothing but the last line
 */
const { values } = parseArgs({
  options: {
    sales: { type: 'string' },
    kills: { type: 'string', default: '2' },
    freezes: { type: 'string', default: '1' },
    'freeze-seconds': { type: 'string', default: '60' },
    restarts: { type: 'string', default: '1' },
    replicas: { type: 'string', default: '3' },
    keys: { type: 'string', default: '2' },
    terminals: { type: 'string', default: '20' },
    rate: { type: 'string', default: '2' },
    throughput: { type: 'boolean' },
    minutes: { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'boolean' },
  },
});

const seed = Number(values.seed ?? randomInt(1, 2 ** 31));
const SALES = { fleet: 200, throughput: 2000 };
const ORPHANS = 10_000;
/** Terminals of a key which it cannot serve all at once. */
const MANY = 50;

function say(text: string): void {
  const out = values.json ? process.stderr : process.stdout;
  out.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}

async function main(): Promise<void> {
  const report = values.throughput ? await throughput() : await fleet();
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

function throughput(): Promise<object> {
  return measureThroughput({ seed, sales: Number(values.sales ?? SALES.throughput), orphans: ORPHANS }, say);
}

async function fleet(): Promise<object> {
  const keys = Number(values.keys);
  const rate = Number(values.rate);
  const terminals = Math.ceil(Number(values.terminals) / keys);
  // How long the line of a key is where everybody comes at once: nobody asks again before that, and customers come at such a pace.
  const lineMs = (1000 * terminals) / rate;
  const patienceMs = Math.max(USUAL.patienceMs, 2 * lineMs);
  const pauseMs = terminals > MANY ? ([lineMs, 3 * lineMs] as const) : USUAL.pauseMs;
  const report = await playFleet(
    {
      seed,
      sales: Number(values.sales ?? SALES.fleet),
      kills: Number(values.kills),
      freezes: Number(values.freezes),
      freezeMs: Number(values['freeze-seconds']) * 1000,
      restarts: Number(values.restarts),
      replicas: Number(values.replicas),
      keys,
      terminals,
      rate,
      habits: { ...USUAL, patienceMs, pauseMs },
      ...(values.minutes !== undefined && { closesAfterMs: Number(values.minutes) * 60_000 }),
      speed: 1,
      hasty: false,
    },
    say,
  );
  if (report.violations.length > 0) process.exitCode = 1;
  return report;
}

main().catch((error) => {
  process.stdout.write(`${JSON.stringify({ seed, error: String(error) })}\n`);
  process.exitCode = 1;
});
