import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ROOT } from '../harness/node-red.js';

interface Locked {
  dev?: boolean;
  inBundle?: boolean;
  integrity?: string;
  optionalDependencies?: Record<string, string>;
}

for (const folder of ['', 'test/node-red-5', 'test/scorecard']) {
  const text = readFileSync(join(ROOT, folder, 'package-lock.json'), 'utf8');
  const packages = Object.entries(JSON.parse(text).packages as Record<string, Locked>).filter(([path]) => path !== '');

  describe(`the lock of ${folder || 'the package'}`, () => {
    test('says nothing of where packages come from: everybody takes them from their own registry', () => {
      assert.doesNotMatch(text, /"resolved"|https?:\/\/[^"]*registry/);
    });

    test('has the hash of everything that the package brings to others', () => {
      const brought = packages.filter(([, { dev, inBundle }]) => dev !== true && inBundle !== true);
      assert.deepEqual(
        brought.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path),
        [],
      );
    });

    test('names the binaries of every platform', () => {
      const known = new Set(packages.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 13)));
      const wanted = packages.flatMap(([, { optionalDependencies = {} }]) => Object.keys(optionalDependencies));
      assert.deepEqual(
        wanted.filter((name) => !known.has(name)),
        [],
      );
    });
  });
}
