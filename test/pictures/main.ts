import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.js';
import { openDialog, openEditor } from '../harness/editor.js';
import { ROOT, type RunningNodeRed, startNodeRed } from '../harness/node-red.js';

/** Takes the pictures of README.md and docs: the tour's flow with the sidebar, a dialog, and the virtual terminal. */

const FOLDER = join(ROOT, 'docs/pictures');

/** Nodes of the tour. */
const SALE = 'a1a0000000000006';
const ENVIRONMENT = 'c1a0000000000001';
const INJECTS = { approved: 'a1a0000000000002', declined: 'a1a0000000000003', partial: 'a1a0000000000004' };

async function main(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const flows = JSON.parse(await readFile(join(ROOT, 'examples/tour.json'), 'utf8'));
  const browser = await openBrowser();
  const nodeRed = await startNodeRed({ flows });
  try {
    await takeEditor(browser, nodeRed);
    await takeVirtualTerminal(browser, nodeRed);
  } finally {
    await browser.close();
    await nodeRed.stop();
  }
}

async function takeEditor(browser: Browser, { url }: RunningNodeRed): Promise<void> {
  const { page } = await openEditor(browser, url, SALE);
  await page.setViewportSize({ width: 1360, height: 620 });
  await page.locator('#red-ui-palette-search input').pressSequentially('payment-');
  await page.evaluate("RED.sidebar.show('payments')");
  await pay(page, INJECTS.approved, 'approved');
  await pay(page, INJECTS.partial, 'partial');
  await pay(page, INJECTS.declined, 'declined');
  await pay(page, INJECTS.approved, 'approved');
  await take(page, 'flow');

  await page.locator('.payments-row:visible', { hasText: 'approved' }).first().click();
  await page.locator('.payments-receipt summary').first().click();
  await page.locator('.payments-receipt iframe').first().waitFor();
  await page.setViewportSize({ width: 1360, height: 900 });
  await page.locator('.payments-detail').evaluate((detail) => Object.assign(detail, { scrollTop: 0 }));
  await take(page, 'payment', page.locator('#red-ui-sidebar'));

  await openDialog(page, ENVIRONMENT, 'payment-environment');
  await page.locator('.payment-test button').click();
  await page.locator('.payment-findings [data-state="ok"]').first().waitFor();
  await page.setViewportSize({ width: 1360, height: 780 });
  await take(page, 'environment', page.locator('.red-ui-tray').last());
  await page.close();
}

async function takeVirtualTerminal(browser: Browser, { url }: RunningNodeRed): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await page.goto(`${url}/payment-admin/virtual-terminal/`);
  await page.getByRole('radio', { name: 'I pay' }).check();
  await page.locator('.screen').getByText('Ready for the next payment').first().waitFor();
  await fetch(`${url}/inject/${INJECTS.approved}`, { method: 'POST' });
  await page.locator('.screen').getByText('10.00').first().waitFor();
  await take(page, 'virtual-terminal');
  await page.close();
}

/** Injects, and waits until the sidebar says how it ended. */
async function pay(page: Page, inject: string, outcome: string): Promise<void> {
  const rows = page.locator('.payments-row:visible', { hasText: outcome });
  const before = await rows.count();
  await page.locator(`[id="${inject}"] .red-ui-flow-node-button-button`).click();
  await rows.nth(before).waitFor({ timeout: 120_000 });
}

async function take(page: Page, name: string, part?: Locator): Promise<void> {
  // Notices come and go; they are no part of the picture.
  const style = '#red-ui-notifications { display: none }';
  await (part ?? page).screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled', style });
}

void main();
