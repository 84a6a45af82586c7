import { join } from 'node:path';
import { CHAPTERS } from './chapters.js';
import type { Row } from './row.js';

/** The table as `docs/conformance.md` shows it. */

const ROOT = join(__dirname, '../..');

const ROWS = CHAPTERS.flat();

export interface Page {
  path: string;
  text: string;
}

/** The page with the table as it is now. */
export function page(): Page {
  return { path: join(ROOT, 'docs/conformance.md'), text: wholeTable() };
}

function wholeTable(): string {
  return [
    '# Conformance',
    '',
    'Every operation, endpoint, rule, field, code, state, capability, limit and retry row of the API description, each',
    'with an assertion that proves it through a node or the payment client on the simulated service. The tests are in',
    '`test/conformance`; this page is written by `node --import tsx test/conformance/write.ts`. Client and simulator were',
    'written apart from the same description, and this table holds both to it. The certification run that merchants of such a',
    'service have to pass is one test through the nodes, `test/nodes/certification.test.ts`.',
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
