import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { triggerFor } from '../../src/simulator/model/triggers.js';
import { ROOT } from '../harness/node-red.js';
import { payments } from '../harness/payments.js';

/** Holds docs/test-amounts.md against the simulator's own tables, and against what a flow hears. */

const PAGE = readFileSync(join(ROOT, 'docs/test-amounts.md'), 'utf8');
const ROWS = [...PAGE.matchAll(/^\| ([\d, to]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| (?:`(\w+)`)? ?\|$/gm)].map(
  ([, amounts = '', , , exit = '', code]) => ({ amounts: numbersIn(amounts), exit, code }),
);

describe('the test amounts', () => {
  test('are those of the simulator, all of them', () => {
    const documented = ROWS.flatMap(({ amounts }) => amounts).sort((a, b) => a - b);
    const known = Array.from({ length: 10_000 }, (_, amount) => amount).filter((amount) => triggerFor(amount));
    assert.deepEqual(documented, known);
  });

  for (const { amounts, exit, code } of ROWS) {
    for (const amount of amounts) {
      test(`${amount} leaves by ${exit}${code === undefined ? '' : ` with ${code}`}`, async () => {
        const world = payments();
        await world.sale({ amount: String(amount) });
        const delivery = await world.untilTold();
        assert.deepEqual([delivery.exit.replace('-', ' '), delivery.payload.error?.code], [exit, code]);
      });
    }
  }
});

test('the cards are those of the virtual terminal, and so is their PIN', async () => {
  const wallet = await import(join(ROOT, 'src/simulator/page/cardholder/wallet-cards.ts'));
  const rows = [...PAGE.matchAll(/^\| ([A-Z]+)[^|]* \| (\d{4}) \|/gm)].map(([, scheme, last4]) => [scheme, last4]);
  assert.deepEqual(
    rows,
    (wallet.WALLET as { scheme: string; last4: string }[]).map(({ scheme, last4 }) => [scheme, last4]),
  );
  assert.match(PAGE, new RegExp(`PIN of every card is \`${wallet.PIN}\``));
});

/** "1110, 1114 to 1119": a list of numbers and ranges. */
function numbersIn(text: string): number[] {
  return text.split(', ').flatMap((part) => {
    const [from = 0, to = from] = part.split(' to ').map(Number);
    return Array.from({ length: to - from + 1 }, (_, step) => from + step);
  });
}
