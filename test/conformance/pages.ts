import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHAPTERS } from './chapters.js';
import type { Row } from './row.js';

/** The table as the README and `docs/conformance.md` show it. */

const ROOT = join(__dirname, '../..');
const README = join(ROOT, 'README.md');
const BLOCK = /(?<=<!-- conformance -->\n)[\s\S]*(?=<!-- \/conformance -->)/;

const ROWS = CHAPTERS.flat();

export interface Page {
  path: string;
  text: string;
}

/** The pages with the table as it is now. */
export function pages(): Page[] {
  const readme = readFileSync(README, 'utf8');
  return [
    { path: README, text: readme.replace(BLOCK, () => summary()) },
    { path: join(ROOT, 'docs/conformance.md'), text: wholeTable() },
  ];
}

function summary(): string {
  const lines = CHAPTERS.map((rows) => `| ${nameOf(rows)} | ${rows.length} |`);
  return [
    '',
    '| chapter | proven statements |',
    '|---|---|',
    ...lines,
    `| **all** | **${ROWS.length}** |`,
    '',
    '',
  ].join('\n');
}

function wholeTable(): string {
  return [
    '# Conformance',
    '',
    'Every operation, endpoint, rule, field, code, state, capability, limit and retry row of the API description, each',
    'with an assertion that proves it through a node or the payment client on the simulated service. The tests are in',
    '`test/conformance`; this page is written by `node --import tsx test/conformance/write.ts`.',
    '',
    `${ROWS.length} statements.`,
    '',
    '| chapter | | proven |',
    '|---|---|---|',
    ...CHAPTERS.map(
      (rows) => `| ${nameOf(rows)} | ${rows.length} | ${rows.map(({ what }) => cell(what)).join('<br>')} |`,
    ),
    '',
  ].join('\n');
}

function nameOf([first]: readonly Row[]): string {
  return first?.chapter ?? '';
}

function cell(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('|', '\\|');
}
