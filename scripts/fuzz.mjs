import { bundleTruth, NODE_OPTIONS } from './lib/bundle-truth.mjs';
import { run } from './lib/run.mjs';

/** `npm run fuzz`: whole engines against a service that answers oddly; see `test/truth/fuzz/main.ts`. */
const script = await bundleTruth('fuzz', [], 'fuzz/main.ts');
await run(process.execPath, [...NODE_OPTIONS, script, ...process.argv.slice(2)]);
