import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { seriousFaults } from '../harness/axe.js';
import { openBrowser } from '../harness/browser.js';
import { cutOff, ZOOMED } from '../harness/cut-off.js';
import { closeDialog, type EditorGlobal, type Look, openDialog, openEditor } from '../harness/editor.js';
import { ROOT, type RunningNodeRed, startNodeRed } from '../harness/node-red.js';

/** Every dialog, in every language, in light and dark, at 100 % and 200 %. */

const CONFIG = ['environment', 'terminal', 'journal'];
const TYPES: string[] = Object.keys(require(`${ROOT}/package.json`)['node-red'].nodes);
const OTHER_LOOKS = [
  { language: 'de', theme: 'dark' },
  { language: 'fr', theme: 'light' },
  { language: 'es-ES', theme: 'dark' },
  { language: 'ja', theme: 'light' },
] as const;

const OPEN_GROUPS = "document.querySelectorAll('.red-ui-tray details').forEach((group) => (group.open = true))";

const SECRETS = {
  environment: { apiKey: 'planted-key-5501', callbackSecret: 'planted-secret-5502' },
  journal: { address: 'postgresql://payments:planted-secret-5503@127.0.0.1:1/payments' },
};

const FLOWS = [
  { id: 'tab', type: 'tab', label: 'payments' },
  { id: 'environment', type: 'payment-environment', kind: 'simulator', currency: 'EUR', group: 'B' },
  { id: 'journal', type: 'payment-journal', keepDays: 400 },
  {
    id: 'terminal',
    type: 'payment-terminal',
    environment: 'environment',
    serialNumber: '10000001',
    terminalType: 'SIMULATEDT1',
  },
  ...TYPES.filter((type) => !isConfig(type)).map((type, place) => {
    const used = { terminal: 'terminal', environment: 'environment' };
    return { id: idOf(type), type, z: 'tab', x: 300, y: 60 + 60 * place, ...used, wires: [] };
  }),
  { id: 'fresh', type: 'payment-preauth', z: 'tab', x: 600, y: 60, wires: [[], [], []] },
];

describe('every dialog', () => {
  let nodeRed: RunningNodeRed;
  let browser: Browser;

  before(async () => {
    const languages = ['en-US', 'de', 'fr', 'es-ES', 'ja'];
    const editorTheme = { languages, codeEditor: { lib: 'ace' } };
    browser = await openBrowser();
    nodeRed = await startNodeRed({ flows: FLOWS, credentials: SECRETS, settings: { editorTheme } });
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });

  async function eachDialog(look: Look, visit: (page: Page, type: string) => Promise<void>): Promise<void> {
    const editor = await openEditor(browser, nodeRed.url, 'sale', look);
    // No dialog of Node-RED has room beside the sidebar there, its own included.
    if (look.viewport !== undefined) await editor.page.evaluate("RED.actions.invoke('core:toggle-sidebar', false)");
    for (const type of TYPES) {
      await open(editor.page, type);
      await visit(editor.page, type);
    }
    assert.deepEqual(editor.errors, [], 'the console has no error');
    await editor.page.close();
  }

  it('shows every text, is valid as it is, saves, and opens again as it was saved', async () => {
    await eachDialog({ language: 'en-US', theme: 'light' }, async (page, type) => {
      await showsEveryText(page, type);
      const opened = await held(page);
      assert.ok(Object.keys(opened).length > 1, `${type}: a dialog with fields`);
      const before = await kept(page, type);
      await close(page, type);
      const { valid, values, secrets } = await kept(page, type);
      assert.equal(valid, true, `${type}: what its defaults say is valid`);
      assert.deepEqual(values, { ...before.values, ...values }, `${type}: what was there has stayed`);
      assert.deepEqual(secrets, before.secrets, `${type}: its secrets are neither shown nor lost`);
      await open(page, type);
      assert.deepEqual(await held(page), opened, `${type}: opens as it was saved`);
      await close(page, type);
    });
  });

  for (const look of OTHER_LOOKS) {
    it(`shows every text: ${look.language}, ${look.theme}`, async () => {
      await eachDialog(look, async (page, type) => {
        await showsEveryText(page, type);
        await close(page, type);
        assert.equal((await kept(page, type)).valid, true, `${type}: what its defaults say is valid`);
      });
    });
  }

  for (const look of [{ language: 'en-US', theme: 'light' } as const, ...OTHER_LOOKS]) {
    it(`has nothing cut off where the editor is zoomed to 200 %: ${look.language}`, async () => {
      await eachDialog({ ...look, viewport: ZOOMED }, async (page, type) => {
        await page.evaluate(OPEN_GROUPS);
        assert.deepEqual(await cutOff(page, '.red-ui-tray-body form'), [], type);
        await close(page, type);
      });
    });
  }

  for (const theme of ['light', 'dark'] as const) {
    it(`has nothing that a screen reader or weak eyes would trip over: ${theme}`, async () => {
      await eachDialog({ language: 'en-US', theme }, async (page, type) => {
        await page.evaluate(OPEN_GROUPS);
        assert.deepEqual(await seriousFaults(page, '.red-ui-tray-body .form-row'), [], type);
        await close(page, type);
      });
    });
  }

  it('selects the only terminal, shows what applies to the operation, and calls the node by it', async () => {
    const { page } = await openEditor(browser, nodeRed.url, 'sale');
    await openDialog(page, 'fresh');
    const row = (name: string) => page.locator('.red-ui-tray .form-row', { has: page.locator(`#node-input-${name}`) });
    assert.equal(await page.locator('#node-input-terminal').inputValue(), 'terminal');
    assert.deepEqual([await row('original').isVisible(), await row('tip').isVisible()], [false, false]);
    await page.evaluate("document.querySelector('#payment-group-waiting').open = true");
    const waits = async () => [await row('busyWait').isVisible(), await row('startWithin').isVisible()];
    assert.deepEqual(await waits(), [true, false]);
    assert.equal(await page.locator('#payment-group-card').isVisible(), true);
    await page.evaluate("$('#node-input-operation').typedInput('value', 'capture')");
    assert.deepEqual([await row('original').isVisible(), await row('tip').isVisible()], [true, true]);
    assert.deepEqual(await waits(), [false, true]);
    assert.equal(await page.locator('#payment-group-card').isVisible(), false);
    // What only the run time knows may be any of them.
    await page.evaluate("$('#node-input-operation').typedInput('type', 'msg')");
    assert.deepEqual(await waits(), [true, true]);
    await page.evaluate("$('#node-input-operation').typedInput('type', 'str').typedInput('value', 'capture')");
    await closeDialog(page, 'node');
    const label = await page.evaluate("(() => { const n = RED.nodes.node('fresh'); return n._def.label.call(n); })()");
    assert.equal(label, 'capture');
    await page.close();
  });

  it('shows examples of what can be typed, and says what nobody would hear', async () => {
    const { page } = await openEditor(browser, nodeRed.url, 'sale');
    await openDialog(page, 'sale');
    assert.equal(
      await page.locator('#node-input-customerReference').getAttribute('placeholder'),
      '{{payload.customerReference}}',
    );
    const notice = page.locator('.payment-unheard');
    await notice.getByText('Output 3 (needs attention) is not wired').waitFor();
    await notice.getByText('No Catch node hears this node').waitFor();
    assert.deepEqual(await seriousFaults(page, '.payment-unheard'), []);
    await closeDialog(page, 'node');
    await page.close();
  });

  it('shows the texts of another language, not those of English', async () => {
    const { page } = await openEditor(browser, nodeRed.url, 'sale', { language: 'de', theme: 'light' });
    await openDialog(page, 'environment', 'payment-environment');
    await page.locator('.payment-test button', { hasText: 'Verbindung testen' }).waitFor();
    await page.close();
  });

  it('brings into sight what the test of a connection has found', async () => {
    const { page } = await openEditor(browser, nodeRed.url, 'sale');
    await page.setViewportSize({ width: 1280, height: 600 });
    await openDialog(page, 'environment', 'payment-environment');
    await page.evaluate("document.querySelectorAll('.red-ui-tray details').forEach((group) => (group.open = true))");
    await page.locator('.payment-test button').click();
    const last = page.locator('.payment-findings li[data-state]').last();
    await last.waitFor();
    const isMet = await last.evaluate((line) => {
      const { left, bottom } = line.getBoundingClientRect();
      return line.contains(line.ownerDocument.elementFromPoint(left + 20, bottom - 4));
    });
    assert.ok(isMet, 'the last finding is in sight');
    await page.close();
  });

  it('has room for what the test of a connection says of itself', async () => {
    const { page } = await openEditor(browser, nodeRed.url, 'sale');
    await openDialog(page, 'environment', 'payment-environment');
    await page.route('**/environments/environment/test', () => undefined);
    await page.locator('.payment-test button').click();
    const message = page.locator('.payment-findings li', { hasText: 'Testing' });
    await message.waitFor();
    const lines = await message.evaluate((item) => {
      const range = item.ownerDocument.createRange();
      range.selectNodeContents(item);
      return range.getClientRects().length;
    });
    assert.equal(lines, 1);
    await page.close();
  });
});

async function open(page: Page, type: string): Promise<void> {
  await openDialog(page, idOf(type), isConfig(type) ? type : undefined);
}

async function close(page: Page, type: string): Promise<void> {
  await closeDialog(page, isConfig(type) ? 'config' : 'node');
}

/** No text of the open dialog is missing, nor is a key in its place. */
async function showsEveryText(page: Page, type: string): Promise<void> {
  const whole = await page.locator('.red-ui-tray-body').last().textContent();
  assert.doesNotMatch(whole ?? '', /(^|\s)(label|hint|option|group|test|devices|live)\.[a-z]/, `${type}: not a key`);
  const texts = await page.locator('.red-ui-tray label, .red-ui-tray summary, .red-ui-tray option').allTextContents();
  assert.ok(texts.length > 3, `${type}: a dialog of ${texts.length} texts`);
  for (const text of texts)
    assert.doesNotMatch(text, /^\s*($|(label|hint|option|group|node-red:.*)\.)/, `${type}: a text`);
}

/** What the fields of the open dialog hold, by their ids. */
async function held(page: Page): Promise<Record<string, string>> {
  const fields = page.locator(
    '.red-ui-tray-body [id^="node-input-"]:is(input, select), .red-ui-tray-body [id^="node-config-input-"]:is(input, select)',
  );
  return fields.evaluateAll((elements) =>
    Object.fromEntries(
      elements.map((element) => {
        const { id, type, checked, value } = element as unknown as Record<string, unknown>;
        return [id, type === 'checkbox' ? String(checked) : String(value)];
      }),
    ),
  );
}

/** What the editor keeps of a node. */
async function kept(
  page: Page,
  type: string,
): Promise<{ valid: boolean; values: Record<string, unknown>; secrets: unknown }> {
  return page.evaluate((node) => {
    const { RED } = globalThis as unknown as { RED: EditorGlobal };
    const found = RED.nodes.node(node) as unknown as Record<string, unknown> & {
      valid: boolean;
      credentials?: Record<string, unknown>;
      _def: { defaults: Record<string, unknown> };
    };
    const names = Object.keys(found._def.defaults).filter((name) => found[name] !== undefined);
    const values = Object.fromEntries(names.map((name) => [name, String(found[name])]));
    const { _: _before, ...secrets } = found.credentials ?? {};
    return { valid: found.valid, values, secrets };
  }, idOf(type));
}

function isConfig(type: string): boolean {
  return CONFIG.includes(idOf(type));
}

function idOf(type: string): string {
  return type.replace('payment-', '');
}
