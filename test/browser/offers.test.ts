import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.js';
import { closeDialog, openDialog, openEditor } from '../harness/editor.js';
import { type RunningNodeRed, startNodeRed } from '../harness/node-red.js';

const environment = (id: string, more: object): object => ({
  id,
  type: 'payment-environment',
  kind: 'simulator',
  ...more,
});
const terminal = (id: string, of: string): object => ({ id, type: 'payment-terminal', environment: of });

const FLOWS = [
  { id: 'tab', type: 'tab', label: 'payments' },
  environment('europe', { group: 'E' }),
  environment('unchecked', { group: 'E', checkGroup: false }),
  terminal('till', 'europe'),
  terminal('till-unchecked', 'unchecked'),
  { id: 'tip', type: 'payment-tip', z: 'tab', x: 200, y: 80, environment: 'europe', wires: [[], [], []] },
  { id: 'reversal', type: 'payment-reversal', z: 'tab', x: 200, y: 160, terminal: 'till', wires: [[], [], []] },
  { id: 'batch', type: 'payment-batch', z: 'tab', x: 200, y: 240, terminal: 'till-unchecked', wires: [[], [], []] },
];

const NOTE = 'Acquirer group E does not support this';

describe('a dialog, and what the acquirer group does not offer', () => {
  let nodeRed: RunningNodeRed;
  let browser: Browser;
  let page: Page;

  before(async () => {
    browser = await openBrowser();
    nodeRed = await startNodeRed({ flows: FLOWS });
    ({ page } = await openEditor(browser, nodeRed.url, 'tip'));
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });

  const notes = async (): Promise<string[]> => page.locator('.payment-gap:visible').allTextContents();

  it('says below the field that the group has it not', async () => {
    await openDialog(page, 'tip');
    assert.deepEqual(await notes(), [NOTE]);
    await closeDialog(page, 'node');
  });

  it('says so once a choice asks for it, and no longer once another is made', async () => {
    const choose = (value: string): Promise<void> =>
      page.evaluate((word) => {
        const { $ } = globalThis as unknown as {
          $: (selector: string) => { typedInput(set: string, to: string): void };
        };
        $('#node-input-whole').typedInput('value', word);
      }, value);
    await openDialog(page, 'reversal');
    assert.deepEqual(await notes(), []);
    await choose('part');
    assert.deepEqual(await notes(), [NOTE]);
    await choose('whole');
    assert.deepEqual(await notes(), []);
    await closeDialog(page, 'node');
  });

  it('says nothing where the environment does not check', async () => {
    await openDialog(page, 'batch');
    assert.deepEqual(await notes(), []);
    await closeDialog(page, 'node');
  });
});
