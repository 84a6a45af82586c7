import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../helpers/browser.js';
import { closeDialog, type Editor, openDialog, openEditor } from '../helpers/editor.js';
import { type RunningNodeRed, startNodeRed } from '../helpers/node-red.js';

/** From the simulator to real money: what the dialog of an environment asks for then, and which nodes it marks. */

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
  { id: 'status', type: 'payment-status', z: 'tab', x: 200, y: 160, environment: 'environment', wires: [[], [], []] },
];

let nodeRed: RunningNodeRed;
let browser: Browser;
let editor: Editor;

before(async () => {
  const editorTheme = { tours: false, palette: { catalogues: [] } };
  [nodeRed, browser] = await Promise.all([startNodeRed({ flows: FLOWS, settings: { editorTheme } }), openBrowser()]);
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
  await notice.getByText('Nodes that will: kiosk').waitFor();
  assert.deepEqual(await met(), ['bad', 'bad']);

  await page.locator('#node-config-input-baseUrl').fill('http://127.0.0.1:8090/api');
  await page.locator('#node-config-input-statusUrl').fill('https://status.example');
  await page.locator('#node-config-input-apiKey').fill('key');
  await page.locator('#node-config-input-apiKey').blur();
  await notice.locator('li[data-state="ok"]').waitFor();
  assert.deepEqual(await met(), ['bad', 'ok']);
  await page.locator('#node-config-input-baseUrl.input-error').waitFor();

  await page.locator('#node-config-input-baseUrl').fill('https://service.example/api');
  await page.locator('#node-config-input-baseUrl').blur();
  await notice.locator('li[data-state="ok"]').nth(1).waitFor();
  assert.equal(await page.locator('#node-config-input-baseUrl.input-error').count(), 0);

  await closeDialog(page, 'config');
  await page.locator('#sale .payment-live:visible', { hasText: 'LIVE' }).waitFor();
  assert.equal(await page.locator('#status .payment-live').count(), 0, 'a question moves no money');
  assert.deepEqual(editor.errors, [], 'the console has no error');
});

it('takes the mark away when the simulator is chosen again', async () => {
  const { page } = editor;
  await openDialog(page, 'environment', 'payment-environment');
  await page.evaluate("$('#node-config-input-kind').typedInput('value', 'simulator')");
  await closeDialog(page, 'config');
  await page.locator('#sale .payment-live').waitFor({ state: 'hidden' });
});
