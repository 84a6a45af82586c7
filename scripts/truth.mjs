import { bundleTruth, NODE_OPTIONS } from './lib/bundle-truth.mjs';
import { run } from './lib/run.mjs';

/**
 * `npm run truth`: runs the engine and the simulated service under one seed, bundled into one script, which is twice
 * as fast. Its output comes through pipes: `--journal lmdb` forbids its process to make files longer now and then, and
 * output redirected to a file is one.
 */
await run(process.execPath, [...NODE_OPTIONS, await bundleTruth('truth'), ...process.argv.slice(2)], {
  stdio: ['inherit', 'pipe', 'pipe'],
});
