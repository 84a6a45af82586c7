import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { npm, ROOT, run, say } from './run.mjs';

const OLDEST_NODE = [20, 19];
const SOURCES = [
  'src',
  'locales',
  'icons',
  'scripts/build/build.mjs',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/** Prepares a fresh clone: installs and builds, each only if its output is missing or out of date. */
export async function prepare() {
  await prepareSources();
  if (newest(SOURCES.map((path) => join(ROOT, path))) > oldest(join(ROOT, 'dist'))) {
    say('building');
    await run(process.execPath, [join(ROOT, 'scripts/build/build.mjs')]);
  }
}

/** The same for what runs from the sources, and needs no build. */
export async function prepareSources() {
  checkNode();
  await install(ROOT);
}

/** Installs exactly what the lock file of a folder says. */
export async function install(folder) {
  if (modified(join(folder, 'node_modules/.package-lock.json')) >= modified(join(folder, 'package-lock.json'))) return;
  say(`installing the packages of ${folder}`);
  await npm(['ci', '--no-audit', '--no-fund'], folder);
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  console.error(`Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}.`);
  process.exit(1);
}

/** The time of a file's last change, ms; 0 if it does not exist. */
function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function newest(paths) {
  return Math.max(...paths.flatMap(filesBelow).map(modified));
}

function oldest(folder) {
  const files = filesBelow(folder);
  return files.length === 0 ? 0 : Math.min(...files.map(modified));
}

function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)));
}
