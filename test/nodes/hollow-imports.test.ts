import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type RunningNodeRed, startNodeRed } from '../harness/node-red.js';
import { type Service, startService } from './flow.js';
import { pay, webFlow } from './web-flow.js';

/** What Node.js does now and then on a busy machine: an `import()` of a CommonJS module, here of ours or undici, has no names. */
const HOOK = `export const load = async (url, context, next) => {
  const loaded = await next(url, context);
  // The node files themselves are Node-RED's to load.
  const isOurs = /dist.(core|simulator|nodes.(admin|runtime|input))|undici/.test(url);
  if (loaded.format !== 'commonjs' || !isOurs) return loaded;
  return { format: 'module', source: 'export default {};', shortCircuit: true };
};`;

describe('a Node-RED in which an import() of CommonJS modules is hollow', () => {
  let service: Service;
  let folder: string;
  let nodeRed: RunningNodeRed;

  before(async () => {
    service = await startService();
    folder = await mkdtemp(join(tmpdir(), 'hollow-'));
    const preload = join(folder, 'preload.cjs');
    await writeFile(
      preload,
      `require('node:module').register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(HOOK)}`)});`,
    );
    nodeRed = await startNodeRed({
      flows: [...webFlow(service), { id: 'simulated', type: 'payment-environment', kind: 'simulator' }],
      credentials: { environment: { apiKey: 'simulator' } },
      env: { NODE_OPTIONS: `--require=${preload}` },
    });
  });
  after(async () => {
    await nodeRed?.stop();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('takes a payment over the network', async () => {
    const { outcome, moneyMoved } = await pay(nodeRed, { amount: '12.00' });
    assert.deepEqual([outcome, moneyMoved], ['approved', 'yes']);
  });

  test('answers the sidebar, and shows the virtual terminal', async () => {
    for (const path of ['operations', 'virtual-terminal/', 'virtual-terminal/simulators/simulated/view']) {
      const { status } = await fetch(`${nodeRed.url}/payment-admin/${path}`);
      assert.equal(status, 200, path);
    }
  });
});
