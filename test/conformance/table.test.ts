import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CHAPTERS } from './chapters.js';
import { NAMED } from './named.js';
import { page } from './page.js';

function asWord(name: string): RegExp {
  return new RegExp(`(?<!\\w)${name.replace(/[{}]/g, '\\$&')}(?!\\w)`);
}

/** The rows that stand under the heading of a chapter. */
function rowsOf(chapter: string): string[] {
  return CHAPTERS.flat()
    .filter((row) => row.chapter === chapter)
    .map(({ what }) => what);
}

for (const [chapter, names] of Object.entries(NAMED)) {
  test(`${chapter}: whatever the API description names has a row`, () => {
    const rows = rowsOf(chapter);
    const missing = names.filter((name) => !rows.some((what) => asWord(name).test(what)));
    assert.deepEqual(missing, []);
  });
}

test('a chapter stands together, and no row is there twice', () => {
  for (const rows of CHAPTERS) assert.equal(new Set(rows.map(({ chapter }) => chapter)).size, 1, rows[0]?.chapter);
  const names = CHAPTERS.flat().map(({ chapter, what }) => `${chapter}: ${what}`);
  assert.equal(new Set(names).size, names.length);
});

test('docs/conformance.md shows the table as it is; node --import tsx test/conformance/write.ts writes it', () => {
  const { path, text } = page();
  assert.equal(existsSync(path) && readFileSync(path, 'utf8'), text);
  assert.match(text, /\| Back-office error codes \|/);
});
