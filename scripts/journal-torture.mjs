import { run } from './lib/run.mjs';

/** `npm run journal:torture`: see `test/journal-torture/main.ts`. */
await run(process.execPath, ['--import', 'tsx', 'test/journal-torture/main.ts', ...process.argv.slice(2)]);
