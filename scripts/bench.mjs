import { builtCopy } from './lib/built-copy.mjs';
import { prepare } from './lib/prepare.mjs';
import { run } from './lib/run.mjs';

/** `npm run bench`: see `test/bench/main.ts`; with `-- --json` the last line is one JSON object. */
await prepare();
const args = process.argv.slice(2);
for (const [place, arg] of args.entries()) {
  if (args[place - 1] === '--against') args[place] = await builtCopy(arg);
}
await run(process.execPath, ['--import', 'tsx', 'test/bench/main.ts', ...args]);
