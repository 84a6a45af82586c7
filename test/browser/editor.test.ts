import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.js';
import {
  closeDialog,
  deploy,
  type Editor,
  type EditorGlobal,
  type EditorNode,
  openDialog,
  openEditor,
} from '../harness/editor.js';
import { ROOT, type RunningNodeRed, startNodeRed } from '../harness/node-red.js';

const FLOWS = [
  { id: 'tab', type: 'tab', label: 'payments' },
  { id: 'environment', type: 'payment-environment', kind: 'simulator', currency: 'EUR', group: 'B' },
  { id: 'journal', type: 'payment-journal', keepDays: 400 },
  { id: 'terminal', type: 'payment-terminal', environment: 'environment', serialNumber: '10000001' },
  { id: 'sale', type: 'payment-sale', z: 'tab', x: 200, y: 80, terminal: 'terminal', wires: [[], [], []] },
  { id: 'tipped', type: 'payment-sale', z: 'tab', x: 200, y: 160, tipPercentages: '10, 15', wires: [[], [], []] },
  { id: 'priced', type: 'payment-sale', z: 'tab', x: 200, y: 320, terminal: 'terminal', wires: [[], [], []] },
  { id: 'callback', type: 'payment-callback-in', z: 'tab', x: 200, y: 240, environment: 'environment', wires: [[]] },
];

/** Every other node, as it comes from the palette. */
const SETS: string[] = Object.keys(require(join(ROOT, 'package.json'))['node-red'].nodes);
const OTHERS = SETS.filter((type) => !FLOWS.some((node) => node.type === type)).map((type, place) => {
  return { id: type, type, z: 'tab', x: 500, y: 80 + 60 * place, wires: [] };
});

const CONFIG_NODES = ['environment', 'journal', 'terminal'];

describe('the editor', () => {
  let nodeRed: RunningNodeRed;
  let browser: Browser;
  let editor: Editor;
  let page: Page;

  before(async () => {
    browser = await openBrowser();
    nodeRed = await startNodeRed({ flows: [...FLOWS, ...OTHERS] });
    editor = await openEditor(browser, nodeRed.url, 'sale');
    page = editor.page;
  });

  afterEach(() => {
    assert.deepEqual(editor.errors, [], 'the console has no error');
  });

  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });

  it('offers the nodes in a category of their own, with icon and help', async () => {
    for (const type of SETS.filter((one) => !CONFIG_NODES.includes(one.replace('payment-', '')))) {
      const entry = page.locator(
        `#red-ui-palette-container-payments .red-ui-palette-node[data-palette-type="${type}"]`,
      );
      await entry.waitFor();
      const icon = await entry.locator('.red-ui-palette-icon').getAttribute('style');
      assert.match(icon ?? '', /payment-[a-z-]+\.svg/);
    }
    const helps = await page.evaluate(
      (names) => {
        const { RED } = globalThis as unknown as { RED: EditorGlobal };
        return names.map((name) => RED.nodes.getNodeHelp(`payment-${name}`));
      },
      [...CONFIG_NODES, 'sale', 'callback-in'],
    );
    for (const help of helps) assert.match(help, /<h3[^>]*>Outputs<\/h3>/);
  });

  it('tells in the help what leaves by which output', async () => {
    const help = await page.evaluate(() => {
      const { RED } = globalThis as unknown as { RED: EditorGlobal };
      return RED.nodes.getNodeHelp('payment-sale');
    });
    const ports = /<ol class="node-ports">([\s\S]*?)<\/ol>/.exec(help)?.[1] ?? '';
    assert.equal(ports.match(/<dl class="message-properties">/g)?.length, 4, ports);
  });

  it('names the three outputs of a sale', async () => {
    const labels = await page.evaluate(() => {
      const { RED } = globalThis as unknown as { RED: EditorGlobal };
      const node = RED.nodes.node('sale');
      return [0, 1, 2].map((index) => node?._def.outputLabels?.call(node, index));
    });
    assert.deepEqual(labels, ['done: the money moved', 'not done: it certainly did not', 'needs attention']);
  });

  it('gives a sale a fourth output, and takes it away, as its dialog says', async () => {
    const outputsOf = (id: string): Promise<unknown> =>
      page.evaluate((node) => {
        const { RED } = globalThis as unknown as { RED: EditorGlobal };
        const { outputs, _def } = RED.nodes.node(node) ?? {};
        return [outputs, _def?.outputLabels?.call(RED.nodes.node(node) as EditorNode, 3)];
      }, id);
    for (const id of ['priced', 'payment-tip']) {
      for (const outputs of [4, 3]) {
        await openDialog(page, id);
        const group = page.locator('#payment-group-order');
        if ((await group.getAttribute('open')) === null) await group.locator('summary').click();
        await page.locator('#node-input-progress').setChecked(outputs === 4);
        await closeDialog(page, 'node');
        assert.deepEqual(await outputsOf(id), [outputs, 'progress']);
        assert.equal(await page.locator(`#red-ui-workspace [id="${id}"] .red-ui-flow-port-output`).count(), outputs);
      }
    }
    assert.deepEqual(await outputsOf('tipped'), [3, 'progress'], 'a node of an older flow');
  });

  it('says of each value what is wrong with it, and marks the node', async () => {
    await openDialog(page, 'sale');
    await setTyped(page, 'amount', 'num', '12,50');
    await setTyped(page, 'deadline', 'num', '5');
    await setTyped(page, 'merchantAuth', 'json', '[{');
    await setTyped(page, 'currency', 'str', '');
    await closeDialog(page, 'node');
    const { valid, problems } = await stateOf(page, 'sale');
    assert.equal(valid, false);
    assert.equal(problems.length, 3, problems.join('\n'));
    assert.match(problems.join('\n'), /Amount: expected an amount such as 12\.50/);
    assert.match(problems.join('\n'), /Deadline \(s\): expected a number from 10 to 360/);
    assert.match(problems.join('\n'), /Merchant: /);
  });

  it('shows a node of an older flow with the defaults of what came later', async () => {
    assert.deepEqual((await stateOf(page, 'tipped')).problems, ['terminal']);
    await openDialog(page, 'tipped');
    assert.equal(await page.locator('#node-input-amount').inputValue(), 'payload.amount');
    assert.equal(await page.locator('#node-input-amountType').inputValue(), 'msg');
    assert.equal(await page.locator('#node-input-busyWait').inputValue(), '0');
    await closeDialog(page, 'node');
  });

  it('asks for an amount', async () => {
    await openDialog(page, 'sale');
    await setTyped(page, 'amount', 'num', '');
    await closeDialog(page, 'node');
    const { problems } = await stateOf(page, 'sale');
    assert.ok(problems.includes('Amount: enter a value'), problems.join('\n'));
  });

  const CONSTANTS: [constants: Record<string, [type: string, value: string]>, problem?: RegExp][] = [
    [{ currency: ['str', 'euro'] }, /^Currency: expected an ISO 4217 currency code such as EUR$/],
    [{ currency: ['str', 'XXX'] }, /^Currency: expected an ISO 4217/],
    [{ currency: ['env', 'XXX'] }],
    [{ tipPercentages: ['str', 'zzz'] }, /: expected whole numbers from 0 to 100 such as 10, 15, 20$/],
    [{ tipPercentages: ['str', '10, 101'] }, /: expected whole numbers from 0 to 100/],
    [{ tipPercentages: ['str', '10,15 , 20'] }],
    [{ amount: ['num', '0.00'] }, /^Amount: expected an amount above 0$/],
    [{ amount: ['num', '12.505'] }],
    [{ amount: ['num', '12.505'], currency: ['str', 'EUR'] }, /^Amount: expected at most 2 decimals$/],
    [{ amount: ['num', '12.505'], currency: ['str', 'KWD'] }],
    [{ amount: ['num', '12.50505'] }, /^Amount: expected at most 4 decimals$/],
    [{ amount: ['num', '12.50'], unit: ['str', 'minor'] }, /^Amount: expected a whole number of minor units/],
    [{ amount: ['num', '12.50'], unit: ['msg', 'unit'] }],
    [{ tipBase: ['num', '0'] }],
  ];
  for (const [constants, problem] of CONSTANTS) {
    it(`finds ${JSON.stringify(constants)} ${problem === undefined ? 'right' : 'wrong'}`, async () => {
      const start = {
        amount: ['num', '1'],
        unit: ['str', 'major'],
        currency: ['str', ''],
        tipPercentages: ['str', ''],
      };
      await openDialog(page, 'priced');
      for (const [name, [type, value]] of Object.entries({ ...start, ...constants })) {
        await setTyped(page, name, String(type), String(value));
      }
      await closeDialog(page, 'node');
      const { problems } = await stateOf(page, 'priced');
      assert.equal(problems.length, problem === undefined ? 0 : 1, problems.join());
      assert.match(problems.join(), problem ?? /^$/);
    });
  }

  it('keeps what is typed into a dialog, with the type of its source', async () => {
    await openDialog(page, 'sale');
    await setTyped(page, 'amount', 'jsonata', 'payload.net * 2');
    await setTyped(page, 'operation', 'str', 'saleAndTokenizeCard');
    await setTyped(page, 'deadline', 'env', 'DEADLINE');
    await setTyped(page, 'merchantAuth', 'json', '[{"externalId":"shop-2"}]');
    await page.locator('#node-input-customerReference').fill('{{payload.order}}');
    await closeDialog(page, 'node');
    assert.deepEqual(await stateOf(page, 'sale'), { valid: true, problems: [] });
    await deploy(page);
    const flows = JSON.parse(await readFile(join(nodeRed.userDir, 'flows.json'), 'utf8'));
    const saved = flows.find((node: { id: string }) => node.id === 'sale');
    assert.equal(saved.amount, 'payload.net * 2');
    assert.equal(saved.amountType, 'jsonata');
    assert.equal(saved.operation, 'saleAndTokenizeCard');
    assert.equal(saved.deadlineType, 'env');
    assert.equal(saved.merchantAuth, '[{"externalId":"shop-2"}]');
    assert.equal(saved.customerReference, '{{payload.order}}');
  });

  it('folds what is rarely needed, and opens what holds something', async () => {
    await openDialog(page, 'tipped');
    const open = (group: string) =>
      page.locator(`#payment-group-${group}`).evaluate((element) => 'open' in element && element.open);
    assert.equal(await open('tip'), true);
    assert.equal(await open('metadata'), false);
    await closeDialog(page, 'node');
  });

  it('asks for the addresses of a service, but not for those of the simulator', async () => {
    await openDialog(page, 'environment', 'payment-environment');
    const address = page.locator('#node-config-input-baseUrl');
    assert.equal(await address.isVisible(), false);
    await setTyped(page, 'kind', 'str', 'staging', 'node-config-input');
    await address.waitFor();
    await page.locator('#node-config-input-statusUrl').fill('http://example.com');
    await page.locator('#node-config-input-currency').fill('euro');
    await closeDialog(page, 'config');
    const { problems } = await stateOf(page, 'environment');
    assert.deepEqual(problems, [
      'Service: enter a value',
      'Status service: expected an https address such as https://example.com',
      'Currency: expected an ISO 4217 currency code such as EUR',
    ]);
  });

  it('keeps the key out of the flow, never shows it again, and takes a variable for the kind', async () => {
    await openDialog(page, 'environment', 'payment-environment');
    await page.locator('#node-config-input-apiKey').fill('planted-key');
    await setTyped(page, 'kind', 'env', 'PAYMENTS', 'node-config-input');
    await closeDialog(page, 'config');
    await deploy(page);
    const flows = await readFile(join(nodeRed.userDir, 'flows.json'), 'utf8');
    assert.doesNotMatch(flows, /planted-key/);
    assert.match(flows, /"kind": ?"\$\{PAYMENTS\}"/);
    await openDialog(page, 'environment', 'payment-environment');
    assert.equal(await page.locator('#node-config-input-kind').inputValue(), 'PAYMENTS');
    assert.equal(
      await page.locator('#node-config-input-baseUrl.input-error').count(),
      0,
      'what a variable asks for is not known',
    );
    await closeDialog(page, 'config');
    const answer = await fetch(`${nodeRed.url}/credentials/payment-environment/environment`);
    assert.deepEqual(await answer.json(), { has_apiKey: true, has_secondApiKey: false, has_callbackSecret: false });
  });

  it('finds nothing wrong with what it hides', async () => {
    await openDialog(page, 'environment', 'payment-environment');
    await setTyped(page, 'kind', 'str', 'live', 'node-config-input');
    await page.locator('#node-config-input-baseUrl').fill('pay.example.com');
    await page.locator('#node-config-input-currency').fill('EUR');
    await setTyped(page, 'kind', 'str', 'simulator', 'node-config-input');
    await closeDialog(page, 'config');
    assert.deepEqual(await stateOf(page, 'environment'), { valid: true, problems: [] });
    assert.equal((await stateOf(page, 'terminal')).valid, true);
  });
});

/** Chooses the source of a typed field and its value, as its widget's menu does. */
async function setTyped(page: Page, name: string, type: string, value: string, prefix = 'node-input'): Promise<void> {
  await page.evaluate(
    ([field, valueType, text]) => {
      interface Typed {
        typedInput(option: string, value: unknown): void;
      }
      const { $ } = globalThis as unknown as { $: (selector: string) => Typed };
      $(`#${field}`).typedInput('type', valueType);
      $(`#${field}`).typedInput('value', text);
    },
    [`${prefix}-${name}`, type, value],
  );
}

async function stateOf(page: Page, id: string): Promise<{ valid: boolean; problems: string[] }> {
  return page.evaluate((node) => {
    const { RED } = globalThis as unknown as { RED: EditorGlobal };
    const found = RED.nodes.node(node);
    return { valid: found?.valid === true, problems: found?.validationErrors ?? [] };
  }, id);
}
