import { run } from './lib/run.mjs';

/** `npm run bench:scale`: see `test/bench/scale/main.ts`; with `-- --json` the last line is one JSON object. */
await run(process.execPath, ['--import', 'tsx', 'test/bench/scale/main.ts', ...process.argv.slice(2)]);
