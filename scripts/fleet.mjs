import { run } from './lib/run.mjs';

/** `npm run fleet`: see `test/fleet/main.ts`. Needs the output of `npm run build`. */
await run(process.execPath, ['--import', 'tsx', 'test/fleet/main.ts', ...process.argv.slice(2)]);
