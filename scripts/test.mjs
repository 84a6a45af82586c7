import { prepare } from './lib/prepare.mjs';
import { npm, say } from './lib/run.mjs';
import { runTests } from './lib/run-tests.mjs';

/** `npm test`: everything a change has to pass, on Node-RED 4.1 and the machine's own Node. */
await prepare();
say('types and lint');
await npm(['run', '--silent', 'check']);
await npm(['run', '--silent', 'validate']);
say(`tests, on Node ${process.versions.node}`);
await runTests({ folders: ['test'] });
