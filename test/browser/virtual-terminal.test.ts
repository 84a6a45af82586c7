import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { ResultPayload } from '../../src/core/delivery/payload.js';
import { seriousFaults } from '../harness/axe.js';
import { openBrowser } from '../harness/browser.js';
import { login, PASSWORD, withLogin } from '../harness/login.js';
import { ROOT, type RunningNodeRed, startNodeRed } from '../harness/node-red.js';
import { type VirtualTerminal, virtualTerminal } from '../harness/virtual-terminal.js';

const PATH = '/payment-admin/virtual-terminal/';
const CONTROL = 'simulators/environment';
const LOOKING = [
  'simulators',
  ...['view', 'events', 'ledger', 'requests', 'callbacks', 'terminals'].map((what) => `${CONTROL}/${what}`),
];
const DOING = [`${CONTROL}/terminals/10000001`, `${CONTROL}/faults`, `${CONTROL}/faults/clear`, `${CONTROL}/variants`];

/** `POST /pay` is answered with what leaves the sale node. */
const FLOWS = [
  { id: 'tab', type: 'tab', label: 'till' },
  {
    id: 'environment',
    type: 'payment-environment',
    name: 'Simulated shop',
    kind: 'simulator',
    group: 'B',
    currency: 'EUR',
  },
  {
    id: 'terminal',
    type: 'payment-terminal',
    environment: 'environment',
    serialNumber: '10000001',
    terminalType: 'SIMULATEDT1',
  },
  { id: 'in', z: 'tab', type: 'http in', url: '/pay', method: 'post', x: 1, y: 1, wires: [['choose']] },
  {
    id: 'choose',
    z: 'tab',
    type: 'function',
    func: 'msg.terminal = msg.payload.terminal; return msg;',
    outputs: 1,
    libs: [],
    x: 1,
    y: 1,
    wires: [['sale']],
  },
  { id: 'sale', z: 'tab', type: 'payment-sale', terminal: 'terminal', x: 1, y: 1, wires: [['out'], ['out'], ['out']] },
  { id: 'out', z: 'tab', type: 'http response', x: 1, y: 1, wires: [] },
];

describe('the virtual terminal inside Node-RED', () => {
  let nodeRed: RunningNodeRed;
  let browser: Browser;

  before(async () => {
    browser = await openBrowser();
    nodeRed = await startNodeRed({ flows: FLOWS, settings: withLogin() });
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });

  async function pay(amount: string, serial = '10000001'): Promise<ResultPayload> {
    const terminal = { serial_number: serial, terminal_type: 'SIMULATEDT1' };
    const body = JSON.stringify({ amount, terminal });
    const answer = await fetch(`${nodeRed.url}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return (await answer.json()) as ResultPayload;
  }

  /** The page as somebody sees it who has signed in to the editor. */
  async function open(
    options: BrowserContextOptions = {},
    who: 'reader' | 'owner' = 'owner',
  ): Promise<VirtualTerminal> {
    const token = await login(nodeRed.url, who);
    const terminal = await virtualTerminal(browser, options);
    await terminal.page.addInitScript(
      `localStorage.setItem('auth-tokens', ${JSON.stringify(JSON.stringify({ access_token: token }))})`,
    );
    await terminal.page.goto(`${nodeRed.url}${PATH}`);
    return terminal;
  }

  async function ask(path: string, method: string, token?: string): Promise<number> {
    const answer = await fetch(`${nodeRed.url}${PATH}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(method === 'POST' ? { body: '{}' } : {}),
    });
    await answer.body?.cancel();
    return answer.status;
  }

  it('answers nobody who is not logged in, and lets nobody act who may only look', async () => {
    for (const path of LOOKING) assert.equal(await ask(path, 'GET'), 401, path);
    for (const path of DOING) assert.equal(await ask(path, 'POST'), 401, path);
    const reader = await login(nodeRed.url, 'reader');
    for (const path of LOOKING) assert.equal(await ask(path, 'GET', reader), 200, path);
    for (const path of DOING) assert.equal(await ask(path, 'POST', reader), 401, path);
  });

  it('answers no page of another site', async () => {
    const authorization = `Bearer ${await login(nodeRed.url, 'owner')}`;
    const headers = { authorization, origin: 'http://evil.example', 'content-type': 'application/json' };
    for (const [method, paths] of [
      ['GET', LOOKING],
      ['POST', DOING],
    ] as const) {
      for (const path of paths) {
        const answer = await fetch(`${nodeRed.url}${PATH}${path}`, { method, headers });
        assert.equal(answer.status, 403, path);
        await answer.body?.cancel();
      }
    }
  });

  it('takes nothing that a form of a foreign page could send, and no path that leads out of the page', async () => {
    const headers = { 'content-type': 'text/plain', authorization: `Bearer ${await login(nodeRed.url, 'owner')}` };
    const foreign = await fetch(`${nodeRed.url}${PATH}${CONTROL}/faults/clear`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    assert.equal(foreign.status, 415);
    for (const path of ['..%2fcli.js', 'texts/..%2f..%2fcli.js', 'texts', 'cli.js']) {
      assert.equal(await ask(path, 'GET'), 404, path);
    }
  });

  it('asks to sign in first, and is there once the editor has signed in', async () => {
    const { page } = await virtualTerminal(browser);
    await page.goto(`${nodeRed.url}${PATH}`);
    await page.getByText('Sign in to the editor').waitFor();
    await page.goto(nodeRed.url);
    await page.locator('#node-dialog-login-username').fill('owner');
    await page.locator('#node-dialog-login-password').fill(PASSWORD);
    await page.locator('#node-dialog-login-submit').click();
    await page.locator('#red-ui-workspace').waitFor();
    await page.goto(`${nodeRed.url}${PATH}`);
    await page.getByText('Ready for the next payment').waitFor();
    await page.context().close();
  });

  it('says who may only look that they may not act', async () => {
    const { page } = await open({}, 'reader');
    await page.getByRole('switch', { name: 'Request is lost' }).click();
    await page.getByRole('alert').getByText('payments.write').waitFor();
    assert.equal(await page.getByRole('switch', { name: 'Request is lost' }).isChecked(), false);
    await page.context().close();
  });

  it('is paid on by touch on a phone, and fits its screen', async () => {
    const { page, errors } = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await page.getByRole('radio', { name: 'I pay' }).tap();
    await page.getByRole('radio', { name: 'I pay', checked: true }).waitFor();
    const paid = pay('11.50');
    await page.getByRole('button', { name: 'Tap', exact: true }).tap();
    assert.equal((await paid).outcome, 'approved');
    await page.getByText('Approved').first().waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
    assert.deepEqual(errors, []);
    await page.context().close();
  });

  for (const [where, width, height] of [
    ['a laptop', 1280, 720],
    ['a phone', 390, 844],
  ] as const) {
    it(`has screen, keys and slot in sight at once on ${where}`, async () => {
      const { page } = await open({ viewport: { width, height } });
      const insert = await page.locator('.way-insert').boundingBox();
      assert.ok(insert !== null && insert.y + insert.height <= height, JSON.stringify(insert));
      await page.context().close();
    });
  }

  it('shows several terminals at once, each with a payment of its own', async () => {
    const { page } = await open();
    const shelf = page.getByRole('navigation', { name: 'Terminals' });
    await person(page);
    await shelf.getByRole('button', { name: '10000002' }).click();
    await person(page);
    const payments = [pay('12.01'), pay('12.02', '10000002')];
    await shelf.getByRole('button', { name: '10000001 €12.01 · Waiting for a card' }).waitFor();
    await shelf.getByRole('button', { name: '10000002 €12.02 · Waiting for a card' }).waitFor();
    await page.getByRole('button', { name: 'Tap', exact: true }).click();
    await shelf.getByRole('button', { name: '10000001' }).click();
    await page.locator('.screen').getByText('€12.01').waitFor();
    await page.locator('.keypad').getByRole('button', { name: 'Cancel' }).click();
    const [first, second] = await Promise.all(payments);
    assert.deepEqual([first?.outcome, second?.outcome], ['cancelled', 'approved']);
    await page.context().close();
  });

  it('pays by itself again once it is left to the automatic cardholder, even in the middle of a prompt', async () => {
    const { page } = await open();
    await person(page);
    const paid = pay('13.00');
    await page.locator('.screen').getByText('Tap, insert or swipe').waitFor();
    await page.getByRole('radio', { name: 'Automatic' }).check();
    assert.equal((await paid).outcome, 'approved');
    await page.context().close();
  });

  it('has one switch for who pays, says that no money is real, and brings into sight where a payment begins', async () => {
    const { page } = await open();
    await page.getByText('Simulator: no real money').waitFor();
    await person(page);
    const shelf = page.getByRole('navigation', { name: 'Terminals' });
    await shelf.getByRole('button', { name: '10000003' }).click();
    assert.equal(await page.getByRole('radio', { name: 'I pay' }).isChecked(), true);
    const paid = pay('12.03', '10000002');
    await shelf.locator('[aria-current=true]', { hasText: '10000002' }).waitFor();
    await page.locator('.screen').getByText('€12.03').waitFor();
    await page.locator('.keypad').getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await paid).outcome, 'cancelled');
    await page.context().close();
  });

  it('starts a test sale by itself', async () => {
    const { page } = await open();
    await person(page);
    await page.getByRole('button', { name: 'Start a test sale' }).click();
    await page.locator('.screen').getByText('€10.00').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Start a test sale' }).isDisabled(), true);
    await page.keyboard.press('Escape');
    await page.locator('.screen').getByText('Cancelled').waitFor();
    await page.context().close();
  });

  it('tells no secret: neither key nor token, no whole card number, no PIN', async () => {
    await pay('14.00');
    const headers = { authorization: `Bearer ${await login(nodeRed.url, 'owner')}` };
    const answer = await fetch(`${nodeRed.url}${PATH}${CONTROL}/view`, { headers });
    const view = await answer.text();
    const { requests, callbacks } = JSON.parse(view) as { requests: { body: object | null }[]; callbacks: object[] };
    assert.ok(requests.some(({ body }) => body !== null && 'callbackUrl' in body));
    assert.ok(callbacks.length > 0);
    assert.doesNotMatch(view, /ssk-|4111110000|"apikeycloud"|auth-token/i);
    assert.doesNotMatch(view, /"token":"(?!\[redacted\])/);
  });

  it('shows request and callback with what they said', async () => {
    const { page } = await open();
    await page.getByRole('tab', { name: 'Requests' }).click();
    await page.getByText('/transactions', { exact: true }).last().click();
    await page.locator('.log pre').getByText('"operation": "sale"').waitFor();
    await page.getByRole('tab', { name: 'Callbacks' }).click();
    await page.getByText('acknowledged').first().click();
    await page.locator('.log pre').getByText('"finStatus"').waitFor();
    await page.context().close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has no serious fault for a screen reader or a keyboard (${colorScheme})`, async () => {
      const { page } = await open({ colorScheme, bypassCSP: true });
      await person(page);
      assert.deepEqual(await seriousFaults(page, 'body'), []);
      const paid = pay(colorScheme === 'light' ? '37.57' : '61.65');
      await page.locator('.screen').getByText('Tap, insert or swipe').waitFor();
      assert.deepEqual(await seriousFaults(page, 'body'), []);
      await page.getByRole('button', { name: 'Tap', exact: true }).click();
      await page.locator('.screen[data-stage=partial], .screen[data-stage=insert-card]').waitFor();
      assert.deepEqual(await seriousFaults(page, 'body'), []);
      await page.locator('.keypad').getByRole('button', { name: 'Cancel' }).click();
      await paid;
      for (const tab of ['Ledger', 'Requests', 'Callbacks']) {
        await page.getByRole('tab', { name: tab }).click();
        assert.deepEqual(await seriousFaults(page, '.panel'), [], tab);
      }
      await page.context().close();
    });
  }

  for (const file of readdirSync(join(ROOT, 'src/simulator/page/texts'))) {
    const locale = file.replace('.json', '');
    it(`speaks ${locale} where the browser does`, async () => {
      const texts = JSON.parse(readFileSync(join(ROOT, 'src/simulator/page/texts', file), 'utf8'));
      const { page, errors } = await open({ locale });
      await page.getByText(texts['screen.ready']).waitFor();
      assert.equal(await page.title(), texts.title);
      assert.equal(await page.locator('html').getAttribute('lang'), locale);
      assert.deepEqual(errors, []);
      await page.context().close();
    });
  }
});

/** Whoever looks takes the place in front of the terminal. */
async function person(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'I pay' }).check();
  await page.getByRole('radio', { name: 'I pay', checked: true }).waitFor();
}
