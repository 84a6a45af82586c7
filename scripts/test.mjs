import { prepare } from './lib/prepare.mjs';
import { npm, say } from './lib/run.mjs';
import { runTests } from './lib/run-tests.mjs';

/** `npm test`: every check that a change must pass, on Node-RED 4.1 and the installed Node. */
await prepare();
say('types and lint');
await npm(['run', '--silent', 'check']);
await npm(['run', '--silent', 'validate']);
say(`tests, on Node ${process.versions.node}`);
await runTests({ folders: ['test'] });
