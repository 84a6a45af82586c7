import { run } from './lib/run.mjs';

/** `npm run truth:kill`: see `test/truth/kill/main.ts`. Needs the output of `npm run build`. */
await run(process.execPath, ['--import', 'tsx', 'test/truth/kill/main.ts', ...process.argv.slice(2)]);
