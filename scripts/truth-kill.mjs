import { run } from './lib/run.mjs';

/** `npm run truth:kill`: see `test/truth/kill/main.ts`. It runs what `npm run build` has built. */
await run(process.execPath, ['--import', 'tsx', 'test/truth/kill/main.ts', ...process.argv.slice(2)]);
