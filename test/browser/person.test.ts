import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.js';
import { type Editor, type EditorGlobal, openEditor } from '../harness/editor.js';
import { type RunningNodeRed, startNodeRed } from '../harness/node-red.js';

/** A person's first payment: everything by mouse and keyboard, nothing known of what lies behind. */

const FLOWS = [
  { id: 'shop', type: 'tab', label: 'shop' },
  { id: 'notes', type: 'tab', label: 'notes' },
  { id: 'note', type: 'comment', z: 'notes', name: 'nothing here', x: 200, y: 80, wires: [] },
];

let nodeRed: RunningNodeRed;
let browser: Browser;
let editor: Editor;

before(async () => {
  browser = await openBrowser();
  nodeRed = await startNodeRed({ flows: FLOWS });
  editor = await openEditor(browser, nodeRed.url, 'note');
});
after(async () => {
  await browser?.close();
  await nodeRed?.stop();
});

it('wires a sale, picks the simulator and a terminal, deploys, injects, taps, and reads the approval', async () => {
  const { page } = editor;
  await drag(page, 'inject', 250, 120);
  await drag(page, 'payment-sale', 550, 120);
  await wire(page, await nodeOf(page, 'inject'), await nodeOf(page, 'payment-sale'));

  const sale = page.locator(await nodeOf(page, 'payment-sale'));
  await sale.dblclick();
  await page.locator('#node-dialog-ok').waitFor();
  await page.locator('#node-input-btn-terminal-add').click();
  await page.locator('#node-config-input-btn-environment-add').click();
  await page.locator('#node-config-input-currency').fill('EUR');
  await confirm(page, page.locator('#node-config-input-currency'));
  // The list comes by itself, once there is an environment.
  await page.locator('.payment-devices label', { hasText: '10000002' }).locator('input').check();
  assert.equal(await page.locator('#node-config-input-serialNumber').inputValue(), '10000002');
  await page.locator('.payment-device-state[data-state="answers"]').first().waitFor();
  await confirm(page, page.locator('#node-config-input-serialNumber'));
  await typeAmount(page, '12.50');
  await page.locator('#node-dialog-ok').click();
  await page.locator('#node-dialog-ok').waitFor({ state: 'detached' });
  await page.locator('#red-ui-header-button-deploy').click();
  await page.locator('.red-ui-notification', { hasText: 'Successfully deployed' }).waitFor();

  const environment = await idOf(page, 'payment-environment');
  const terminal = await browser.newPage();
  await terminal.goto(`${nodeRed.url}/payment-admin/virtual-terminal/?simulator=${environment}#10000002`);
  await terminal.getByRole('radio', { name: 'I pay' }).check();
  await terminal.locator('.screen').getByText('Ready for the next payment').first().waitFor();

  await page.bringToFront();
  await page.evaluate("RED.sidebar.show('payments')");
  await page.locator(`${await nodeOf(page, 'inject')} .red-ui-flow-node-button-button`).click();
  const row = page.locator('.payments-row:visible');
  await row.getByText('waiting for card').waitFor();

  await terminal.bringToFront();
  await terminal.locator('.screen').getByText('12.50').first().waitFor();
  await terminal.getByRole('button', { name: 'Tap', exact: true }).click();

  await page.bringToFront();
  await row.getByText('approved').waitFor();
  assert.match((await row.textContent()) ?? '', /^sale12\.50 EUR.*10000002approved$/);
  await sale.locator('.red-ui-flow-node-status-label', { hasText: 'approved 12.50 EUR' }).waitFor();
  assert.deepEqual(editor.errors, [], 'the console has no error');
});

/** Drags a node out of the palette, to a place on the canvas. */
async function drag(page: Page, type: string, x: number, y: number): Promise<void> {
  const entry = page.locator(`.red-ui-palette-node[data-palette-type="${type}"]`);
  await entry.scrollIntoViewIfNeeded();
  const from = await centre(entry);
  const canvas = await page.locator('#red-ui-workspace-chart').boundingBox();
  assert.ok(canvas);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(canvas.x + x, canvas.y + y, { steps: 12 });
  await page.mouse.up();
  await page.waitForFunction(`RED.nodes.filterNodes({ type: '${type}' }).length === 1`);
}

/** Draws a wire from the output of one node to the input of another. */
async function wire(page: Page, from: string, to: string): Promise<void> {
  const start = await centre(page.locator(`${from} .red-ui-flow-port-output rect`).first());
  const end = await centre(page.locator(`${to} .red-ui-flow-port-input rect`));
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(end.x, end.y, { steps: 12 });
  await page.mouse.up();
}

/** Ends the dialog of a config node in which a field is. */
async function confirm(page: Page, field: Locator): Promise<void> {
  await page.locator('#node-config-dialog-ok').last().click();
  await field.waitFor({ state: 'detached' });
}

async function typeAmount(page: Page, amount: string): Promise<void> {
  const row = page.locator('.payment-row', { has: page.locator('#node-input-amount') });
  await row.locator('.red-ui-typedInput-type-select').click();
  await page.locator('.red-ui-typedInput-options:visible a', { hasText: 'number' }).click();
  await row.locator('input.red-ui-typedInput-input').fill(amount);
}

async function centre(element: Locator): Promise<{ x: number; y: number }> {
  const box = await element.boundingBox();
  assert.ok(box);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The only node of a type. */
async function idOf(page: Page, type: string): Promise<string> {
  return page.evaluate((wanted) => {
    const { RED } = globalThis as unknown as { RED: EditorGlobal };
    let found = '';
    for (const visit of [RED.nodes.eachNode, RED.nodes.eachConfig]) {
      visit((node) => {
        if (node.type === wanted) found = node.id;
      });
    }
    return found;
  }, type);
}

/** On the canvas. */
async function nodeOf(page: Page, type: string): Promise<string> {
  return `[id="${await idOf(page, type)}"]`;
}
