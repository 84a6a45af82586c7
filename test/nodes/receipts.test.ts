import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Detail } from '../../src/nodes/admin/contract.js';
import { type RunningNodeRed, startNodeRed } from '../harness/node-red.js';
import { askAdmin } from './ask-admin.js';
import { type Service, startService } from './flow.js';
import { pay, webFlow } from './web-flow.js';

const KEEPING = { keepReceipts: true, receiptDays: 30 };
const SECRET = 'planted-callback-secret-91ab';
const PAN = '4111111111111111';

describe('receipts after a restart', () => {
  let service: Service;
  let nodeRed: RunningNodeRed | undefined;
  let userDir: string;

  beforeEach(async () => {
    service = await startService({ cardholder: { tapAfterMs: 5, card: { pan: PAN } } });
  });
  afterEach(async () => {
    await nodeRed?.stop();
    nodeRed = undefined;
    await rm(userDir, { recursive: true, force: true });
    await service.stop();
  });

  async function start(environment: object, callbackSecret = SECRET): Promise<RunningNodeRed> {
    const flows = webFlow(service).map((node) =>
      (node as { type: string }).type === 'payment-environment' ? { ...node, ...environment } : node,
    );
    nodeRed = await startNodeRed({ flows, credentials: { environment: { apiKey: 'simulator', callbackSecret } } });
    userDir = nodeRed.userDir;
    return nodeRed;
  }

  /** @param secret another one than before */
  async function restart(running: RunningNodeRed, secret?: string): Promise<RunningNodeRed> {
    await running.kill();
    if (secret !== undefined) {
      const credentials = { environment: { apiKey: 'simulator', callbackSecret: secret } };
      await writeFile(join(userDir, 'flows_cred.json'), JSON.stringify(credentials));
    }
    nodeRed = await startNodeRed({ userDir });
    return nodeRed;
  }

  async function detail({ url }: RunningNodeRed, id: string): Promise<Detail> {
    return (await askAdmin<Detail>(url, `operations/${id}`)).body;
  }

  /** Once the restarted environment drives its payments: it can be asked about them before that. */
  async function fetchable(running: RunningNodeRed, id: string): Promise<Detail> {
    const giveUpAt = performance.now() + 10_000;
    for (;;) {
      const found = await detail(running, id);
      if (found.canFetchReceipts || performance.now() > giveUpAt) return found;
      await turn();
    }
  }

  const ORDER = { amount: '10.00', idempotencyKey: 'order' };

  async function sold(running: RunningNodeRed): Promise<{ id: string; receipts: NonNullable<Detail['receipts']> }> {
    const { operationId: id } = await pay(running, ORDER);
    const { receipts } = await detail(running, id);
    assert.ok(receipts);
    assert.match(receipts.customer.value, /Demo Merchant/);
    return { id, receipts };
  }

  async function bytesOfJournal(): Promise<string> {
    const folder = join(userDir, 'payment-journal');
    const files = (await readdir(folder)).filter((name) => name.endsWith('.mdb'));
    return (await Promise.all(files.map((name) => readFile(join(folder, name), 'latin1')))).join();
  }

  test('are kept where the environment says so, and lie encrypted on the disk', async () => {
    const first = await start(KEEPING);
    const { id, receipts } = await sold(first);
    const second = await restart(first);
    const after = await detail(second, id);
    assert.deepEqual([after.receipts, after.canFetchReceipts], [receipts, false]);
    const repeated = await pay(second, ORDER);
    assert.deepEqual([repeated.operationId, repeated.repeated, repeated.receipts], [id, true, receipts]);
    const bytes = await bytesOfJournal();
    assert.match(bytes, /"kind":"receipts"/);
    const inBase64 = Buffer.from(JSON.stringify(receipts.customer)).toString('base64').slice(0, 20);
    for (const text of [PAN, SECRET, '<html', '<td>', 'customer copy', 'merchant copy', inBase64])
      assert.equal(bytes.includes(text), false, text);
  });

  test('open under no other secret', async () => {
    const first = await start(KEEPING);
    const { id } = await sold(first);
    const second = await restart(first, 'another secret');
    const none = { kind: 'none', value: '' };
    assert.deepEqual((await detail(second, id)).receipts, { customer: none, merchant: none });
  });

  test('are gone by default, and the service is asked for them again', async () => {
    const first = await start({});
    const { id, receipts } = await sold(first);
    const second = await restart(first);
    const after = await fetchable(second, id);
    assert.deepEqual([after.receipts, after.canFetchReceipts], [undefined, true]);
    assert.equal((await pay(second, ORDER)).receipts.customer.kind, 'none');
    assert.doesNotMatch(await bytesOfJournal(), /"kind":"receipts"/);
    const fetched = await askAdmin(second.url, `operations/${id}/receipts`, {});
    assert.deepEqual(fetched.body, { isFound: true });
    assert.deepEqual((await detail(second, id)).receipts, receipts);
  });

  test('are not kept without a secret of the environment, which is said at deploy', async () => {
    const running = await start(KEEPING, '');
    await running.printed(/receipts are kept only under a secret of the environment/);
  });
});
