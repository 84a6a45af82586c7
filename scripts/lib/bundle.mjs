import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './run.mjs';

/** Bundles an entry below `test/` with the code it tests into `<name>.cjs` of the cache. Returns its path. */
export async function bundle(entry, name, plugins = []) {
  const outfile = join(ROOT, 'node_modules', '.cache', `${name}.cjs`);
  await build({
    entryPoints: [join(ROOT, 'test', entry)],
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
