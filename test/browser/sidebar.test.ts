import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { seriousFaults } from '../harness/axe.js';
import { openBrowser } from '../harness/browser.js';
import { cutOff, ZOOMED } from '../harness/cut-off.js';
import { type Editor, openEditor } from '../harness/editor.js';
import { type RunningNodeRed, startNodeRed } from '../harness/node-red.js';

/** The sidebar over a real flow; the amounts decide what becomes of them. */

const AMOUNTS = { approved: '12.50', declined: '37.84', partial: '37.57' };

const LANGUAGES = ['en-US', 'de', 'fr', 'es-ES', 'ja'];

const FLOWS = [
  { id: 'tab', type: 'tab', label: 'till' },
  { id: 'environment', type: 'payment-environment', name: 'Café', kind: 'simulator', currency: 'EUR', group: 'E' },
  {
    id: 'terminal',
    type: 'payment-terminal',
    environment: 'environment',
    serialNumber: '10000001',
    terminalType: 'SIMULATEDT1',
  },
  {
    id: 'sale',
    type: 'payment-sale',
    z: 'tab',
    x: 400,
    y: 80,
    terminal: 'terminal',
    amount: 'payload',
    busyWait: '60',
    wires: [[], [], []],
  },
  ...Object.entries(AMOUNTS).map(([name, payload], place) => ({
    id: name,
    type: 'inject',
    z: 'tab',
    x: 150,
    y: 80 + 60 * place,
    props: [{ p: 'payload' }],
    payload,
    payloadType: 'str',
    wires: [['sale']],
  })),
];

describe('the payments sidebar', () => {
  let nodeRed: RunningNodeRed;
  let browser: Browser;
  let editor: Editor;
  let page: Page;

  before(async () => {
    browser = await openBrowser();
    nodeRed = await startNodeRed({ flows: FLOWS, settings: { editorTheme: { languages: LANGUAGES } } });
    editor = await openEditor(browser, nodeRed.url, 'sale');
    page = editor.page;
    await page.evaluate("RED.sidebar.show('payments')");
  });
  afterEach(() => {
    assert.deepEqual(editor.errors, [], 'the console has no error');
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });

  const rows = (text: string) => page.locator('.payments-row:visible', { hasText: text });

  async function pay(name: keyof typeof AMOUNTS): Promise<void> {
    await page.locator(`#${name} .red-ui-flow-node-button-button`).click();
  }

  it('says that there is nothing yet', async () => {
    await page.locator('.payments-note', { hasText: 'No payments yet' }).waitFor();
  });

  it('shows a payment as it goes on, and how it ended, without being asked again', async () => {
    await pay('approved');
    await rows('waiting for card').waitFor();
    const done = rows('approved');
    await done.waitFor();
    assert.match((await done.textContent()) ?? '', /^sale12\.50 EUR.*10000001approved$/);
  });

  it('says below the node what it cost, in words', async () => {
    await page.locator('#sale .red-ui-flow-node-status-label', { hasText: 'approved 12.50 EUR' }).waitFor();
  });

  it('keeps what needs a person in front of what is newer', async () => {
    await pay('partial');
    const part = rows('partial approval').and(page.locator('[data-tone="attention"]'));
    await part.waitFor({ timeout: 90_000 });
    assert.match((await part.textContent()) ?? '', /^sale\d+\.\d\d of 37\.57 EUR/);
    await pay('declined');
    await rows('declined').waitFor();
    const order = await page.locator('.payments-row:visible .payments-standing').allTextContents();
    assert.match(order.join(', '), /^partial approval, declined: .*\w.*, approved$/);
    await page.locator('.payments-alarm', { hasText: '3 shown, 1 need attention, 0 open' }).waitFor();
  });

  it('finds payments by what is typed, and by how they ended', async () => {
    const search = page.locator('.payments-toolbar input');
    await search.fill('café 37.84');
    await rows('declined').waitFor();
    await rows('approved').first().waitFor({ state: 'hidden' });
    await search.fill('no such thing');
    await page.locator('.payments-note', { hasText: 'Nothing matches' }).waitFor();
    // The list is drawn with the page's next frame: what the last search left of it says nothing of the next filter.
    await rows('declined').waitFor({ state: 'hidden' });
    await search.fill('');
    await rows('declined').waitFor();
    await page.locator('.payments-toolbar select').selectOption('success');
    await rows('declined').waitFor({ state: 'hidden' });
    assert.equal(await page.locator('.payments-row:visible').count(), 1);
    await page.locator('.payments-toolbar select').selectOption('all');
  });

  it('has nothing that a screen reader or weak eyes would trip over', async () => {
    assert.deepEqual(await seriousFaults(page, '.payments-panel'), []);
  });

  for (const language of LANGUAGES) {
    it(`has nothing cut off, at its usual size and zoomed to 200 %: ${language}`, async () => {
      const theme = language === 'en-US' ? 'light' : 'dark';
      const other = await openEditor(browser, nodeRed.url, 'sale', { language, theme });
      await other.page.evaluate("RED.sidebar.show('payments')");
      for (const viewport of [{ width: 1400, height: 1000 }, ZOOMED]) {
        await other.page.setViewportSize(viewport);
        await other.page.locator('.payments-row').first().waitFor();
        assert.deepEqual(await cutOff(other.page, '.payments-panel'), []);
        await other.page.locator('.payments-row').first().click();
        await other.page.locator('.payments-timeline li').first().waitFor();
        assert.deepEqual(await cutOff(other.page, '.payments-detail'), []);
        assert.deepEqual(await seriousFaults(other.page, '.payments-detail'), []);
        await other.page.locator('.payments-detail button').first().click();
      }
      await other.page.close();
    });
  }

  it('opens one by keyboard: its timeline, and its receipt in a frame that runs no script', async () => {
    await page.locator('.payments-list').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.locator('.payments-detail h3', { hasText: 'sale 12.50 EUR' }).waitFor();
    const events = await page.locator('.payments-timeline li').allTextContents();
    assert.ok(
      events.some((event) => event.endsWith('approved')),
      events.join('\n'),
    );
    for (const fact of ['Card', 'Approval code', 'Reference', 'Transaction']) {
      await page.locator('.payments-detail dt', { hasText: new RegExp(`^${fact}$`) }).waitFor();
    }
    await page.locator('.payments-receipt summary').first().click();
    const frame = page.locator('.payments-receipt iframe').first();
    await frame.waitFor();
    assert.equal(await frame.getAttribute('sandbox'), '');
    await frame.contentFrame().getByText('10.00').or(frame.contentFrame().getByText('12.50')).first().waitFor();
    assert.deepEqual(await seriousFaults(page, '.payments-detail'), []);
  });

  it('asks the bank again when told to, and says how much in major units', async () => {
    await page.locator('.payments-buttons button', { hasText: 'Check again' }).click();
    await page.locator('.payments-answer li', { hasText: 'SALE · AUTHORISED · 12.50 EUR' }).waitFor();
  });

  const reverse = (of: Page) => of.locator('.payments-buttons button', { hasText: 'Reverse' });
  const question = (of: Page) => of.locator('.red-ui-notification', { hasText: 'Reverse this payment' });

  it('asks once before it reverses, in full, and Escape or the first answer keeps the payment', async () => {
    await reverse(page).focus();
    await page.keyboard.press('Enter');
    assert.match(
      (await question(page).textContent()) ?? '',
      /12\.50 EUR · .*\d\d:\d\d.* · 10000001\? The money goes back/,
    );
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    assert.equal(await focused(), 'Cancel');
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'Reverse it');
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'Cancel', 'the focus stays in the question');
    await page.evaluate("document.querySelectorAll('.payments-buttons button')[1].click()");
    assert.equal(await question(page).count(), 1, 'never two of them');
    await page.keyboard.press('Escape');
    await question(page).waitFor({ state: 'detached' });
    assert.match(await focused(), /Reverse/);
    await reverse(page).click();
    await question(page).locator('button', { hasText: 'Cancel' }).click();
    await question(page).waitFor({ state: 'detached' });
    await reverse(page).click();
    await question(page).waitFor();
  });

  it('reverses a payment once, whichever of two browsers says so, and both see it', async () => {
    const other = await openEditor(browser, nodeRed.url, 'sale');
    await other.page.evaluate("RED.sidebar.show('payments')");
    await other.page.locator('.payments-row:visible', { hasText: '12.50' }).click();
    await reverse(other.page).click();
    await Promise.all([page, other.page].map((one) => question(one).locator('button.primary').click()));
    for (const one of [page, other.page]) {
      await one.locator('.payments-head .payments-standing', { hasText: /^reversed$/ }).waitFor();
      assert.equal(await reverse(one).isDisabled(), true);
      await one.locator('.payments-answer', { hasText: /\w/ }).waitFor();
    }
    const answers = await Promise.all([page, other.page].map((one) => one.locator('.payments-answer').textContent()));
    assert.ok(
      answers.some((answer) => answer?.includes('Finished. reversal: refunded')),
      answers.join('\n'),
    );
    // The loser is told that by the runtime, in words: the console of the editor has the status of that, too.
    const lost = [...editor.errors, ...other.errors].filter((error) => error.includes('409'));
    assert.equal(lost.length, 1);
    assert.ok(
      answers.some((answer) => answer?.includes('It has been reversed already')),
      answers.join('\n'),
    );
    editor.errors.splice(0, editor.errors.length, ...editor.errors.filter((error) => !lost.includes(error)));
    await other.page.close();
  });

  it('shows what was reversed in the list, and how much the reversal took back; one leads to the other', async () => {
    await page.locator('.payments-detail dd button', { hasText: 'reversal 12.50 EUR' }).click();
    await page.locator('.payments-detail h3', { hasText: 'reversal 12.50 EUR' }).waitFor();
    await page.locator('.payments-detail dd button', { hasText: 'sale 12.50 EUR' }).waitFor();
    await page.locator('.payments-detail button', { hasText: 'Back' }).click();
    const reversal = rows('reversal');
    await reversal.waitFor();
    assert.match((await reversal.textContent()) ?? '', /^reversal12\.50 EUR.*10000001refunded$/);
    assert.equal(await rows('reversed').getAttribute('data-tone'), 'returned');
    assert.equal(await page.locator('.payments-row:visible').count(), 4, 'one reversal');
  });

  it('says why a payment was declined', async () => {
    await rows('declined').click();
    await page.locator('.payments-reason', { hasText: /\w/ }).waitFor();
    await page.locator('.payments-detail button', { hasText: 'Back' }).click();
  });

  it('exports what is shown, and no spreadsheet takes it for a formula', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.payments-toolbar button').click(),
    ]);
    const text = (await (await download.createReadStream()).toArray()).join('');
    const [head, ...lines] = text.trimEnd().split('\r\n');
    const names = (head ?? '').slice(1).split(',');
    const table = lines.map((line) => Object.fromEntries(line.split(',').map((cell, place) => [names[place], cell])));
    const [sale, reversal, declined, partial] = ['12.50', '-12.50', '0', '11.00'].map((amount) =>
      table.find((row) => row.amount === amount),
    );
    assert.equal(lines.length, 4);
    assert.deepEqual([sale?.operation, sale?.current_status, sale?.node], ['sale', 'reversed', 'sale']);
    assert.deepEqual([reversal?.operation, reversal?.original_transaction_id], ['reversal', sale?.transaction_id]);
    assert.deepEqual([declined?.requested, declined?.outcome], ['37.84', 'declined']);
    assert.deepEqual([partial?.requested, partial?.outcome], ['37.57', 'partial']);
    assert.match(sale?.card ?? '', /\w+ [\d*]+\d{4}$/);
    assert.match(sale?.approval_code ?? '', /^\w{6}$/);
    assert.equal(sale?.reference, sale?.operation_id);
    assert.ok(
      lines.every((line) => /^\d{4}-\d\d-\d\dT[\d:.]+Z,Café,/.test(line)),
      lines.join('\n'),
    );
  });

  it('finds a payment by the last digits of its card, its approval code and its transaction', async () => {
    await rows('reversed').click();
    const fact = (name: string) =>
      page
        .locator('.payments-detail dt', { hasText: new RegExp(`^${name}$`) })
        .locator('xpath=following-sibling::dd[1]');
    const facts = await Promise.all(['Card', 'Approval code', 'Transaction'].map((name) => fact(name).textContent()));
    await page.locator('.payments-detail button', { hasText: 'Back' }).click();
    const search = page.locator('.payments-toolbar input');
    for (const typed of [facts[0]?.slice(-4), facts[1], facts[2]]) {
      await search.fill('no such thing');
      await rows('reversed').waitFor({ state: 'hidden' });
      await search.fill(String(typed));
      await rows('reversed').waitFor();
    }
    await search.fill('');
  });

  it('refunds what is typed, by the way that is chosen, and asks first', async () => {
    await pay('approved');
    const sold = rows('approved').first();
    await sold.waitFor();
    await sold.click();
    const button = page.locator('.payments-buttons button', { hasText: 'Refund' });
    const dialog = page.locator('.payments-question');
    await button.click();
    await dialog.waitFor();
    assert.deepEqual(await seriousFaults(page, '.red-ui-notification'), []);
    assert.equal(await dialog.locator('input').inputValue(), '12.50');
    // This acquirer group reverses nothing but the whole.
    assert.equal(await dialog.locator('input').isEditable(), false);
    await dialog.locator('select').selectOption('terminal');
    await dialog.locator('input').fill('much');
    await page.locator('.red-ui-notification button.primary').click();
    await dialog.waitFor();
    await dialog.locator('input').fill('2,50');
    await page.locator('.red-ui-notification button.primary').click();
    await page.locator('.payments-answer', { hasText: 'Finished. refund: refunded' }).waitFor({ timeout: 60_000 });
    await button.click();
    assert.equal(await dialog.locator('input').inputValue(), '10.00');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.payments-detail button', { hasText: 'Back' }).click();
    await page.locator('.payments-row:visible', { hasText: /^refund2\.50 EUR/ }).waitFor();
  });

  it('lets a person say that a payment was dealt with, keeps that in its timeline, and takes it back', async () => {
    await rows('partial approval').click();
    await page.locator('.payments-head', { hasText: 'Ask for the rest' }).waitFor();
    const mark = page.locator('.payments-buttons button', { hasText: 'Mark as handled' });
    await mark.click();
    const dialog = page.locator('.payments-question');
    await page.locator('.red-ui-notification button.primary').click();
    await dialog.waitFor();
    await dialog.locator('textarea').fill('paid the rest in cash');
    await page.locator('.red-ui-notification button.primary').click();
    await page
      .locator('.payments-timeline li', { hasText: 'handled by somebody without a login: paid the rest in cash' })
      .waitFor();
    await page.locator('.payments-detail button', { hasText: 'Back' }).click();
    await page.locator('.payments-note', { hasText: '0 need attention' }).waitFor();
    await rows('partial approval · handled').click();
    await page.locator('.payments-buttons button', { hasText: 'Not handled after all' }).click();
    await mark.waitFor();
    await page.locator('.payments-detail button', { hasText: 'Back' }).click();
    await page.locator('.payments-note', { hasText: '1 need attention' }).waitFor();
  });

  it('has the same after a reload, from the journal', async () => {
    await page.reload();
    await page.waitForFunction("globalThis.RED?.nodes?.node?.('sale')");
    await page.evaluate("RED.sidebar.show('payments')");
    await rows('reversal').waitFor();
    assert.equal(await page.locator('.payments-row:visible').count(), 6);
  });

  it('speaks the language of who looks in every line of the timeline', async () => {
    const german = await openEditor(browser, nodeRed.url, 'sale', { language: 'de' });
    await german.page.evaluate("RED.sidebar.show('payments')");
    await german.page.locator('.payments-row:visible', { hasText: 'abgelehnt' }).click();
    await german.page.locator('.payments-timeline').waitFor();
    const lines = await german.page.locator('.payments-timeline li').allTextContents();
    const said = lines.map((line) => line.replace(/^[\d:., ]+/, ''));
    assert.deepEqual([said[0], said.at(-1)], ['aufgezeichnet', 'abgelehnt oder abgebrochen']);
    assert.ok(
      said.some((line) => line.startsWith('das Terminal sagt: abgelehnt (')),
      said.join('\n'),
    );
    await german.page.close();
  });
});
