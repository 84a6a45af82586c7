import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.js';
import { closeDialog, deploy, type Editor, openDialog, openEditor } from '../harness/editor.js';
import { type RunningNodeRed, startNodeRed } from '../harness/node-red.js';

/** A dialog never sees the secrets that are kept, and neither loses them nor changes them by being opened. */

const SECRETS = { apiKey: 'planted-key-7781', callbackSecret: 'planted-secret-7782' };

const FLOWS = [
  { id: 'tab', type: 'tab', label: 'till' },
  {
    id: 'environment',
    type: 'payment-environment',
    name: 'shop',
    kind: 'live',
    baseUrl: 'https://service.invalid/api',
    statusUrl: 'https://service.invalid/status',
    group: 'B',
    checkGroup: true,
    currency: 'EUR',
    callbackUrl: '',
    journal: '',
    keepReceipts: false,
    receiptDays: 30,
    requestsPerSecond: 2,
    countReads: false,
  },
  { id: 'status', type: 'payment-status', z: 'tab', x: 200, y: 80, environment: 'environment', wires: [[], [], []] },
];

let nodeRed: RunningNodeRed;
let browser: Browser;
let editor: Editor;
let page: Page;

before(async () => {
  const options = { flows: FLOWS, credentials: { environment: SECRETS } };
  browser = await openBrowser();
  nodeRed = await startNodeRed(options);
  editor = await openEditor(browser, nodeRed.url, 'status');
  page = editor.page;
});
after(async () => {
  await browser?.close();
  await nodeRed?.stop();
});

const field = (name: string) => page.locator(`#node-config-input-${name}`);

async function kept(): Promise<unknown> {
  return JSON.parse(await readFile(join(nodeRed.userDir, 'flows_cred.json'), 'utf8'));
}

async function problems(): Promise<unknown> {
  return page.evaluate("RED.nodes.node('environment').validationErrors");
}

it('shows that there are secrets, and not which, and finds that the key is there', async () => {
  await openDialog(page, 'environment', 'payment-environment');
  for (const name of ['apiKey', 'callbackSecret'] as const) assert.equal(await field(name).inputValue(), '__PWRD__');
  assert.equal(await page.locator('.payment-notice li[data-state="ok"]').count(), 2, 'https, and a key');
  assert.equal(await page.locator('#payment-group-callbacks').getAttribute('open'), '', 'its group is unfolded');
});

it('changes nothing by being opened and left', async () => {
  await closeDialog(page, 'config');
  assert.deepEqual(await problems(), []);
  assert.equal(await page.evaluate("RED.nodes.node('environment').changed === true || RED.nodes.dirty()"), false);
});

it('keeps both secrets when something else is changed and deployed', async () => {
  await openDialog(page, 'environment', 'payment-environment');
  await field('name').fill('another shop');
  await closeDialog(page, 'config');
  await deploy(page);
  assert.deepEqual(await kept(), { environment: SECRETS });
});

it('forgets the one that a person empties, and that one alone', async () => {
  await openDialog(page, 'environment', 'payment-environment');
  await field('apiKey').fill('');
  await closeDialog(page, 'config');
  assert.deepEqual(await problems(), ['API key: enter a value']);
  assert.equal(await page.evaluate("RED.nodes.node('status').valid"), false);
  await deploy(page);
  assert.deepEqual(await kept(), { environment: { callbackSecret: SECRETS.callbackSecret } });
});

it('finds a key missing once it has been looked for, in the field of the key alone, until one is typed', async () => {
  await openDialog(page, 'environment', 'payment-environment');
  assert.equal(await page.locator('#node-config-input-apiKey.input-error').count(), 1);
  assert.equal(await page.locator('#node-config-input-baseUrl.input-error').count(), 0);
  await closeDialog(page, 'config');
  assert.deepEqual(await problems(), ['API key: enter a value']);
  await openDialog(page, 'environment', 'payment-environment');
  await field('apiKey').fill('planted-key-7783');
  await closeDialog(page, 'config');
  assert.deepEqual(await problems(), []);
  assert.deepEqual(editor.errors, [], 'the console has no error');
});
