import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../harness/node-red.js';

/** Holds docs/errors.md against the codes in the source, of the client and of the simulated service. */

const PAGE = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
/** In the first column; one row may have several. */
const DOCUMENTED = [...PAGE.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => cell.match(/[A-Z0-9_]+/g) ?? []);

/** The API description names them; the simulator has no reason to answer with them. */
const NAMED_ONLY = ['1003', '1005', '3112', '3209', '3210', 'TOKENIZATION_NOT_ENABLED'];

test('has every code that a flow can meet', () => {
  const missing = [...codesIn('src/core'), ...codesIn('src/nodes'), ...codesIn('src/simulator'), ...NAMED_ONLY].filter(
    (code) => !DOCUMENTED.includes(code),
  );
  assert.deepEqual([...new Set(missing)], []);
});

test('has a cause and a remedy for each code', () => {
  const rows = [...PAGE.matchAll(/^\| `.*$/gm)].map(([row]) => row.split(' | '));
  assert.ok(rows.length > 60);
  for (const cells of rows) {
    assert.equal(cells.length, 3, cells.join(' | '));
    for (const cell of cells.slice(1)) assert.match(cell, /\w{3}/);
  }
});

test('has no code twice in one table', () => {
  for (const table of PAGE.split(/^## /m)) {
    const codes = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => cell.match(/[A-Z0-9_]+/g) ?? []);
    assert.deepEqual(
      codes.filter((code, place) => codes.indexOf(code) !== place),
      [],
    );
  }
});

/** Codes are written as `code: 'X'`, `code = 'X'`, in the type of codes, and in the tables of terminal errors. */
function codesIn(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !file.includes('page/'))
    .flatMap((file) => {
      const text = readFileSync(join(ROOT, folder, file), 'utf8');
      const written = [...text.matchAll(/\bcode(?:: | = )((?:'[A-Z0-9_]+'(?: \| )?)+)/g)];
      const unions = [...text.matchAll(/type ErrorCode =([^;]+);/g)];
      const tables = [...text.matchAll(/\['(\d{3,4})', '/g)];
      const numbers = [...text.matchAll(/terminalError\((\d{4})\b/g)];
      return [...written, ...unions, ...tables, ...numbers].flatMap(
        ([, found = '']) => found.match(/[A-Z0-9_]+/g) ?? [],
      );
    });
}
