import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './run.mjs';

/** What it runs with: almost all that it makes is soon rubbish. */
export const NODE_OPTIONS = ['--max-semi-space-size=32'];

/** Makes one script of the truth test and of all it tests. Returns its path. */
export async function bundleTruth(name, plugins = []) {
  const outfile = join(ROOT, 'node_modules', '.cache', 'truth', `${name}.cjs`);
  await build({
    entryPoints: [join(ROOT, 'test/truth/main.ts')],
    bundle: true,
    platform: 'node',
    target: 'node20',
    outfile,
    plugins,
    logLevel: 'error',
  });
  return outfile;
}
