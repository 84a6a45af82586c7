import assert from 'node:assert/strict';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Collector } from '../harness/collector.js';
import { type NodeRedOptions, type RunningNodeRed, startNodeRed } from '../harness/node-red.js';
import { PATIENT } from '../harness/patient-clock.js';
import { polled } from '../harness/polled.js';
import { saleFlow } from '../harness/sale-flow.js';
import { type Service, startService } from './flow.js';

type FlowNode = Record<string, unknown> & { id: string };

/** The flows file may name another journal at a restart, and no deploy has told anybody. */
describe('payments are open, Node-RED is killed, and the next one', () => {
  const credentials = { environment: { apiKey: 'simulator' }, environment2: { apiKey: 'simulator' } };
  let service: Service;
  let collector: Collector;
  let flows: FlowNode[];
  let latest: RunningNodeRed;
  let userDir: string;

  before(async () => {
    service = await startService({ cardholder: 'none', clock: PATIENT });
    collector = new Collector();
    await collector.start();
    const first = saleFlow(service, collector.url) as FlowNode[];
    flows = [...first, ...first.map(second)];
    latest = await startNodeRed({ flows, credentials });
    userDir = latest.userDir;
    await pay('/pay');
    await pay('/pay2');
    // The poll before this one may have been for the first payment.
    await polled(service.simulator);
  });
  after(async () => {
    await latest.kill();
    collector.stop();
    await service.stop();
    await rm(userDir, { recursive: true, force: true });
  });

  async function pay(path: string): Promise<void> {
    const isPolled = polled(service.simulator);
    const body = JSON.stringify({ amount: '10.00', order: path });
    await fetch(`${latest.url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await isPolled;
  }

  async function restart(changes: Partial<NodeRedOptions> = {}): Promise<void> {
    await latest.kill();
    latest = await startNodeRed({ userDir, flows, ...changes });
  }

  /** The first environment uses a journal in this folder. */
  const movedTo = (folder: string): FlowNode[] => [
    ...flows.map((node) => (node.id === 'environment' ? { ...node, journal: 'moved' } : node)),
    { id: 'moved', type: 'payment-journal', store: 'embedded', folder },
  ];

  /** What the log says of them: the line ends with the only reference. */
  async function reported(): Promise<string> {
    await latest.printed(/nobody here follows them.*[0-9a-f-]{36}$/m);
    const lines = latest.output().match(/^.*nobody here follows.*$/gm) ?? [];
    assert.equal(lines.length, 1);
    return lines[0] ?? '';
  }

  async function listed(): Promise<unknown[]> {
    const answer = await fetch(`${latest.url}/payment-admin/operations`);
    const { operations } = (await answer.json()) as { operations: { standing: string; stage: string }[] };
    return operations.filter(({ stage }) => stage === 'abandoned').map(({ standing }) => standing);
  }

  const movedText = (folder: string): RegExp =>
    new RegExp(
      `1 payments are open in the journal in ${userDir}/payment-journal, and nobody here follows them\\. This environment ` +
        `uses the journal in ${folder} now.*charged again.*: let it use the journal in ${userDir}/payment-journal again`,
    );

  test('uses another journal in one of two environments: the log says which journals, and names its payment alone', async () => {
    await restart({ flows: movedTo('other') });
    const line = await reported();
    assert.match(line, movedText(`${userDir}/other`));
    assert.match(line, /\[error\] \[payment-environment:environment\]/);
    assert.deepEqual(await listed(), ['attention']);
  });

  test('uses another journal that cannot be made: the log names the payment all the same', async () => {
    await writeFile(join(userDir, 'file'), '');
    await restart({ flows: movedTo('file/journal') });
    assert.match(await reported(), movedText(`${userDir}/file/journal`));
    assert.deepEqual(await listed(), ['attention']);
  });

  test('finds another folder in the variable: the log names the payment of each environment', async () => {
    await restart({ env: { CLOUD_TERMINAL_JOURNAL: join(userDir, 'variable') } });
    const both = /nobody here follows them[\s\S]*nobody here follows them.*[0-9a-f-]{36}$/m;
    await latest.printed(both);
    assert.match(latest.output(), movedText(`${userDir}/variable`));
    assert.deepEqual(await listed(), ['attention', 'attention']);
  });

  test('uses a copy of the journal: it says nothing, and tells what became of the payments', async () => {
    await latest.kill();
    await mkdir(join(userDir, 'copy'));
    await copyFile(join(userDir, 'payment-journal/journal.mdb'), join(userDir, 'copy/journal.mdb'));
    await restart({ flows: movedTo('copy') });
    for (const serial of ['10000001', '10000002']) service.simulator.terminal(serial).presentCard();
    await collector.message(2);
    const told = collector.messages.map(({ output, msg }) => [output, msg.payload.outcome, msg.order]).sort();
    assert.deepEqual(told, [
      ['done', 'approved', '/pay'],
      ['done', 'approved', '/pay2'],
    ]);
    assert.doesNotMatch(latest.output(), /nobody here follows/);
    assert.deepEqual(await listed(), []);
  });

  test('begins with an empty journal when nothing is open any more: the log warns that it knows none of the keys', async () => {
    await restart();
    await collector.message(3);
    await latest.stop();
    await restart({ flows: movedTo('empty') });
    await latest.printed(
      /\[warn\] \[payment-environment:environment\] payments are recorded in the journal in \S+empty/,
    );
    await latest.printed(/no longer in \S+payment-journal: an order that only the earlier journal knows is charged/);
    assert.doesNotMatch(latest.output(), /nobody here follows/);
  });

  test('has one of the environments under another id: the log warns that it knows none of the keys', async () => {
    const text = JSON.stringify(flows).replaceAll('"environment":"environment"', '"environment":"imported"');
    const renamed = text.replace('"id":"environment"', '"id":"imported"');
    const apiKeys = { imported: { apiKey: 'simulator' }, environment2: { apiKey: 'simulator' } };
    await restart({ flows: JSON.parse(renamed), credentials: apiKeys });
    await latest.printed(
      /\[warn\] \[payment-environment:imported\] the journal in \S+payment-journal has payments of .* \(id environment\)/,
    );
    assert.doesNotMatch(latest.output(), /payment-environment:environment2\] the journal/);
  });
});

/** The same once more, with another environment, terminal and address. */
function second(node: FlowNode): FlowNode {
  const text = JSON.stringify(node, (key, value) => {
    if (typeof value !== 'string') return value;
    if (key === 'url' && value === '/pay') return '/pay2';
    if (key === 'serialNumber') return '10000002';
    const isId = key === 'id' || key === 'z' || key === 'environment' || key === 'terminal' || /^\d+$/.test(key);
    return isId ? `${value}2` : value;
  });
  return JSON.parse(text);
}
