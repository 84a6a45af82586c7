import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../helpers/browser.js';
import { closeDialog, type EditorGlobal, openDialog, openEditor } from '../helpers/editor.js';
import { ROOT, type RunningNodeRed, startNodeRed } from '../helpers/node-red.js';

interface FlowNode {
  id: string;
  type: string;
}

const FLOWS: FlowNode[] = readdirSync(join(ROOT, 'examples')).flatMap((file) =>
  JSON.parse(readFileSync(join(ROOT, 'examples', file), 'utf8')),
);
const NODES = FLOWS.filter(({ type }) => type.startsWith('payment-'));

/** The first and the last of each type: they are filled in differently. */
const SAMPLES = NODES.filter(({ id, type }) => {
  const alike = NODES.filter((node) => node.type === type);
  return id === alike[0]?.id || id === alike.at(-1)?.id;
});

describe('the examples, in the editor', () => {
  let nodeRed: RunningNodeRed;
  let browser: Browser;
  let page: Page;

  before(async () => {
    const editorTheme = { tours: false, palette: { catalogues: [] } };
    [nodeRed, browser] = await Promise.all([startNodeRed({ flows: FLOWS, settings: { editorTheme } }), openBrowser()]);
    ({ page } = await openEditor(browser, nodeRed.url, String(NODES[0]?.id)));
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });

  for (const { id, type } of SAMPLES) {
    it(`${type} ${id}: a dialog that is opened and closed changes nothing`, async () => {
      const isConfig = ['payment-environment', 'payment-terminal', 'payment-journal'].includes(type);
      await openDialog(page, id, isConfig ? type : undefined);
      await closeDialog(page, isConfig ? 'config' : 'node');
      assert.deepEqual(await stateOf(page, id), { isChanged: false, valid: true, problems: [] });
    });
  }
});

function stateOf(page: Page, id: string): Promise<object> {
  return page.evaluate((node) => {
    const { RED } = globalThis as unknown as { RED: EditorGlobal };
    const found = RED.nodes.node(node) as { changed?: boolean; valid: boolean; validationErrors?: string[] } | null;
    return { isChanged: found?.changed === true, valid: found?.valid, problems: found?.validationErrors ?? [] };
  }, id);
}
