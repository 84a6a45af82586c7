import { bundleTruth, NODE_OPTIONS } from './lib/bundle-truth.mjs';
import { prepareSources } from './lib/prepare.mjs';
import { npm, run, say } from './lib/run.mjs';
import { runTests } from './lib/run-tests.mjs';

/** `npm run test:fast`: what a change to the core or the simulator most likely breaks, within a minute. */
const SEEDS = ['--seeds', '300', '--from', '1'];
const FLEET = ['--world', 'fleet', '--seeds', '30', '--from', '1'];

await prepareSources();
say('types and lint');
await npm(['run', '--silent', 'check']);
say('tests of the core, the simulator and the API description, and whether the planted defects still fit');
await runTests({ folders: ['test/core', 'test/simulator', 'test/harness', 'test/conformance', 'test/truth/mutants'] });
const truth = await bundleTruth('truth');
for (const seeds of [SEEDS, FLEET]) {
  say(`the truth test: ${seeds.join(' ')}`);
  await run(process.execPath, [...NODE_OPTIONS, truth, ...seeds]);
}
