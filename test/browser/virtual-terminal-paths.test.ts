import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { simulatorFor } from '../../src/nodes/runtime/simulators.js';
import type { Simulator } from '../../src/simulator/index.js';
import { openBrowser } from '../harness/browser.js';
import { QuickClock } from '../harness/quick-clock.js';
import { type VirtualTerminal, virtualTerminal } from '../harness/virtual-terminal.js';
import { action, type Flow, type Service, startFlow, startService, typed } from '../nodes/flow.js';
import { PATHS } from './cardholder-paths.js';
import { choose, key, says, sign } from './hands.js';

/** Prompts end after 30 s of the simulator's time. */
const HASTE = 2;

describe('a person at the virtual terminal', () => {
  let service: Service;
  let flow: Flow;
  let browser: Browser;
  let terminal: VirtualTerminal;
  let simulator: Simulator;
  const clock = new QuickClock(HASTE);

  before(async () => {
    service = await startService();
    const percentages = { tipPercentages: '[5, 10]', tipPercentagesType: 'json' };
    browser = await openBrowser();
    flow = await startFlow({
      service,
      environment: { kind: 'simulator', baseUrl: '', statusUrl: '', callbackUrl: '' },
      more: [
        action('sale-with-tip', 'payment-sale', percentages),
        action('sale-without-pin', 'payment-sale', { bypassPin: true, bypassPinType: 'bool' }),
        action('moto', 'payment-moto', { operation: 'sale', how: 'keyed', ...typed('currency', 'EUR') }),
      ],
    });
    simulator = await simulatorFor('environment', 'B');
    terminal = await virtualTerminal(browser, { fromBuild: true });
    await terminal.page.goto(`${flow.url}/payment-admin/virtual-terminal/`);
    await terminal.page.getByRole('radio', { name: 'I pay' }).check();
    await says(terminal.page, 'Ready for the next payment');
  });
  after(async () => {
    await browser?.close();
    await flow?.stop();
    await service?.stop();
    simulator?.stop();
    clock.restore();
  });

  for (const { what, amount = '10.00', node = 'sale', card = /VISA Credit/, act, ends, moved } of PATHS) {
    it(`who ${what} is charged ${moved}, and the flow is told "${ends[1]}"`, async () => {
      const count = flow.answers().length;
      const before = simulator.bank.entries().length;
      await choose(terminal.page, card);
      flow.send({ payload: { amount } }, node);
      await act(terminal.page);
      const { output, msg } = await flow.answer(count + 1);
      assert.deepEqual([output, msg.payload.outcome, msg.payload.moneyMoved], ends);
      const entries = simulator.bank.entries().slice(before);
      assert.equal(
        entries.reduce((sum, entry) => sum + entry.moved, 0),
        moved,
      );
      await terminal.page.locator('.screen[data-stage=idle]').waitFor();
    });
  }

  it('keeps the signature that was drawn, for the receipt', async () => {
    const count = flow.answers().length;
    flow.send({ payload: { amount: '10.17' } });
    await key(terminal.page, 'Swipe').click();
    await sign(terminal.page);
    const { msg } = await flow.answer(count + 1);
    assert.equal(msg.payload.signature.kind, 'url');
    const address = msg.payload.signature.value;
    const answer = await simulator.send({ method: 'GET', url: address, headers: {}, timeoutMs: 1000 });
    assert.match(answer.body, /<path d="M\d+(\.\d)? \d+(\.\d)?L/);
  });

  it('tears off the receipt of what was paid', async () => {
    await terminal.page.getByRole('button', { name: 'Tear off the receipt' }).click();
    const copy = terminal.page.getByRole('dialog').getByRole('region', { name: 'Customer copy' });
    assert.match((await copy.textContent()) ?? '', /EUR 10\.17[\s\S]*AUTHORISED/);
    await terminal.page.getByRole('button', { name: 'Close' }).click();
    await terminal.page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('shows in its ledger what the bank has', async () => {
    const { page } = terminal;
    await page.getByRole('tab', { name: 'Ledger' }).click();
    const net = (simulator.bank.netMoved() / 100).toFixed(2);
    await page.locator('.total').getByText(`€${net}`).waitFor();
    assert.equal(await page.locator('.ledger tbody tr').count(), simulator.bank.entries().length);
  });

  it('says nothing wrong in the console', () => {
    const serious = terminal.errors.filter((text) => !text.includes('409'));
    assert.deepEqual(serious, []);
  });
});
