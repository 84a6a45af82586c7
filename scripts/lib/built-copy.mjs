import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { npm, ROOT, say } from './run.mjs';

/** Below node_modules, where a commit finds the packages that are installed: both then run on the same ones. */
const CACHE = join(ROOT, 'node_modules/.cache/bench');

/**
 * The folder of another copy of the package, built: the folder that is named, or a commit, which is checked out and built once.
 * @throws if there is neither
 */
export async function builtCopy(folderOrCommit) {
  if (existsSync(join(folderOrCommit, 'dist'))) return resolve(folderOrCommit);
  const commit = git('rev-parse', '--verify', `${folderOrCommit}^{commit}`).trim();
  const folder = join(CACHE, commit.slice(0, 12));
  if (existsSync(folder)) return folder;
  say(`building ${commit}`);
  const unbuilt = `${folder}.unbuilt`;
  rmSync(unbuilt, { recursive: true, force: true });
  mkdirSync(unbuilt, { recursive: true });
  const archive = join(unbuilt, 'commit.tar');
  git('archive', '--output', archive, commit);
  execFileSync('tar', ['-xf', archive, '-C', unbuilt]);
  await npm(['run', 'build'], unbuilt);
  renameSync(unbuilt, folder);
  return folder;
}

function git(...args) {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });
}
