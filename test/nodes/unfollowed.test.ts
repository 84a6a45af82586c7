import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Collector } from '../harness/collector.js';
import { type NodeRedOptions, type RunningNodeRed, startNodeRed } from '../harness/node-red.js';
import { polled } from '../harness/polled.js';
import { saleFlow } from '../harness/sale-flow.js';
import { type Service, startService } from './flow.js';

/** A restart that leaves a payment without its environment says so, because nobody else can. */
describe('a payment is open, its Node-RED is killed, and the next one', () => {
  const credentials = { environment: { apiKey: 'simulator' } };
  let service: Service;
  let collector: Collector;
  let flows: object[];
  let latest: RunningNodeRed;
  let userDir: string;

  before(async () => {
    service = await startService({ cardholder: 'none' });
    collector = new Collector();
    await collector.start();
    flows = saleFlow(service, collector.url);
    latest = await startNodeRed({ flows, credentials });
    userDir = latest.userDir;
    const isPolled = polled(service.simulator);
    const body = JSON.stringify({ amount: '10.00', order: 1 });
    await fetch(`${latest.url}/pay`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await isPolled;
  });
  after(async () => {
    await latest.kill();
    collector.stop();
    await service.stop();
    await rm(userDir, { recursive: true, force: true });
  });

  async function restart(changes: Partial<NodeRedOptions>): Promise<void> {
    await latest.kill();
    latest = await startNodeRed({ userDir, flows, ...changes });
  }

  const named = async (): Promise<string> => {
    const line =
      /1 payments are open in the journal in .*payment-journal, and nobody here follows them.*[0-9a-f-]{36}$/m;
    await latest.printed(line);
    return line.exec(latest.output())?.[0] ?? '';
  };

  async function listed(): Promise<unknown[]> {
    const answer = await fetch(`${latest.url}/payment-admin/operations`);
    const { operations } = (await answer.json()) as { operations: { standing: string; stage: string }[] };
    return operations.map(({ standing, stage }) => [standing, stage]);
  }

  test('has no key: the log names the payment, and the sidebar shows it', async () => {
    await restart({ credentials: {} });
    assert.match(await named(), /This environment cannot be used: correct what its error names/);
    assert.deepEqual(await listed(), [['attention', 'abandoned']]);
  });

  test('has not its environment: the log names that and the payment', async () => {
    await restart({ flows: flows.filter((node) => (node as { id: string }).id !== 'environment') });
    assert.match(await named(), /The flows have no environment with the id environment that is enabled/);
    assert.deepEqual(await listed(), [['attention', 'abandoned']]);
  });

  test('has all of it again: it says nothing, and tells what became of the payment', async () => {
    await writeFile(join(userDir, 'flows_cred.json'), JSON.stringify(credentials));
    await restart({});
    service.simulator.terminal('10000001').presentCard();
    const { output, msg } = await collector.message(1);
    assert.deepEqual([output, msg.payload.outcome], ['done', 'approved']);
    assert.doesNotMatch(latest.output(), /nobody here follows/);
  });
});
