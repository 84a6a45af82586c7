import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { ROOT } from '../harness/node-red.js';

/** Keeps the pages together: no dead link, none that nobody finds, none that leaves the package. */

const DOCS = readdirSync(join(ROOT, 'docs'), { encoding: 'utf8', recursive: true }).filter((file) =>
  file.endsWith('.md'),
);
const PAGES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...DOCS.map((file) => `docs/${file}`)];
const manifest = JSON.parse(read('package.json')) as { files: string[]; homepage: string };
/** Where the repository shows a file. */
const REPOSITORY = `${manifest.homepage.replace(/#.*/, '')}/blob/main/`;
/** npm puts these into every package. */
const ALWAYS = ['README.md', 'LICENSE', 'package.json'];

interface Link {
  /** Below the project's folder. */
  path: string;
  anchor: string;
}

describe('the pages', () => {
  for (const page of PAGES) {
    test(`${page} has no dead link`, () => {
      for (const { path, anchor } of linksOf(page)) {
        assert.ok(existsSync(join(ROOT, path)), path);
        if (anchor !== '') assert.ok(anchorsOf(path).includes(anchor), `${path}#${anchor}`);
      }
    });
  }

  test('can be reached from the README, and are in the list of docs/index.md', () => {
    const seen = new Set(['README.md']);
    for (const page of seen) for (const { path } of linksOf(page)) if (path.endsWith('.md')) seen.add(path);
    assert.deepEqual(
      PAGES.filter((page) => !seen.has(page)),
      [],
    );
    const listed = linksOf('docs/index.md').map(({ path }) => path);
    assert.deepEqual(
      DOCS.filter((file) => file !== 'index.md' && !file.includes('/') && !listed.includes(`docs/${file}`)),
      [],
    );
  });

  test('can be read offline: what they link to is in the package', () => {
    const packed = [...ALWAYS, ...manifest.files];
    for (const page of PAGES) {
      for (const { path } of linksOf(page)) {
        assert.ok(
          packed.some((entry) => path === entry || path.startsWith(`${entry}/`)),
          `${page}: ${path}`,
        );
      }
    }
  });
});

describe('the help of every node', () => {
  for (const language of readdirSync(join(ROOT, 'locales'))) {
    test(`leads to a page of the documentation in ${language}`, () => {
      for (const file of readdirSync(join(ROOT, 'locales', language)).filter((name) => name.endsWith('.md'))) {
        const pages = [...read(`locales/${language}/${file}`).matchAll(/\]\((https:[^)]+)\)/g)].map(
          ([, url = '']) => url,
        );
        assert.ok(pages.length > 0, file);
        for (const url of pages) {
          assert.ok(url.startsWith(`${REPOSITORY}docs/`), url);
          assert.ok(existsSync(join(ROOT, url.slice(REPOSITORY.length))), url);
        }
      }
    });
  }
});

/** The links of a page to other files of the project. */
function linksOf(page: string): Link[] {
  const text = withoutCode(read(page));
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#');
      return { path: path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path)), anchor };
    });
}

/** The anchors that GitHub gives to headings. */
function anchorsOf(page: string): string[] {
  return [...withoutCode(read(page)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '');
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
