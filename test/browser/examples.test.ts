import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.js';
import { closeDialog, type EditorGlobal, type EditorNode, openDialog, openEditor } from '../harness/editor.js';
import { ROOT, type RunningNodeRed, startNodeRed } from '../harness/node-red.js';

interface FlowNode {
  id: string;
  type: string;
}

const FLOWS: FlowNode[] = readdirSync(join(ROOT, 'examples')).flatMap((file) =>
  JSON.parse(readFileSync(join(ROOT, 'examples', file), 'utf8')),
);
const NODES = FLOWS.filter(({ type }) => type.startsWith('payment-'));

/** One of each type: the last, which is one of a story's where there is one. */
const SAMPLES = NODES.filter(({ id, type }) => id === NODES.findLast((node) => node.type === type)?.id);

describe('the examples, in the editor', () => {
  let nodeRed: RunningNodeRed;
  let browser: Browser;
  let page: Page;

  before(async () => {
    const editorTheme = { tours: false, palette: { catalogues: [] } };
    browser = await openBrowser();
    nodeRed = await startNodeRed({ flows: FLOWS, settings: { editorTheme } });
    ({ page } = await openEditor(browser, nodeRed.url, String(NODES[0]?.id)));
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });

  for (const { id, type } of SAMPLES) {
    it(`${type} ${id}: a dialog that is opened and closed changes nothing`, async () => {
      const isConfig = ['payment-environment', 'payment-terminal', 'payment-journal'].includes(type);
      const before = await stateOf(page, id);
      await openDialog(page, id, isConfig ? type : undefined);
      await closeDialog(page, isConfig ? 'config' : 'node');
      const now = await stateOf(page, id);
      assert.deepEqual(now, before);
      assert.deepEqual([now.isChanged, now.valid, now.problems], [false, true, []]);
    });
  }
});

interface State {
  isChanged: boolean;
  valid: boolean;
  problems: string[];
  exported: object;
}

interface Editing extends EditorGlobal {
  nodes: EditorGlobal['nodes'] & { convertNode(node: object, options: object): object };
}

function stateOf(page: Page, id: string): Promise<State> {
  return page.evaluate((node) => {
    const { RED } = globalThis as unknown as { RED: Editing };
    const found = RED.nodes.node(node) as (EditorNode & { changed?: boolean; _def: { credentials?: object } }) | null;
    if (found === null) throw new Error(`no node ${node}`);
    return {
      // Any node with passwords counts as changed for Node-RED, where none were ever stored.
      isChanged: found.changed === true && found._def.credentials === undefined,
      valid: found.valid,
      problems: found.validationErrors ?? [],
      exported: RED.nodes.convertNode(found, { credentials: false }),
    };
  }, id);
}
