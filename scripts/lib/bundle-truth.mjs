import { bundle } from './bundle.mjs';

/** A large young generation, because nearly everything that the truth test allocates is short-lived. */
export const NODE_OPTIONS = ['--max-semi-space-size=32'];

/** Bundles the truth test, or another `entry` beside it, with the code it tests, into one script. Returns its path. */
export function bundleTruth(name, plugins = [], entry = 'main.ts') {
  return bundle(`truth/${entry}`, `truth/${name}`, plugins);
}
