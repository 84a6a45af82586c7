import { prepare } from './lib/prepare.mjs';
import { run } from './lib/run.mjs';

/** `npm run bench`; with `-- --json` the last line is one JSON object. */
await prepare();
await run(process.execPath, ['--import', 'tsx', 'test/bench/main.ts', ...process.argv.slice(2)]);
