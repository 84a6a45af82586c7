import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Collector } from '../harness/collector.js';
import { type NodeRedOptions, type RunningNodeRed, startNodeRed } from '../harness/node-red.js';
import { saleFlow } from '../harness/sale-flow.js';
import { type Service, startService } from './flow.js';

/** Resolves once a result is polled for: by then Node-RED has read the answer to its request, and has noted it. */
function polled(service: Service): Promise<void> {
  return new Promise((resolve) => {
    service.simulator.faults.decideBy(({ moment }) => {
      if (moment === 'poll') resolve();
      return undefined;
    });
  });
}

describe('a payment whose Node-RED goes away while the card is read', () => {
  let service: Service;
  let collector: Collector;
  let options: NodeRedOptions;
  const running = new Set<RunningNodeRed>();

  before(async () => {
    service = await startService({ cardholder: 'none' });
    collector = new Collector();
    await collector.start();
    options = {
      flows: saleFlow(service, collector.url),
      credentials: { environment: { apiKey: 'simulator' } },
    };
  });
  after(async () => {
    for (const nodeRed of running) await nodeRed.stop();
    collector.stop();
    await service.stop();
  });

  async function start(more: NodeRedOptions): Promise<RunningNodeRed> {
    const nodeRed = await startNodeRed(more);
    running.add(nodeRed);
    return nodeRed;
  }

  async function pay(nodeRed: RunningNodeRed, order: number): Promise<void> {
    const waiting = polled(service);
    const body = JSON.stringify({ amount: `1${order}.00`, order });
    await fetch(`${nodeRed.url}/pay`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await waiting;
  }

  test('SIGKILL: the next process tells the truth, by the same node, with what the message carried', async () => {
    const first = await start(options);
    await pay(first, 1);
    await first.kill();
    running.delete(first);
    service.simulator.terminal('10000001').presentCard();
    const second = await start({ userDir: first.userDir });
    const { output, msg } = await collector.message(1);
    assert.equal(output, 'done');
    assert.equal(msg.payload.outcome, 'approved');
    assert.ok(msg._msgid);
    assert.equal(msg.order, 1);
    assert.equal(service.bank.charges().length, 1);
    assert.equal(service.bank.netMoved(), 1100);
    assert.equal(msg.payload.amount?.total, '11.00');

    // The same over a redeploy, without the kill.
    await pay(second, 2);
    await fetch(`${second.url}/flows`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'Node-RED-Deployment-Type': 'reload' },
      body: JSON.stringify([]),
    });
    service.simulator.terminal('10000001').presentCard();
    const redeployed = await collector.message(2);
    assert.equal(redeployed.output, 'done');
    assert.equal(redeployed.msg.payload.outcome, 'approved');
    assert.equal(redeployed.msg.order, 2);
    assert.equal(redeployed.msg.payload.redelivered, undefined);
    assert.equal(service.bank.charges().length, 2);
    assert.equal(collector.messages.length, 2);
  });
});
