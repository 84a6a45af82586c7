import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { simulatorFor } from '../../src/nodes/runtime/simulators.js';
import type { Simulator } from '../../src/simulator/index.js';
import { seriousFaults } from '../harness/axe.js';
import { openBrowser } from '../harness/browser.js';
import { cutOff, ZOOMED } from '../harness/cut-off.js';
import { ROOT } from '../harness/node-red.js';
import { QuickClock } from '../harness/quick-clock.js';
import { virtualTerminal } from '../harness/virtual-terminal.js';
import { action, type Flow, type Service, startFlow, startService } from '../nodes/flow.js';

/** On a laptop and on a phone a person pays without looking for the key to press next. */

const SIZES = [
  { where: 'a laptop', width: 1280, height: 720 },
  { where: 'a phone', width: 390, height: 844 },
  { where: 'a phone whose browser takes much of it', width: 390, height: 664 },
];
const LANGUAGES = ['en-US', 'de', 'ja'];
const TEXTS = readdirSync(join(ROOT, 'src/simulator/page/texts')).map((file) => file.replace('.json', ''));
/** Terminals and cards stand in a row that a finger moves. */
const STRIPS = '.shelf, .wallet-cards, pre';
const HASTE = 2;
/** What is pressed has to be in sight already: by itself the driver scrolls where an element moves as it is about to be pressed. */
const IN_SIGHT = { scroll: 'none' } as const;

describe('a terminal on a small screen', () => {
  let service: Service;
  let flow: Flow;
  let browser: Browser;
  let simulator: Simulator;
  const clock = new QuickClock(HASTE);
  let amount = 2000;

  before(async () => {
    service = await startService();
    const percentages = { tipPercentages: '[5, 10, 15]', tipPercentagesType: 'json' };
    browser = await openBrowser();
    flow = await startFlow({
      service,
      environment: { kind: 'simulator', baseUrl: '', statusUrl: '', callbackUrl: '' },
      more: [action('sale-with-tip', 'payment-sale', percentages)],
    });
    simulator = await simulatorFor('environment', 'B');
  });
  after(async () => {
    await browser?.close();
    await flow?.stop();
    await service?.stop();
    simulator?.stop();
    clock.restore();
  });

  for (const { where, width, height } of SIZES) {
    for (const locale of LANGUAGES) {
      it(`has all that is needed next in sight, on ${where}: ${locale}`, async () => {
        const { page, errors } = await virtualTerminal(browser, {
          fromBuild: true,
          viewport: { width, height },
          locale,
        });
        await page.goto(`${flow.url}/payment-admin/virtual-terminal/`);
        await page.locator('input[value=person]').check();
        await page.locator('.screen[data-stage=idle]').waitFor();
        // Nothing covers them.
        for (const control of await page.locator('.controls-buttons button').all())
          await control.click({ trial: true });
        const count = flow.answers().length;
        const before = simulator.bank.netMoved();

        flow.send({ payload: { amount: (++amount / 100).toFixed(2) } }, 'sale-with-tip');
        await at(page, 'tip');
        await page.locator('.tip-choice').first().click(IN_SIGHT);
        await at(page, 'awaiting-card');
        await page.locator('.way-insert').click(IN_SIGHT);
        await at(page, 'pin');
        for (const digit of '1234') await page.locator('.key', { hasText: digit }).click(IN_SIGHT);
        await page.locator('.key-enter').click(IN_SIGHT);
        await at(page, 'remove-card');
        await page.locator('.slot-card').click(IN_SIGHT);
        const { msg } = await flow.answer(count + 1);
        assert.equal(msg.payload.outcome, 'approved');
        assert.equal(simulator.bank.netMoved() - before, amount + Math.floor((amount * 5) / 100));

        await page.locator('.screen[data-stage=idle]').waitFor();
        flow.send({ payload: { amount: (++amount / 100).toFixed(2) } });
        await at(page, 'awaiting-card');
        await page.locator('.way-swipe').click(IN_SIGHT);
        await at(page, 'signature');
        await page.locator('.key-cancel').click(IN_SIGHT);
        await flow.answer(count + 2);
        assert.deepEqual(errors, []);
        await page.context().close();
      });
    }
  }

  it('folds the faults on a phone: a key opens a group, and so does a fault that is armed elsewhere', async () => {
    const phone = { fromBuild: true, viewport: { width: 390, height: 844 } };
    const { page, errors } = await virtualTerminal(browser, phone);
    await page.goto(`${flow.url}/payment-admin/virtual-terminal/`);
    await page.locator('.screen[data-stage=idle]').waitFor();
    assert.equal(await page.locator('.fault-group[open]').count(), 0);
    assert.ok((await page.evaluate<number>('document.documentElement.scrollHeight')) < 2500, 'the page is short');

    await page.locator('.fault-group summary').first().press('Enter');
    await page.locator('.fault-group[open] .switch').first().waitFor();
    simulator.faults.arm({ kind: 'callback-late', times: 1 });
    await page.locator('.fault-group[open] .fault.armed [data-fault=callback-late]').waitFor();
    simulator.faults.clear();
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  for (const [where, viewport] of [
    ['zoomed to 200 % on a laptop', ZOOMED],
    ['on a phone', { width: 390, height: 844 }],
  ] as const) {
    for (const locale of TEXTS) {
      it(`has nothing cut off, and nothing that weak eyes would trip over, ${where}: ${locale}`, async () => {
        const colorScheme = locale === 'en-US' ? 'light' : 'dark';
        const look = { fromBuild: true, viewport, locale, colorScheme, bypassCSP: true } as const;
        const { page } = await virtualTerminal(browser, look);
        await page.goto(`${flow.url}/payment-admin/virtual-terminal/`);
        await page.locator('.screen[data-stage=idle]').waitFor();
        for (const tab of await page.getByRole('tab').all()) {
          await tab.click();
          const name = await tab.textContent();
          assert.deepEqual(await cutOff(page, 'body', STRIPS), [], `${name}`);
          assert.deepEqual(await seriousFaults(page, 'body'), [], `${name}`);
        }
        await page.context().close();
      });
    }
  }
});

/** Waits for a stage, and for everything that can be pressed at it to be in sight, and under nothing else. */
async function at(page: Page, stage: string): Promise<void> {
  await page.locator(`.screen[data-stage=${stage}]`).waitFor();
  const hidden = await page.evaluate(`
    [...document.querySelectorAll('.device-body button:enabled, .slot-card:not([hidden])')].filter((button) => {
      const { left, right, top, bottom } = button.getBoundingClientRect();
      const isInside = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
      // The card in the slot is half inside the terminal.
      const met = document.elementFromPoint((left + right) / 2, button.matches('.slot-card') ? bottom - 8 : (top + bottom) / 2);
      return !isInside || !button.contains(met);
    }).map((button) => button.ariaLabel ?? button.textContent)
  `);
  assert.deepEqual(hidden, [], `out of sight at ${stage}`);
}
