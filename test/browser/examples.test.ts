import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.js';
import { closeDialog, type EditorGlobal, type EditorNode, openDialog, openEditor } from '../harness/editor.js';
import { DASHBOARD, ROOT, type RunningNodeRed, startNodeRed } from '../harness/node-red.js';

interface FlowNode {
  id: string;
  type: string;
}

const ALL: FlowNode[] = readdirSync(join(ROOT, 'examples')).flatMap((file) =>
  JSON.parse(readFileSync(join(ROOT, 'examples', file), 'utf8')),
);
/** All of them at once, as an editor has them that imported one after the other: config nodes that it knows stay as they are. */
const FLOWS = [...new Map(ALL.map((node) => [node.id, node])).values()];
const NODES = FLOWS.filter(({ type }) => type.startsWith('payment-'));

/** One of each type: the last, which is one of a story's where there is one. */
const SAMPLES = NODES.filter(({ id, type }) => id === NODES.findLast((node) => node.type === type)?.id);

describe('the examples, in the editor', () => {
  let nodeRed: RunningNodeRed;
  let browser: Browser;
  let page: Page;

  before(async () => {
    browser = await openBrowser();
    nodeRed = await startNodeRed({ flows: FLOWS, settings: { nodesDir: [ROOT, DASHBOARD] } });
    ({ page } = await openEditor(browser, nodeRed.url, String(NODES[0]?.id)));
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });

  it('share their config nodes, all with a name, and nothing else twice', () => {
    const configs = FLOWS.filter(({ type }) => isConfig(type)) as (FlowNode & { name: string })[];
    assert.equal(configs.length, 4, 'one set for all, and one for the end of the day');
    assert.ok(configs.every(({ name }) => name !== ''));
    const shared = new Set(configs.map(({ id }) => id));
    const others = ALL.map(({ id }) => id).filter((id) => !shared.has(id));
    assert.equal(new Set(others).size, others.length);
  });

  it('fit the canvas of a window of 1366 px, a small laptop, with the sidebar open', async () => {
    await page.setViewportSize({ width: 1366, height: 768 });
    const wide = await page.evaluate(`
      (async () => {
        const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        const wide = [];
        for (const tab of RED.nodes.getWorkspaceOrder()) {
          RED.workspaces.show(tab);
          RED.view.redraw(true);
          await drawn();
          const room = document.querySelector('#red-ui-workspace-chart').clientWidth;
          for (const node of RED.nodes.filterNodes({ z: tab })) {
            // The button of a debug node stands out on the right.
            const button = node._def.align === 'right' && node._def.button ? 25 : 0;
            if (node.x + node.w / 2 + button > room) wide.push(RED.nodes.workspace(tab).label + ': ' + (node.name || node.type));
          }
        }
        return wide;
      })()
    `);
    assert.deepEqual(wide, []);
  });

  it('lay no node over another', async () => {
    const pairs = await page.evaluate(`
      (async () => {
        const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        const pairs = [];
        for (const tab of RED.nodes.getWorkspaceOrder()) {
          RED.workspaces.show(tab);
          RED.view.redraw(true);
          await drawn();
          const nodes = RED.nodes.filterNodes({ z: tab });
          for (const a of nodes) {
            for (const b of nodes.slice(nodes.indexOf(a) + 1)) {
              const beside = Math.abs(a.x - b.x) >= (a.w + b.w) / 2 + 10;
              const above = Math.abs(a.y - b.y) >= (a.h + b.h) / 2 + 2;
              if (!beside && !above) pairs.push([a, b].map((node) => node.name || node.type).join(', '));
            }
          }
        }
        return pairs;
      })()
    `);
    assert.deepEqual(pairs, []);
  });

  for (const { id, type } of SAMPLES) {
    it(`${type} ${id}: a dialog that is opened and closed changes nothing`, async () => {
      const before = await stateOf(page, id);
      await openDialog(page, id, isConfig(type) ? type : undefined);
      await closeDialog(page, isConfig(type) ? 'config' : 'node');
      const now = await stateOf(page, id);
      assert.deepEqual(now, before);
      assert.deepEqual([now.isChanged, now.valid, now.problems], [false, true, []]);
    });
  }
});

function isConfig(type: string): boolean {
  return ['payment-environment', 'payment-terminal', 'payment-journal'].includes(type);
}

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
