import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.js';
import { login, PASSWORD, withLogin } from '../harness/login.js';
import { type RunningNodeRed, startNodeRed } from '../harness/node-red.js';

/** Who may see the flows, and no payments. */

const FLOWS = [
  { id: 'tab', type: 'tab', label: 'till' },
  { id: 'environment', type: 'payment-environment', kind: 'simulator', currency: 'EUR', group: 'B' },
  { id: 'terminal', type: 'payment-terminal', environment: 'environment' },
  {
    id: 'pay',
    type: 'inject',
    z: 'tab',
    x: 150,
    y: 80,
    props: [{ p: 'payload' }],
    payload: '12.50',
    payloadType: 'str',
    wires: [['sale']],
  },
  {
    id: 'sale',
    type: 'payment-sale',
    z: 'tab',
    x: 300,
    y: 80,
    terminal: 'terminal',
    amount: 'payload',
    wires: [[], [], []],
  },
];

let nodeRed: RunningNodeRed;
let browser: Browser;

before(async () => {
  browser = await openBrowser();
  nodeRed = await startNodeRed({ flows: FLOWS, settings: withLogin() });
});
after(async () => {
  await browser?.close();
  await nodeRed?.stop();
});

/** Opens the editor and its payments sidebar; has what the page is told, and what it asks, of payments. */
async function openSidebar(username: string) {
  const page: Page = await browser.newPage();
  const told: unknown[][] = [];
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      const said: unknown = JSON.parse(String(payload));
      for (const { topic, data } of Array.isArray(said) ? said : [])
        if (topic === 'payments/operations') told.push(data);
    });
  });
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/payment-admin/operations')) asked.push(search);
  });
  await page.goto(nodeRed.url);
  await page.locator('#node-dialog-login-username').fill(username);
  await page.locator('#node-dialog-login-password').fill(PASSWORD);
  await page.locator('#node-dialog-login-submit').click();
  await page.locator('#sale').waitFor();
  await page.evaluate("RED.sidebar.show('payments')");
  return { page, told, asked };
}

async function pay(): Promise<void> {
  const headers = { authorization: `Bearer ${await login(nodeRed.url, 'owner')}` };
  const { status } = await fetch(`${nodeRed.url}/inject/pay`, { method: 'POST', headers });
  assert.equal(status, 200);
}

it('a payment is shown as it happens to who may look at payments; another user hears an id, and asks for nothing', async () => {
  const viewer = await openSidebar('viewer');
  const note = viewer.page.locator('.payments-note', { hasText: 'payments.read' });
  await note.waitFor();
  const reader = await openSidebar('reader');
  await reader.page.locator('.payments-note', { hasText: 'No payments' }).waitFor();
  await pay();
  for (const status of ['waiting for card', 'approved'])
    await reader.page.locator('.payments-row:visible', { hasText: status }).waitFor();
  assert.ok(viewer.told.length > 1, 'both are told the same');
  const [id] = viewer.told.flat();
  assert.match(String(id), /^[0-9a-f-]{36}$/);
  assert.deepEqual(new Set(viewer.told.flat()), new Set([id]));
  assert.ok(reader.asked.includes(`?ids=${id}`));
  // A page that has just opened may load its list once more, when its connection is ready; it asks for no payment.
  assert.deepEqual(
    viewer.asked.filter((search) => search.includes('ids=')),
    [],
  );
  assert.ok(await note.isVisible());
});
