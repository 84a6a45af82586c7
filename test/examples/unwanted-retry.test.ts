import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';

/**
 * What is safe for the money is not always wanted. A correction that says "nothing was charged" minutes later asks nobody for
 * a card: the customer may have paid otherwise. A cancelled payment is not started again: somebody wanted it to end.
 */

const ROOT = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const { func: ofExample } = (JSON.parse(read('examples/recipe-retry.json')) as { func?: string }[]).find(({ func }) =>
  func?.includes('retry'),
) as { func: string };
const [, ofDocs = ''] = /```js\n(\/\/ retry with a limit[^`]*)```/.exec(read('docs/recipes.md')) ?? [];

for (const [where, code] of [
  ['the example', ofExample],
  ['the docs', ofDocs],
] as const) {
  const triedAgain = (payload: object): boolean => {
    const msg = {
      order: { amount: '10.00' },
      payload: { outcome: 'not-charged', retry: 'safe', final: true, attempt: 1, ...payload },
    };
    const [again] = runInNewContext(`(msg) => {${code}}`)(msg) as (object | null)[];
    return again !== null;
  };

  test(`the retry of ${where} tries again what was certainly not charged`, () => {
    assert.equal(triedAgain({}), true);
  });

  test(`the retry of ${where} does not start a payment minutes later`, () => {
    assert.equal(triedAgain({ correction: true }), false);
  });

  test(`the retry of ${where} does not charge a customer who has cancelled`, () => {
    assert.equal(triedAgain({ outcome: 'cancelled' }), false);
  });
}
