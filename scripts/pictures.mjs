import { prepare } from './lib/prepare.mjs';
import { run } from './lib/run.mjs';

/** `npm run pictures`: takes the pictures of README.md and docs from the running product, into `docs/pictures`. */
await prepare();
await run(process.execPath, ['--import', 'tsx', 'test/pictures/main.ts']);
