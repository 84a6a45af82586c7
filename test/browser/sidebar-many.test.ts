import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openLmdbJournal } from '../../src/core/journal/lmdb/lmdb-journal.js';
import { sampleRecord } from '../core/journal/sample-record.js';
import { openBrowser } from '../harness/browser.js';
import { openEditor } from '../harness/editor.js';
import { type RunningNodeRed, startNodeRed } from '../harness/node-red.js';

/** The sidebar of a shop that has been open for long. */

const MANY = 10_000;
/** More than fit on any screen are never made. */
const MOST_ROWS = 80;

const FLOWS = [
  { id: 'tab', type: 'tab', label: 'till' },
  { id: 'environment', type: 'payment-environment', kind: 'simulator', currency: 'EUR', group: 'B' },
  { id: 'callback', type: 'payment-callback-in', z: 'tab', x: 200, y: 80, environment: 'environment', wires: [[]] },
];

let userDir: string;
let nodeRed: RunningNodeRed;
let browser: Browser;
let page: Page;

before(async () => {
  userDir = await mkdtemp(join(tmpdir(), 'node-red-'));
  await fill(join(userDir, 'payment-journal'));
  browser = await openBrowser();
  nodeRed = await startNodeRed({ flows: FLOWS, userDir });
  ({ page } = await openEditor(browser, nodeRed.url, 'callback'));
  await page.evaluate("RED.sidebar.show('payments')");
});
after(async () => {
  await browser?.close();
  await nodeRed?.stop();
  await rm(userDir, { recursive: true, force: true });
});

it('goes through ten thousand payments with a handful of rows on the page', async () => {
  await page.locator('.payments-row:visible').first().waitFor();
  // Every jump to the end brings the next page of the journal. The key comes before anything of that page is drawn.
  await page.evaluate(`
    const list = document.querySelector('.payments-list');
    const end = () => list.dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }));
    window.pages = new MutationObserver(end);
    window.pages.observe(document.querySelector('.payments-note'), { childList: true });
    list.focus();
    end();
  `);
  await page.locator('.payments-note', { hasText: `${MANY} shown` }).waitFor();
  await page.locator(`.payments-row[aria-posinset="${MANY}"]`).waitFor();
  assert.ok((await page.locator('.payments-row').count()) < MOST_ROWS);
  await page.evaluate('window.pages.disconnect()');
  await page.keyboard.press('Home');
  await page.locator('.payments-row[aria-posinset="1"]').waitFor();
});

it('puts the words of a payment together once, and not again with every key', async () => {
  const [first, ...later] = (await page.evaluate(`
    (() => {
      const input = document.querySelector('.payments-toolbar input');
      const { node } = RED.nodes;
      let looked = 0;
      RED.nodes.node = (id) => {
        looked++;
        return node(id);
      };
      const type = (typed) => {
        looked = 0;
        input.value = typed;
        input.dispatchEvent(new Event('input'));
        return looked;
      };
      const counts = [type('a'), type('ap'), type('no such thing'), type('')];
      RED.nodes.node = node;
      return counts;
    })()
  `)) as number[];
  assert.ok(Number(first) >= MANY, `looked up ${first} names`);
  assert.deepEqual(later, [0, 0, 0]);
});

it('searches all of them', async () => {
  await page.locator('.payments-toolbar input').fill(idOf(4711));
  await page.locator('.payments-note', { hasText: '1 shown' }).waitFor();
  await page.locator(`.payments-row[data-id="${idOf(4711)}"]:visible`).waitFor();
});

it('opens the payment that is drawn under a click, also before the rows of a search are', async () => {
  await page.locator('.payments-toolbar input').fill('');
  await page.locator('.payments-row[aria-posinset="1"]:visible').waitFor();
  const clicked = await page.evaluate<string>(`
    (() => {
      const input = document.querySelector('.payments-toolbar input');
      const row = document.querySelector('.payments-row[aria-posinset="1"]');
      input.value = '${idOf(4711)}';
      input.dispatchEvent(new Event('input'));
      row.click();
      return row.dataset.id;
    })()
  `);
  await page.locator(`.payments-detail[data-id="${clicked}"]`).waitFor();
});

async function fill(folder: string): Promise<void> {
  const journal = await openLmdbJournal(folder);
  const now = Date.now();
  const records = Array.from({ length: MANY }, (_, place) => {
    const createdAt = now - 60_000 - place * 1000;
    const operationId = idOf(place);
    const more = { environment: 'environment', createdAt, updatedAt: createdAt, closed: true };
    return sampleRecord({ operationId, references: [operationId], ...more });
  });
  await Promise.all(records.map((record) => journal.record(record)));
  await journal.close();
}

function idOf(place: number): string {
  return `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`;
}
