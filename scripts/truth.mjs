import { bundleTruth, NODE_OPTIONS } from './lib/bundle-truth.mjs';
import { run } from './lib/run.mjs';

/** `npm run truth`: the engine and the service it drives under one seed, as one script, which runs twice as fast. */
await run(process.execPath, [...NODE_OPTIONS, await bundleTruth('truth'), ...process.argv.slice(2)]);
