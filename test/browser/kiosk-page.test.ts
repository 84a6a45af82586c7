import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { seriousFaults } from '../harness/axe.js';
import { openBrowser } from '../harness/browser.js';
import { cutOff, ZOOMED } from '../harness/cut-off.js';
import { ROOT, type RunningNodeRed, startNodeRed } from '../harness/node-red.js';

const FLOWS = JSON.parse(readFileSync(join(ROOT, 'examples/story-kiosk-page.json'), 'utf8'));

describe('the kiosk page of the examples', () => {
  let nodeRed: RunningNodeRed;
  let browser: Browser;
  let page: Page;

  before(async () => {
    browser = await openBrowser();
    nodeRed = await startNodeRed({ flows: FLOWS });
    page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });

  const says = (words: string | RegExp) => page.getByRole('status').filter({ hasText: words }).waitFor();

  it('follows a payment, and thanks the customer', async () => {
    await page.goto(`${nodeRed.url}/kiosk`);
    await page.evaluate(`
      globalThis.said = [];
      new MutationObserver(() => said.push(words.textContent)).observe(words, { childList: true });
    `);
    await page.getByRole('button', { name: 'Coffee' }).click();
    await says('Please follow the terminal.');
    await says('Thank you! Paid: 2.50 EUR.');
    const said = await page.evaluate<string[]>('said');
    assert.equal(said.filter((words) => words.includes('another customer')).length, 0, 'nobody else is paying');
    assert.equal(await page.getByRole('heading').textContent(), 'Your order');
    assert.equal(await page.getByRole('button', { name: 'Cancel' }).isVisible(), false);
  });

  it('cancels the payment of its own customer alone', async () => {
    const other = await browser.newPage();
    for (const customer of [page, other]) await customer.goto(`${nodeRed.url}/kiosk`);
    await page.getByRole('button', { name: 'Coffee' }).click();
    await says('Please follow the terminal.');
    await other.getByRole('button', { name: 'Tea' }).click();
    await other.getByRole('status').filter({ hasText: 'another customer is paying' }).waitFor();
    await other.getByRole('button', { name: 'Cancel' }).click();
    await other.getByRole('status').filter({ hasText: 'Cancelled. Nothing was charged.' }).waitFor();
    await says('Thank you!');
    await other.close();
  });

  it('asks for an order again, whose answer got lost, and is charged once', async () => {
    let lost = 0;
    await page.route('**/kiosk/orders', async (route) => {
      if (lost++ > 0) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.goto(`${nodeRed.url}/kiosk`);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') asked.push(request.postData() ?? '');
    });
    await page.getByRole('button', { name: 'Tea' }).click();
    await says('Thank you! Paid: 2.20 EUR.');
    assert.deepEqual(asked, [asked[0], asked[0]]);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`can be used by everybody, on a phone and zoomed to 200 %: ${colorScheme}`, async () => {
      const visitor = await browser.newPage({ colorScheme });
      for (const viewport of [{ width: 390, height: 844 }, ZOOMED]) {
        await visitor.setViewportSize(viewport);
        await visitor.goto(`${nodeRed.url}/kiosk`);
        for (const words of ['Coffee', 'Cancel', 'New order']) {
          await visitor.getByRole('button', { name: words }).waitFor();
          assert.deepEqual(await seriousFaults(visitor, 'body'), [], words);
          assert.deepEqual(await cutOff(visitor, 'body'), [], words);
          if (words === 'Coffee') await visitor.getByRole('button', { name: words }).click();
        }
      }
      await visitor.close();
    });
  }
});
