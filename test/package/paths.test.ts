import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../harness/node-red.js';

const DOCS = readdirSync(join(ROOT, 'docs')).filter((file) => file.endsWith('.md'));

for (const document of ['CONTRIBUTING.md', ...DOCS.map((file) => `docs/${file}`)]) {
  test(`${document} names no file or folder that does not exist`, () => {
    const text = readFileSync(join(ROOT, document), 'utf8');
    const paths = [...text.matchAll(/(?<![\w/.<>-])(?:src|scripts|test|docs)\/[\w./-]*(?![\w./-]*<)/g)].map(([path]) =>
      path.replace(/[./]+$/, ''),
    );
    assert.deepEqual(
      paths.filter((path) => !existsSync(join(ROOT, path))),
      [],
    );
  });
}
