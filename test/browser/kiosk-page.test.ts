import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { seriousFaults } from '../harness/axe.js';
import { openBrowser } from '../harness/browser.js';
import { cutOff, ZOOMED } from '../harness/cut-off.js';
import { ROOT, type RunningNodeRed, startNodeRed } from '../harness/node-red.js';

const FLOWS: { id: string; type: string }[] = JSON.parse(
  readFileSync(join(ROOT, 'examples/story-kiosk-page.json'), 'utf8'),
);
const SIMULATOR = FLOWS.find(({ type }) => type === 'payment-environment')?.id ?? '';

const ASK_OUR_STAFF = 'Please ask our staff. Do not pay again.';

/** What the virtual terminal does. */
async function control({ url }: RunningNodeRed, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const address = `${url}/payment-admin/virtual-terminal/simulators/${SIMULATOR}/${path}`;
  const { status } = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  assert.equal(status, 200, path);
}

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
    const [first, second] = asked.map((body) => JSON.parse(body));
    assert.equal(asked.length, 2);
    assert.deepEqual(second, { ...first, again: true }, 'the same order, and the flow knows that it was sent before');
    await page.unroute('**/kiosk/orders');
  });

  describe('whose terminal waits for a person', () => {
    before(() => control(nodeRed, 'seat', { cardholder: 'person' }));
    after(() => control(nodeRed, 'seat', { cardholder: 'automatic' }));

    /** Resolves with the key of the order. */
    async function orderCoffee(): Promise<string> {
      await page.goto(`${nodeRed.url}/kiosk`);
      const sent = page.waitForRequest((request) => request.method() === 'POST');
      await page.getByRole('button', { name: 'Coffee' }).click();
      return JSON.parse((await sent).postData() ?? '').key;
    }

    async function sendAgain(order: object): Promise<void> {
      const headers = { 'content-type': 'application/json' };
      await fetch(`${nodeRed.url}/kiosk/orders`, { method: 'POST', headers, body: JSON.stringify(order) });
    }

    /** Meanwhile nothing can be recorded. */
    async function withoutJournal(act: () => Promise<void>): Promise<void> {
      const journal = join(nodeRed.userDir, 'payment-journal');
      await rename(journal, `${journal}-away`);
      await act();
      await rename(`${journal}-away`, journal);
    }

    it('says of an order that could not be taken that nothing was charged', () =>
      withoutJournal(async () => {
        await orderCoffee();
        await says('Out of order. Nothing was charged.');
      }));

    it('says nothing of the kind where the page has sent the order before, and the flow has forgotten it', () =>
      withoutJournal(async () => {
        await page.route('**/kiosk/orders', (route) => route.fulfill({ status: 202 }));
        await page.goto(`${nodeRed.url}/kiosk`);
        await page.getByRole('button', { name: 'Coffee' }).click();
        await page.unroute('**/kiosk/orders');
        await says(ASK_OUR_STAFF);
      }));

    it('says of an order that cannot be repeated that nobody knows, until it is paid', async () => {
      const key = await orderCoffee();
      await says('Please follow the terminal.');
      await withoutJournal(async () => {
        await sendAgain({ key, product: 'coffee' });
        await says(ASK_OUR_STAFF);
      });
      // A card of its own: the same amount again would look like a duplicate.
      await control(nodeRed, 'terminals/10000001', { do: 'present-card', card: { last4: '2222' } });
      await says('Thank you! Paid: 2.50 EUR.');
    });

    it('says the same where its key is taken for another order', async () => {
      const key = await orderCoffee();
      await says('Please follow the terminal.');
      await sendAgain({ key, product: 'tea' });
      await says(ASK_OUR_STAFF);
      await control(nodeRed, 'terminals/10000001', { do: 'present-card', card: { last4: '3333' } });
      await says('Thank you! Paid: 2.50 EUR.');
    });
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

describe('the kiosk page of the examples, at a terminal that others use too', () => {
  let nodeRed: RunningNodeRed;
  let browser: Browser;

  before(async () => {
    browser = await openBrowser();
    const shared = (node: { type: string }): object => {
      if (node.type === 'payment-terminal') return { ...node, exclusive: false };
      return node.type === 'payment-sale' ? { ...node, busyWait: '0' } : node;
    };
    nodeRed = await startNodeRed({ flows: FLOWS.map(shared) });
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });

  it('does not take a "no" for the last word that is not final, and hears the correction', async () => {
    await control(nodeRed, 'seat', { cardholder: 'person' });
    await control(nodeRed, 'faults', { kind: 'repeated-request' });
    const page = await browser.newPage();
    await page.goto(`${nodeRed.url}/kiosk`);
    await page.getByRole('button', { name: 'Coffee' }).click();
    await page.getByRole('status').filter({ hasText: ASK_OUR_STAFF }).waitFor();
    await control(nodeRed, 'terminals/10000001', { do: 'present-card' });
    await page.getByRole('status').filter({ hasText: 'Thank you! Paid: 2.50 EUR.' }).waitFor();
  });
});
