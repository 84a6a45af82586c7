import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FAULT_KINDS } from '../../src/simulator/index.js';

/** Keeps the languages of the virtual terminal's page in step with English. */

const TEXTS = join(__dirname, '../../src/simulator/page/texts');
const english = read('en-US.json');

function read(file: string): Record<string, string> {
  return JSON.parse(readFileSync(join(TEXTS, file), 'utf8'));
}

function placeholders(text = ''): string[] {
  return [...text.matchAll(/\{\w+\}/g)].map(([found]) => found).sort();
}

test('speaks five languages', () => {
  assert.deepEqual(readdirSync(TEXTS).sort(), ['de.json', 'en-US.json', 'es-ES.json', 'fr.json', 'ja.json']);
});

for (const file of readdirSync(TEXTS)) {
  test(`says everything in ${file}, with the same placeholders`, () => {
    const texts = read(file);
    assert.deepEqual(Object.keys(texts).sort(), Object.keys(english).sort());
    for (const [key, text] of Object.entries(texts)) {
      assert.notEqual(text.trim(), '', key);
      assert.deepEqual(placeholders(text), placeholders(english[key]), key);
    }
  });
}

test('has a name for every fault', () => {
  for (const kind of FAULT_KINDS) assert.ok(`fault.${kind}` in english, kind);
});
