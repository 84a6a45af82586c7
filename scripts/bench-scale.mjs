import { bundle } from './lib/bundle.mjs';
import { run } from './lib/run.mjs';

/**
 * `npm run bench:scale`: see `test/bench/scale/main.ts`; with `-- --json` the last line is one JSON object. Bundled, as what
 * compiles TypeScript on the way gives every function its name when it is made: users' code does not, and costs less.
 */
await bundle('bench/scale/measure.ts', 'bench-scale/measure');
await bundle('bench/scale/fill-alone.ts', 'bench-scale/fill-alone');
await run(process.execPath, [await bundle('bench/scale/main.ts', 'bench-scale/main'), ...process.argv.slice(2)]);
