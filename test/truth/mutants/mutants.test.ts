import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { WORLD_NAMES, type WorldName } from '../hostility.js';
import { SITUATIONS_OF } from '../worlds.js';

interface Mutant {
  name: string;
  world?: string;
  situation?: string;
  test?: string;
}
type Patch = Record<'file' | 'find' | 'replace', string>;
interface Planted {
  MUTANTS: readonly Mutant[];
  patchesOf: (mutant: Mutant) => readonly Patch[];
}

const ROOT = join(__dirname, '../../..');
const load = (): Promise<Planted> => import(join(__dirname, 'mutants.mjs'));

test('every defect that can be planted fits exactly one place of each source that it patches, and changes it', async () => {
  const { MUTANTS, patchesOf } = await load();
  const misfits = MUTANTS.filter((mutant) =>
    patchesOf(mutant).some(({ file, find, replace }) => {
      const parts = readFileSync(join(ROOT, file), 'utf8').split(find);
      return parts.length !== 2 || find === replace;
    }),
  );
  assert.deepEqual(
    misfits.map(({ name }) => name),
    [],
  );
});

test('every defect has a name of its own, and a world that exists', async () => {
  const { MUTANTS } = await load();
  assert.equal(new Set(MUTANTS.map(({ name }) => name)).size, MUTANTS.length);
  assert.ok(MUTANTS.length >= 70);
  assert.ok(MUTANTS.every(({ world = 'today' }) => (WORLD_NAMES as readonly string[]).includes(world)));
});

test('a defect that a test looks for names one that exists, and at least seventy are left to the truth test', async () => {
  const { MUTANTS } = await load();
  const byTests = MUTANTS.filter(({ test }) => test !== undefined);
  assert.ok(MUTANTS.length - byTests.length >= 70);
  const missing = byTests.filter(({ test = '' }) => !existsSync(join(ROOT, test)));
  assert.deepEqual(
    missing.map(({ name }) => name),
    [],
  );
});

test('a defect that is looked for in one situation names one of its world', async () => {
  const { MUTANTS } = await load();
  const misplaced = MUTANTS.filter(
    ({ world = 'today', situation }) =>
      situation !== undefined && !SITUATIONS_OF[world as WorldName].includes(situation),
  );
  assert.deepEqual(
    misplaced.map(({ name }) => name),
    [],
  );
});
