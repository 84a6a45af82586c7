import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Locator } from 'playwright-core';
import { openBrowser } from '../harness/browser.js';
import { type Editor, openEditor } from '../harness/editor.js';
import { ROOT, type RunningNodeRed, startNodeRed } from '../harness/node-red.js';

const SALE = 'a1a0000000000006';
const DECLINED = 'a1a0000000000003';
const INJECT = 'a1a0000000000002';

describe('the tour, in a browser', () => {
  let nodeRed: RunningNodeRed;
  let browser: Browser;
  let editor: Editor;

  before(async () => {
    const flows = JSON.parse(await readFile(join(ROOT, 'examples/tour.json'), 'utf8'));
    browser = await openBrowser();
    nodeRed = await startNodeRed({ flows });
    editor = await openEditor(browser, nodeRed.url, SALE);
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });

  /** Clicks the button of an inject node, as a person does. */
  async function inject(id: string): Promise<void> {
    await editor.page.locator(`#${id} .red-ui-flow-node-button-button`).click();
  }

  /** What the debug node of this name has shown. */
  function results(name: string): Locator {
    const ofName = editor.page.locator('.red-ui-debug-msg-name', { hasText: new RegExp(`node: ${name}$`) });
    return editor.page.locator('.red-ui-debug-msg', { has: ofName });
  }

  async function statusIs(text: string): Promise<void> {
    await editor.page.locator(`#${SALE} .red-ui-flow-node-status-label`, { hasText: text }).waitFor();
  }

  it('ends a click on inject in the debug sidebar, and says approved below the sale', async () => {
    await editor.page.evaluate("RED.sidebar.show('debug')");
    await inject(DECLINED);
    await statusIs('declined');
    await results('not done').waitFor();
    const before = await results('done').count();
    await inject(INJECT);
    await statusIs('approved 10.00 EUR');
    await results('done').nth(before).waitFor();
    assert.deepEqual(editor.errors, [], 'the console has no error');
  });
});
