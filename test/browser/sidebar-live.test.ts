import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.js';
import { type Editor, openEditor } from '../harness/editor.js';
import { type RunningNodeRed, startNodeRed } from '../harness/node-red.js';

/** What the sidebar shows while payments go on, others deploy, and answers are slow. */

const FLOWS = [
  { id: 'tab', type: 'tab', label: 'till' },
  { id: 'environment', type: 'payment-environment', kind: 'simulator', currency: 'EUR', group: 'B' },
  {
    id: 'terminal',
    type: 'payment-terminal',
    environment: 'environment',
    serialNumber: '10000001',
    terminalType: 'SIMULATEDT1',
  },
  { id: 'kiosk', type: 'subflow', name: 'kiosk', in: [{ x: 50, y: 30, wires: [{ id: 'inner' }] }], out: [] },
  {
    id: 'inner',
    type: 'payment-sale',
    z: 'kiosk',
    x: 200,
    y: 80,
    terminal: 'terminal',
    amount: 'payload',
    wires: [[], [], []],
  },
  { id: 'instance', type: 'subflow:kiosk', z: 'tab', x: 400, y: 80, name: 'kiosk at the door', wires: [] },
  {
    id: 'pay',
    type: 'inject',
    z: 'tab',
    x: 150,
    y: 80,
    props: [{ p: 'payload' }],
    payload: '12.50',
    payloadType: 'str',
    wires: [['instance']],
  },
];

let nodeRed: RunningNodeRed;
let browser: Browser;
let editor: Editor;
let page: Page;

before(async () => {
  browser = await openBrowser();
  nodeRed = await startNodeRed({ flows: FLOWS });
  editor = await openEditor(browser, nodeRed.url, 'pay');
  page = editor.page;
  await page.evaluate("RED.sidebar.show('payments')");
});
after(async () => {
  await browser?.close();
  await nodeRed?.stop();
});

/** Somebody else deploys, and changes nothing. */
async function deployElsewhere(): Promise<void> {
  const headers = { 'content-type': 'application/json', 'node-red-deployment-type': 'nodes' };
  const answer = await fetch(`${nodeRed.url}/flows`, { method: 'POST', headers, body: JSON.stringify(FLOWS) });
  assert.ok(answer.ok);
}

it('shows what has just happened, not what an older answer says that comes later', async () => {
  await page.locator('#pay .red-ui-flow-node-button-button').click();
  await page.locator('.payments-row:visible', { hasText: 'waiting for card' }).waitFor();
  const approved = page.locator('.payments-row:visible', { hasText: 'approved' });
  await page.route('**/payment-admin/operations', async (route) => {
    const response = await route.fetch();
    assert.match(await response.text(), /"stage":"waiting"/);
    await approved.waitFor();
    await route.fulfill({ response });
  });
  const [answer] = await Promise.all([page.waitForResponse('**/payment-admin/operations'), deployElsewhere()]);
  await answer.finished();
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  assert.equal(await page.locator('.payments-row:visible .payments-standing').textContent(), 'approved');
  await page.unroute('**/payment-admin/operations');
});

it('says that payments are out of reach, and shows what became of them once they are not', async () => {
  const before = await page.locator('.payments-row:visible', { hasText: 'approved' }).count();
  const changes = /payment-admin\/operations\?ids=/;
  await page.route(changes, (route) => route.fulfill({ status: 503, json: { error: 'out of reach' } }), { times: 1 });
  await page.locator('#pay .red-ui-flow-node-button-button').click();
  await page.locator('.payments-note', { hasText: 'out of reach' }).waitFor();
  await page.locator('.payments-row:visible', { hasText: 'approved' }).nth(before).waitFor();
  await page.locator('.payments-note:not(:has-text("out of reach"))').waitFor();
});

it('names the instance of the subflow that a payment came to', async () => {
  await page.locator('.payments-toolbar input').fill('at the door');
  await page.locator('.payments-row:visible', { hasText: 'approved' }).first().click();
  await page.locator('.payments-detail dd button', { hasText: 'kiosk at the door' }).click();
});

it('says in words that an operation is gone', async () => {
  await page.route('**/payment-admin/operations/*/check-now', (route) => route.fulfill({ status: 404, json: {} }));
  await page.locator('.payments-buttons button', { hasText: 'Check again' }).click();
  await page.locator('.payments-problem', { hasText: 'It is not known here' }).waitFor();
});

it('says that it is there when it is asked: it may have been open before the package was', async () => {
  const roll = 'payments/editors';
  const said = await new Promise<string>((resolve, reject) => {
    const begin = async (): Promise<void> => {
      await page.routeWebSocket('**/comms', (socket) => {
        const server = socket.connectToServer();
        socket.onMessage((message) => {
          const { subscribe, topic } = JSON.parse(String(message));
          if (subscribe === roll) socket.send(JSON.stringify([{ topic: roll, data: true }]));
          if (topic === roll) resolve(String(message));
          server.send(message);
        });
      });
      await page.reload();
    };
    begin().catch(reject);
  });
  assert.deepEqual(JSON.parse(said), { topic: roll, data: true });
});
