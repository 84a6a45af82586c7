import { bundleTruth, NODE_OPTIONS } from './lib/bundle-truth.mjs';
import { prepareSources } from './lib/prepare.mjs';
import { npm, run, say } from './lib/run.mjs';
import { runTests } from './lib/run-tests.mjs';

/** `npm run test:fast`: what a change to the core or the simulator most likely breaks, within a minute. */
const SEEDS = ['--seeds', '300', '--from', '1'];

await prepareSources();
say('types and lint');
await npm(['run', '--silent', 'check']);
say('tests of the core, the simulator and the API description, and whether the planted defects still fit');
await runTests({ folders: ['test/core', 'test/simulator', 'test/harness', 'test/conformance', 'test/truth/mutants'] });
say(`the truth test: ${SEEDS.join(' ')}`);
await run(process.execPath, [...NODE_OPTIONS, await bundleTruth('truth'), ...SEEDS]);
