import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { seriousFaults } from '../harness/axe.js';
import { openBrowser } from '../harness/browser.js';
import { cutOff, ZOOMED } from '../harness/cut-off.js';
import { DASHBOARD, ROOT, type RunningNodeRed, startNodeRed } from '../harness/node-red.js';

const FLOWS: { id: string; type: string }[] = JSON.parse(
  readFileSync(join(ROOT, 'examples/story-kiosk-dashboard.json'), 'utf8'),
);
const SIMULATOR = FLOWS.find(({ type }) => type === 'payment-environment')?.id ?? '';

describe('the kiosk on Dashboard 2 of the examples', () => {
  let nodeRed: RunningNodeRed;
  let browser: Browser;
  let customers: Page[];
  /** What each customer's page has received. */
  const received = new WeakMap<Page, string[]>();

  before(async () => {
    browser = await openBrowser();
    nodeRed = await startNodeRed({ flows: FLOWS, settings: { nodesDir: [ROOT, DASHBOARD] } });
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });
  beforeEach(async () => {
    customers = await Promise.all([visit(1), visit(2)]);
  });
  afterEach(async () => {
    await Promise.all(customers.map((page) => page.close()));
    await control('seat', { cardholder: 'automatic' });
  });

  async function visit(pos: number): Promise<Page> {
    const page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
    const frames: string[] = [];
    received.set(page, frames);
    page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => frames.push(String(payload))));
    await page.goto(`${nodeRed.url}/dashboard/kiosk?pos=${pos}`);
    await page.getByRole('button', { name: 'Coffee' }).waitFor();
    return page;
  }

  /** What the virtual terminal does. */
  async function control<T>(path: string, body?: object): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    const init = body && { method: 'POST', headers, body: JSON.stringify(body) };
    const address = `${nodeRed.url}/payment-admin/virtual-terminal/simulators/${SIMULATOR}/${path}`;
    return (await (await fetch(address, init)).json()) as T;
  }

  const charges = async (): Promise<number> => (await control<{ charges: number }>('ledger')).charges;
  const says = (page: Page | undefined, words: string | RegExp) =>
    page?.getByRole('status').filter({ hasText: words }).waitFor();
  const press = (page: Page | undefined, name: string) => page?.getByRole('button', { name }).click();

  it('takes the payments of two customers at two points of sale at once, and thanks each for their own', async () => {
    const before = await charges();
    const [one, two] = customers;
    await Promise.all([press(one, 'Coffee'), press(two, 'Tea')]);
    await Promise.all(customers.map((page) => says(page, 'Please follow the terminal.')));
    const keys = await Promise.all(
      customers.map((page) => page.evaluate<string>('JSON.parse(sessionStorage.order).key')),
    );
    await Promise.all([says(one, 'Thank you! Paid: 2.50 EUR.'), says(two, 'Thank you! Paid: 2.20 EUR.')]);
    assert.equal(await charges(), before + 2);
    const heard = customers.map((page) => keys.map((key) => received.get(page)?.some((frame) => frame.includes(key))));
    assert.deepEqual(heard, [
      [true, false],
      [false, true],
    ]);
  });

  it('cancels the payment of its own customer alone', async () => {
    await control('seat', { cardholder: 'person' });
    const before = await charges();
    const [one, two] = customers;
    await Promise.all(customers.map((page) => press(page, 'Coffee')));
    await Promise.all(customers.map((page) => says(page, 'Please follow the terminal.')));
    await press(one, 'Cancel');
    await says(one, 'Nothing was charged.');
    await says(two, 'Please follow the terminal.');
    await control('terminals/10000002', { do: 'present-card' });
    await says(two, 'Thank you! Paid: 2.50 EUR.');
    await says(one, 'Nothing was charged.');
    assert.equal(await charges(), before + 1);
  });

  it('goes on with a payment after a reload in the middle of it, and charges once', async () => {
    await control('seat', { cardholder: 'person' });
    const before = await charges();
    const [one] = customers;
    await press(one, 'Tea');
    await says(one, 'Please follow the terminal.');
    await one?.reload();
    await says(one, 'Please follow the terminal.');
    await control('terminals/10000001', { do: 'present-card' });
    await says(one, 'Thank you! Paid: 2.20 EUR.');
    assert.equal(await charges(), before + 1);
  });

  it('says of an order that cannot be repeated that nobody knows, and of a first one that nothing was charged', async () => {
    await control('seat', { cardholder: 'person' });
    const [one, two] = customers;
    await press(one, 'Coffee');
    await says(one, 'Please follow the terminal.');
    const journal = join(nodeRed.userDir, 'payment-journal');
    await rename(journal, `${journal}-away`);
    await one?.reload();
    await says(one, 'Please ask our staff. Do not pay again.');
    await press(two, 'Coffee');
    await says(two, 'Out of order. Nothing was charged.');
    await rename(`${journal}-away`, journal);
    await control('terminals/10000001', { do: 'present-card' });
  });

  it('can be used by everybody', async () => {
    const [one] = customers;
    assert.ok(one);
    assert.deepEqual(await seriousFaults(one, '.kiosk'), []);
    assert.deepEqual(await cutOff(one, '.kiosk'), [], 'on a phone');
    await one.setViewportSize(ZOOMED);
    assert.deepEqual(await cutOff(one, '.kiosk'), [], 'zoomed to 200 %');
  });
});
