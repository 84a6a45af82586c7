import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { ResultPayload } from '../../src/core/operation.js';
import { type NodeRedOptions, type RunningNodeRed, startNodeRed } from '../helpers/node-red.js';
import { type Service, startService } from './flow.js';

/** A real Node-RED in a process of its own, with the built package; what leaves the sale node is posted to this test. */

interface Collected {
  output: string;
  msg: Record<string, unknown> & { payload: ResultPayload };
}

class Collector {
  readonly messages: Collected[] = [];
  url = '';
  private readonly waiting = new Set<() => void>();
  private readonly server: Server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    req.on('end', () => {
      this.messages.push(JSON.parse(body));
      res.end();
      for (const look of [...this.waiting]) look();
    });
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Waits for the n-th message, from 1. */
  message(count: number): Promise<Collected> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.messages[count - 1];
        if (found === undefined) return;
        this.waiting.delete(look);
        resolve(found);
      };
      this.waiting.add(look);
      look();
    });
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

function flows(service: Service, collector: string): object[] {
  const output = (id: string, name: string) => [
    {
      id,
      z: 'tab',
      type: 'function',
      func: `return { payload: { output: '${name}', msg: { ...msg, req: undefined, res: undefined } } };`,
      outputs: 1,
      libs: [],
      x: 1,
      y: 1,
      wires: [['collect']],
    },
  ];
  return [
    { id: 'tab', type: 'tab', label: 'test' },
    {
      id: 'environment',
      type: 'payment-environment',
      kind: 'demo',
      baseUrl: service.baseUrl,
      statusUrl: service.statusUrl,
      group: 'B',
      currency: 'EUR',
      callbackUrl: '',
      requestsPerSecond: 100,
    },
    {
      id: 'terminal',
      type: 'payment-terminal',
      environment: 'environment',
      serialNumber: '10000001',
      terminalType: 'SIMULATEDT1',
    },
    { id: 'in', z: 'tab', type: 'http in', url: '/pay', method: 'post', x: 1, y: 1, wires: [['sale', 'answer']] },
    { id: 'answer', z: 'tab', type: 'http response', statusCode: '202', x: 1, y: 1, wires: [] },
    {
      id: 'sale',
      z: 'tab',
      type: 'payment-sale',
      terminal: 'terminal',
      busyWait: 60,
      x: 1,
      y: 1,
      wires: [['done'], ['not-done'], ['attention']],
    },
    ...output('done', 'done'),
    ...output('not-done', 'not-done'),
    ...output('attention', 'needs-attention'),
    {
      id: 'collect',
      z: 'tab',
      type: 'http request',
      method: 'POST',
      ret: 'txt',
      url: collector,
      x: 1,
      y: 1,
      wires: [[]],
    },
  ];
}

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
      flows: flows(service, collector.url),
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
    assert.equal(redeployed.msg.payload.redelivered, undefined);
    assert.equal(service.bank.charges().length, 2);
    assert.equal(collector.messages.length, 2);
  });
});
