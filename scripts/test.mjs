import { prepare } from './prepare.mjs';
import { npm, say } from './run.mjs';
import { runTests } from './run-tests.mjs';

/** `npm test`: everything a change has to pass, on Node-RED 4.1 and the machine's own Node. */
await prepare();
say('types and lint');
await npm(['run', '--silent', 'check']);
await npm(['run', '--silent', 'validate']);
say(`tests, on Node ${process.versions.node}`);
await runTests({ folders: ['test'] });
