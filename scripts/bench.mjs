import { prepare } from './prepare.mjs';
import { run } from './run.mjs';

/** `npm run bench`; with `-- --json` the last line is one JSON object. */
await prepare();
await run(process.execPath, ['--import', 'tsx', 'test/bench/main.ts', ...process.argv.slice(2)]);
