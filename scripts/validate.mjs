import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install, prepare } from './lib/prepare.mjs';
import { npm, ROOT, run, say } from './lib/run.mjs';

/**
 * `npm run validate`: runs the flow library's tool on the packed package. The tool exits with success whatever it
 * finds, so this checks that its scorecard is green and knows every node.
 */
const SCORECARD = join(ROOT, 'test/scorecard');
const CHECKS = ['P01', 'P03', 'P04', 'P05', 'P06', 'P07', 'P08', 'N01', 'N02', 'D01', 'D02', 'D03'];
/** undici 8 cannot be loaded on Node 20, which Node-RED 4 runs on; some installers would take it there all the same. */
const HELD_BACK = new Set(['undici']);
const require = createRequire(import.meta.url);

await prepare();
await install(SCORECARD);
const folder = mkdtempSync(join(tmpdir(), 'scorecard-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
say('the scorecard of the packed package');
const score = await scoreOf(await unpacked());

const red = CHECKS.filter((check) => score[check]?.test !== true && !(check === 'D03' && isHeldBack(score.D03)));
for (const check of red) console.error(`validate: ${check} is not green: ${JSON.stringify(score[check])}`);
const unseen = nodeTypes().filter((type) => !score.N02?.nodes?.includes(type));
for (const type of unseen) console.error(`validate: N02 does not know ${type}`);
if (red.length + unseen.length > 0) process.exit(1);

/** Unpacks the package, as it would be published, into a folder. */
async function unpacked() {
  await npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]);
  const { name, version } = require('../package.json');
  await run('tar', ['-xzf', join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`), '-C', folder]);
  return join(folder, 'package');
}

async function scoreOf(path) {
  const tool = join(SCORECARD, 'node_modules/node-red-dev/bin/run');
  const catalogue = join(import.meta.dirname, './lib/validate-catalogue.cjs');
  const output = join(folder, 'score.json');
  await run(process.execPath, ['--require', catalogue, tool, 'validate', '--path', path, '--output', output]);
  return JSON.parse(readFileSync(output, 'utf8'));
}

/** All node types except configuration nodes, which need no example. */
function nodeTypes() {
  return Object.entries(require('../package.json')['node-red'].nodes)
    .filter(([, file]) => require(join(ROOT, file.replace('.js', '.form.js'))).default.category !== 'config')
    .map(([type]) => type);
}

/** Whether the dependencies behind their latest major version are those that have to be. */
function isHeldBack({ packages = [] } = {}) {
  return packages.every((name) => HELD_BACK.has(name));
}
