import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.js';
import { type RunningNodeRed, startNodeRed } from '../harness/node-red.js';
import { virtualTerminal } from '../harness/virtual-terminal.js';

/** What the virtual terminal's page says before there is a terminal to show, and in which language. */

const PATH = '/payment-admin/virtual-terminal/';
const FLOWS = [{ id: 'environment', type: 'payment-environment', kind: 'simulator', group: 'B', currency: 'EUR' }];

describe('the page of the virtual terminal', () => {
  let nodeRed: RunningNodeRed;
  let browser: Browser;

  before(async () => {
    browser = await openBrowser();
    nodeRed = await startNodeRed({ flows: FLOWS });
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });

  async function open(prepare: string, query = ''): Promise<Page> {
    const { page } = await virtualTerminal(browser);
    await page.addInitScript(prepare);
    await page.goto(`${nodeRed.url}${PATH}${query}`);
    return page;
  }

  for (const width of [1400, 390]) {
    it(`says of an environment that is not deployed that it is not, readable at a width of ${width}`, async () => {
      const page = await open('', '?simulator=new');
      await page.setViewportSize({ width, height: 800 });
      const text = page.getByText('This environment is not deployed yet');
      await text.waitFor();
      const said = await text.boundingBox();
      const again = await page.getByRole('button', { name: 'Try again' }).boundingBox();
      assert.ok(said !== null && again !== null);
      assert.ok(said.y + said.height <= again.y, 'the button is below the text');
      for (const { x, width: wide } of [said, again])
        assert.ok(Math.abs(x + wide / 2 - width / 2) < 2, 'in the middle of the window');
      await page.context().close();
    });
  }

  it('speaks the language that was chosen in the editor, else that of the browser', async () => {
    for (const [prepare, text, lang] of [
      ["localStorage.setItem('editor-language', 'de')", 'Bereit für die nächste Zahlung', 'de'],
      ["localStorage.setItem('editor-language', 'zh-CN')", 'Ready for the next payment', 'en-US'],
      [
        "Object.defineProperty(globalThis, 'localStorage', { get() { throw new Error('denied'); } })",
        'Ready for the next payment',
        'en-US',
      ],
    ] as const) {
      const page = await open(prepare);
      await page.getByText(text).waitFor();
      assert.equal(await page.locator('html').getAttribute('lang'), lang);
      await page.context().close();
    }
  });
});
