import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../harness/browser.js';
import { ROOT } from '../harness/node-red.js';
import { virtualTerminal } from '../harness/virtual-terminal.js';

describe('the virtual terminal of the command', () => {
  let command: ChildProcess;
  let browser: Browser;
  let address: string;

  before(async () => {
    const cli = join(ROOT, 'dist/simulator/cli.js');
    command = spawn(process.execPath, [cli, '--port', '0', '--tap-after', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    assert.ok(command.stdout);
    for await (const line of createInterface({ input: command.stdout })) {
      const found = /^virtual terminal: (\S+)$/.exec(line)?.[1];
      if (found === undefined) continue;
      address = found;
      break;
    }
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    command.kill('SIGKILL');
  });

  it('is at the address that the command prints, and follows what happens', async () => {
    const { page, errors } = await virtualTerminal(browser);
    await page.goto(new URL('/', address).href);
    await page.getByText('Ready for the next payment').waitFor();
    assert.equal(page.url(), address);
    await fetch(new URL('/api/transactions', address), {
      method: 'POST',
      headers: { ApiKeyCloud: 'simulator', 'content-type': 'application/json' },
      body: JSON.stringify({
        operation: 'sale',
        serial_number: '10000001',
        terminal_type: 'SIMULATEDT1',
        amount: '1500',
        currency: 'EUR',
      }),
    });
    await page.getByText('Approved').first().waitFor();
    await page.getByRole('tab', { name: 'Ledger' }).click();
    await page.locator('.total').getByText('€15.00').waitFor();
    assert.deepEqual(errors, []);
  });

  it('polls where something on the way holds the stream back', async () => {
    const { page } = await virtualTerminal(browser);
    await page.route('**/simulator/events', () => undefined);
    await page.goto(address);
    await page.locator('.live').getByText('Connected').waitFor();
  });

  it('keeps the cardholder that was chosen while views from before the choice come in', async () => {
    const { page } = await virtualTerminal(browser);
    const before = await (await fetch(new URL('/simulator/view', address))).text();
    let answered: () => void = () => undefined;
    await page.route('**/simulator/events', () => undefined);
    await page.route('**/simulator/view', async (route) => {
      await route.fulfill({ body: before, contentType: 'application/json' });
      answered();
    });
    await page.goto(address);
    await page.locator('.live').getByText('Connected').waitFor();
    const choice = page.getByRole('radio', { name: 'I pay' });
    const noted = page.waitForResponse((answer) => answer.request().method() === 'POST');
    await choice.click();
    await noted;
    for (let views = 0; views < 2; views++) {
      await new Promise<void>((resolve) => {
        answered = resolve;
      });
    }
    assert.equal(await choice.isChecked(), true);
    await page.unroute('**/simulator/view');
    await page.getByRole('radio', { name: 'Automatic' }).click();
    await page.getByRole('radio', { name: 'Automatic', checked: true }).waitFor();
    await page.context().close();
  });

  it('says when the simulator is gone', async () => {
    const { page } = await virtualTerminal(browser);
    await page.goto(address);
    await page.locator('.live').getByText('Connected').waitFor();
    const ended = once(command, 'exit');
    command.kill('SIGTERM');
    await ended;
    await page.locator('.live').getByText('No connection').waitFor();
  });
});
