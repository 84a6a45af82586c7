import { parseArgs } from 'node:util';
import { run } from './run.js';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
  },
});
const out = (line: string): void => void process.stdout.write(`${line}\n`);

Error.stackTraceLimit = 0;

async function main(): Promise<void> {
  if (values.seed !== undefined) {
    const report = await run(Number(values.seed), out);
    out(JSON.stringify({ ...report, rows: [...report.rows] }));
    process.exitCode = report.violations.length > 0 ? 1 : 0;
  } else {
    const start = process.hrtime.bigint();
    const totals = { seeds: 0, operations: 0, violations: 0, crashes: 0 };
    const from = Number(values.from);
    for (let seed = from; seed < from + Number(values.seeds); seed++) {
      const report = await run(seed);
      totals.seeds++;
      totals.operations += report.operations;
      totals.crashes += report.crashes;
      if (report.violations.length > 0) {
        totals.violations++;
        out(`seed ${seed}: ${report.violations.join('; ')}`);
      }
    }
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    const { user, system } = process.cpuUsage();
    const cpuSeconds = (user + system) / 1e6;
    out(
      JSON.stringify({
        ...totals,
        seconds,
        cpuSeconds,
        operationsPerCpu: Math.round(totals.operations / cpuSeconds),
        operationsPerSecond: Math.round(totals.operations / seconds),
      }),
    );
  }
}

void main();
