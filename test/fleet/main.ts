import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { playFleet } from './run.js';

/**
 * `npm run fleet`: several real Node-REDs with one journal in PostgreSQL, behind a balancer that passes orders and callbacks to any
 * of them; they are killed and frozen, and the database is restarted. Says what came of it, as JSON in the last line; exit code 1
 * where anything does not agree.
 *   --sales N            sales and holds at least (200); follow-ups come beside them
 *   --kills N            SIGKILL of a replica (2)
 *   --freezes N          SIGSTOP of a replica (1), for --freeze-seconds (60)
 *   --restarts N         power cuts of the database (1)
 *   --replicas N         (3)
 *   --shops N            API keys (2), each with --terminals (10) and --rate requests per second (2)
 *   --seed S             what is bought, and what is struck (random); the moments themselves nobody can repeat
 *   --json               nothing but the last line
 */
const { values } = parseArgs({
  options: {
    sales: { type: 'string', default: '200' },
    kills: { type: 'string', default: '2' },
    freezes: { type: 'string', default: '1' },
    'freeze-seconds': { type: 'string', default: '60' },
    restarts: { type: 'string', default: '1' },
    replicas: { type: 'string', default: '3' },
    shops: { type: 'string', default: '2' },
    terminals: { type: 'string', default: '10' },
    rate: { type: 'string', default: '2' },
    seed: { type: 'string' },
    json: { type: 'boolean' },
  },
});

async function main(): Promise<void> {
  const report = await playFleet(
    {
      seed: Number(values.seed ?? randomInt(1, 2 ** 31)),
      sales: Number(values.sales),
      kills: Number(values.kills),
      freezes: Number(values.freezes),
      freezeMs: Number(values['freeze-seconds']) * 1000,
      restarts: Number(values.restarts),
      replicas: Number(values.replicas),
      shops: Number(values.shops),
      terminals: Number(values.terminals),
      rate: Number(values.rate),
      speed: 1,
      hasty: false,
    },
    (text) => {
      if (!values.json) process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
    },
  );
  process.stdout.write(`${JSON.stringify(report)}\n`);
  process.exitCode = report.violations.length > 0 ? 1 : 0;
}

void main();
