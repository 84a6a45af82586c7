import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './run.mjs';

/** A large young generation, because nearly everything that the truth test allocates is short-lived. */
export const NODE_OPTIONS = ['--max-semi-space-size=32'];

/** Bundles the truth test, or another `entry` beside it, with the code it tests, into one script. Returns its path. */
export async function bundleTruth(name, plugins = [], entry = 'main.ts') {
  const outfile = join(ROOT, 'node_modules', '.cache', 'truth', `${name}.cjs`);
  await build({
    entryPoints: [join(ROOT, 'test/truth', entry)],
    bundle: true,
    platform: 'node',
    target: 'node20',
    outfile,
    plugins,
    external: ['lmdb'],
    logLevel: 'error',
  });
  return outfile;
}
