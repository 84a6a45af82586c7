import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../harness/browser.js';
import { closeDialog, type Editor, openDialog, openEditor } from '../harness/editor.js';
import { type RunningNodeRed, startNodeRed } from '../harness/node-red.js';

/** From the simulator to real money: what the dialog of an environment asks for then, and which nodes it marks. */

/** Either badge, where it is shown. */
const MARK = ':is(.payment-live, .payment-unsure):visible';

const FLOWS = [
  { id: 'tab', type: 'tab', label: 'till' },
  { id: 'environment', type: 'payment-environment', kind: 'simulator', currency: 'EUR', group: 'B' },
  { id: 'terminal', type: 'payment-terminal', environment: 'environment', serialNumber: '10000001' },
  {
    id: 'sale',
    type: 'payment-sale',
    name: 'kiosk',
    z: 'tab',
    x: 200,
    y: 80,
    terminal: 'terminal',
    wires: [[], [], []],
  },
  {
    id: 'till',
    type: 'subflow',
    name: 'till',
    in: [],
    out: [],
    env: [{ name: 'TERMINAL', type: 'payment-terminal', value: '' }],
  },
  { id: 'within', type: 'payment-sale', z: 'till', x: 200, y: 80, terminal: `\${TERMINAL}`, wires: [[], [], []] },
  {
    id: 'bar',
    type: 'subflow:till',
    name: 'bar',
    z: 'tab',
    x: 200,
    y: 240,
    env: [{ name: 'TERMINAL', type: 'payment-terminal', value: 'terminal' }],
    wires: [],
  },
  {
    id: 'elsewhere',
    type: 'payment-environment',
    kind: 'simulator',
    currency: 'EUR',
    group: 'B',
  },
  { id: 'other-terminal', type: 'payment-terminal', environment: 'elsewhere', serialNumber: '10000002' },
  {
    id: 'kitchen',
    type: 'subflow:till',
    name: 'kitchen',
    z: 'tab',
    x: 200,
    y: 320,
    env: [{ name: 'TERMINAL', type: 'payment-terminal', value: 'other-terminal' }],
    wires: [],
  },
  {
    id: 'by-variable',
    type: 'payment-environment',
    kind: `\${PAYMENTS}`,
    baseUrl: 'https://service.example/api',
    statusUrl: 'https://service.example/status',
    currency: 'EUR',
    group: 'B',
  },
  { id: 'third-terminal', type: 'payment-terminal', environment: 'by-variable', serialNumber: '10000003' },
  { id: 'unsure', type: 'payment-sale', z: 'tab', x: 200, y: 400, terminal: 'third-terminal', wires: [[], [], []] },
  { id: 'unknown', type: 'payment-sale', z: 'tab', x: 200, y: 480, terminal: `\${TERMINAL}`, wires: [[], [], []] },
  { id: 'by-older-form', type: 'payment-environment', kind: '$(PAYMENTS)', currency: 'EUR', group: 'B' },
  { id: 'fourth-terminal', type: 'payment-terminal', environment: 'by-older-form', serialNumber: '10000004' },
  { id: 'older', type: 'payment-sale', z: 'tab', x: 200, y: 560, terminal: 'fourth-terminal', wires: [[], [], []] },
  { id: 'status', type: 'payment-status', z: 'tab', x: 200, y: 160, environment: 'environment', wires: [[], [], []] },
];

let nodeRed: RunningNodeRed;
let browser: Browser;
let editor: Editor;

before(async () => {
  browser = await openBrowser();
  nodeRed = await startNodeRed({ flows: FLOWS });
  editor = await openEditor(browser, nodeRed.url, 'sale');
});
after(async () => {
  await browser?.close();
  await nodeRed?.stop();
});

it('asks for https and a key, names the nodes that will move real money, and marks them', async () => {
  const { page } = editor;
  await openDialog(page, 'environment', 'payment-environment');
  const notice = page.locator('.payment-notice');
  const met = () => notice.locator('li').evaluateAll((items) => items.map((item) => item.getAttribute('data-state')));
  assert.equal(await notice.isVisible(), false);
  await page.evaluate("$('#node-config-input-kind').typedInput('value', 'live')");
  await notice.getByText('Nodes that will move it: kiosk, bar').waitFor();
  assert.deepEqual(await met(), ['bad', 'bad']);

  await page.locator('#node-config-input-baseUrl').fill('http://127.0.0.1:8090/api');
  await page.locator('#node-config-input-statusUrl').fill('https://status.example');
  await page.locator('#node-config-input-apiKey').fill('key');
  await page.locator('#node-config-input-apiKey').blur();
  await notice.locator('li[data-state="ok"]').waitFor();
  assert.deepEqual(await met(), ['bad', 'ok']);
  await page.locator('#node-config-input-baseUrl.input-error').waitFor();

  for (const address of ['$(SERVICE)', 'https://service.example/api']) {
    await page.locator('#node-config-input-baseUrl').fill(address);
    await page.locator('#node-config-input-baseUrl').blur();
    await notice.locator('li[data-state="ok"]').nth(1).waitFor();
    assert.equal(await page.locator('#node-config-input-baseUrl.input-error').count(), 0);
  }

  await closeDialog(page, 'config');
  await page.locator('#sale .payment-live:visible', { hasText: 'LIVE' }).waitFor();
  await page.locator('#bar .payment-live:visible', { hasText: 'LIVE' }).waitFor();
  assert.equal(await page.locator('#status .payment-live').count(), 0, 'a question moves no money');
  assert.equal(await page.locator('#kitchen').locator(MARK).count(), 0, 'its terminal is a simulated one');
  assert.deepEqual(editor.errors, [], 'the console has no error');
});

it('says where a variable decides whether money is real', async () => {
  for (const id of ['unsure', 'unknown', 'older']) {
    await editor.page.locator(`#${id} .payment-unsure:visible`, { hasText: 'LIVE?' }).waitFor();
    assert.equal(await editor.page.locator(`#${id} .payment-live:visible`).count(), 0);
  }
});

it('takes the mark away when the simulator is chosen again', async () => {
  const { page } = editor;
  await openDialog(page, 'environment', 'payment-environment');
  await page.evaluate("$('#node-config-input-kind').typedInput('value', 'simulator')");
  await closeDialog(page, 'config');
  await page.locator('#sale .payment-live').waitFor({ state: 'hidden' });
  await page.locator('#bar .payment-live').waitFor({ state: 'hidden' });
});
