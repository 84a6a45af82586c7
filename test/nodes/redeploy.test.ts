import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Delivery } from '../../src/core/delivery/listener.js';
import type { Policies } from '../../src/core/operation/order.js';
import { endSimulator, simulatorFor } from '../../src/nodes/runtime/simulators.js';
import { shows } from '../harness/shows.js';
import { action, type Flow, type Service, startFlow, startService, typed } from './flow.js';

const POLICIES: Policies = { busyWaitMs: 60_000, lateApproval: 'report', partialApproval: 'accept' };

/** More than a start of the engine takes within one turn of the event loop. */
const STEPS = 40;

/** Resolves once the service has answered, and the answer is held back on its way. */
function answerHeldBack({ faults }: Service['simulator']): Promise<void> {
  return new Promise((resolve) => {
    faults.decideBy(({ moment }) => {
      if (moment !== 'answer') return undefined;
      resolve();
      return { kind: 'answer-delayed', ms: 60_000 };
    });
  });
}

describe('a redeploy', () => {
  let service: Service;
  let flow: Flow;

  before(async () => {
    service = await startService({ cardholder: 'none' });
  });
  after(() => service.stop());
  beforeEach(async () => {
    flow = await startFlow({
      service,
      more: [
        action('devices', 'payment-device'),
        action('locale', 'payment-device', {
          ...typed('operation', 'set-locale'),
          settings: '{"locale":"en_US"}',
          settingsType: 'json',
        }),
      ],
    });
  });
  afterEach(() => flow.stop());

  test('while the card is awaited: the new node sends the message, with what only lives in this process', async () => {
    const charges = service.bank.charges().length;
    const res = { answer: () => 42 };
    const awaiting = shows(service.simulator.terminal('10000001'), 'awaiting-card');
    flow.send({ payload: { amount: '10.00' }, order: { id: 4711 }, res });
    await awaiting;
    await flow.redeploy();
    service.simulator.terminal('10000001').presentCard();
    const { output, msg } = await flow.answer();
    assert.deepEqual([output, msg.payload.outcome], ['done', 'approved']);
    assert.deepEqual(msg.order, { id: 4711 });
    assert.equal(msg.res, res);
    assert.equal(service.bank.charges().length - charges, 1);
    assert.equal(flow.answers().length, 1);
  });

  test('while a question is on its way: its Catch hears that nobody will answer it', async () => {
    const held = answerHeldBack(service.simulator);
    flow.send({ payload: {}, order: { id: 4712 } }, 'devices');
    await held;
    service.simulator.faults.clear();
    await flow.redeploy();
    const { output, msg } = await flow.answer();
    assert.equal(output, 'mistake');
    assert.deepEqual(msg.order, { id: 4712 });
    assert.equal(flow.answers().length, 1);
  });

  test('while a setting is on its way: the new node says that nobody knows whether it was made', async () => {
    const held = answerHeldBack(service.simulator);
    flow.send({ payload: {}, order: { id: 4713 } }, 'locale');
    await held;
    service.simulator.faults.clear();
    await flow.redeploy();
    const { output, msg } = await flow.answer();
    assert.deepEqual([output, msg.payload.outcome, msg.payload.moneyMoved], ['needs-attention', 'unknown', 'no']);
    assert.deepEqual(msg.order, { id: 4713 });
    assert.equal(flow.answers().length, 1);
  });

  test('an environment that is gone takes no more orders, and starts no engine that nobody ends', async () => {
    const gone = flow.environment();
    await flow.redeploy();
    await assert.rejects(gone.engine(), { code: 'INVALID_CONFIGURATION' });
  });
});

test('a node that comes while the engine starts hears of its payments', async () => {
  const service = await startService();
  const flow = await startFlow({ service });
  const environment = flow.environment();
  const heard = new Map<string, () => void>();
  const told: Promise<void>[] = [];
  const attach = (): void => {
    const node = `node-${told.length}`;
    told.push(new Promise((resolve) => heard.set(node, resolve)));
    environment.attach(node, {
      deliver: ({ origin }: Delivery) => heard.get(origin.node)?.(),
      progress: () => undefined,
    });
  };
  let started = false;
  const starting = environment.engine().then((engine) => {
    started = true;
    return engine;
  });
  while (!started) {
    await turn();
    // A start takes many small steps within one turn; somebody comes between any two of them.
    for (let step = 0; step < STEPS && !started; step++) {
      attach();
      await undefined;
    }
  }
  const engine = await starting;
  const latest = told.slice(-STEPS);
  const terminal = { serial_number: '10000001', terminal_type: 'SIMULATEDT1' };
  const request = { operation: 'sale' as const, ...terminal, amount: '100', currency: 'EUR', duplicate_check: false };
  for (const place of latest.keys()) {
    const node = `node-${told.length - latest.length + place}`;
    await engine.submit({ request, policies: POLICIES, origin: { node, message: {} } });
  }
  await Promise.all(latest);
  assert.equal(service.bank.charges().length, latest.length);
  await flow.stop();
  await service.stop();
});

test('the simulator of a process keeps its terminal and its ledger over a redeploy', async () => {
  const service = await startService();
  const userDir = await mkdtemp(join(tmpdir(), 'journal-'));
  const flow = await startFlow({ service, folder: userDir, environment: { kind: 'simulator', callbackUrl: '' } });
  const simulator = await simulatorFor('environment', 'B');
  const awaiting = shows(simulator.terminal('10000001'), 'awaiting-card');
  flow.send({ payload: { amount: '10.00' }, order: 1 });
  await awaiting;
  await flow.redeploy();
  assert.equal(await simulatorFor('environment', 'B'), simulator);
  const { output, msg } = await flow.answer();
  assert.deepEqual([output, msg.order, msg.payload.source], ['done', 1, 'callback']);
  assert.equal(simulator.bank.netMoved(msg.payload.reference), 1000);
  assert.equal(simulator.bank.charges().length, 1);
  assert.deepEqual(service.simulator.requests.latest(), []);
  await flow.stop();
  endSimulator('environment');
  await rm(userDir, { recursive: true, force: true });
  await service.stop();
});

for (const gone of ['terminal', 'environment']) {
  test(`a deploy of modified nodes alone that puts the ${gone} back is enough to pay again`, async () => {
    const service = await startService();
    const flow = await startFlow({ service });
    await flow.redeploy((node) => (node.id === gone ? undefined : node), 'nodes');
    assert.equal((await flow.run({ payload: { amount: '10.00' } })).output, 'mistake');
    // A key goes with its environment.
    const credentials = gone === 'environment' ? { apiKey: 'simulator' } : undefined;
    await flow.redeploy((node) => (node.id === gone ? { ...node, credentials } : node), 'nodes');
    assert.equal(flow.said('sale').statuses.at(-1), undefined);
    const { output, msg } = await flow.run({ payload: { amount: '10.00' } });
    assert.deepEqual([output, msg.payload.outcome], ['done', 'approved']);
    assert.equal(flow.answers().length, 2);
    await flow.stop();
    await service.stop();
  });
}

/** A flow whose payment awaits the card while a deploy takes the terminal from its node. */
async function losingTerminal(change: (node: { id: string }) => object | undefined) {
  const service = await startService({ cardholder: 'none' });
  const flow = await startFlow({
    service,
    more: [
      { id: 'other', type: 'payment-environment', kind: 'simulator', group: 'B', currency: 'EUR', journal: 'journal' },
      { id: 'other-terminal', type: 'payment-terminal', environment: 'other' },
    ],
  });
  const res = { answer: () => 42 };
  const terminal = service.simulator.terminal('10000001');
  const awaiting = shows(terminal, 'awaiting-card');
  flow.send({ payload: { amount: '10.00' }, res });
  await awaiting;
  await flow.redeploy(change);
  const end = async (): Promise<void> => {
    await flow.stop();
    endSimulator('other');
    await service.stop();
  };
  return { flow, terminal, res, end };
}

const LOSSES = [
  ['disables its terminal', (node) => (node.id === 'terminal' ? { ...node, d: true } : node)],
  ['removes its terminal', (node) => (node.id === 'terminal' ? undefined : node)],
  [
    'points its node to another environment',
    (node) => (node.id === 'sale' ? { ...node, terminal: 'other-terminal' } : node),
  ],
] satisfies [string, (node: { id: string }) => object | undefined][];

for (const [what, change] of LOSSES) {
  test(`a deploy that ${what} while the card is awaited: the result still leaves by the node, with its HTTP response`, async () => {
    const { flow, terminal, res, end } = await losingTerminal(change);
    terminal.presentCard();
    const { msg: result } = await flow.result();
    assert.deepEqual([result.payload.outcome, result.claimed], ['approved', true]);
    const { output, msg } = await flow.answer();
    assert.deepEqual([output, msg.payload.outcome, msg.res], ['done', 'approved', res]);
    assert.equal(flow.answers().length, 1);
    await end();
  });

  test(`a deploy that ${what} while the card is awaited: a cancel of the node still stops the payment`, async () => {
    const { flow, end } = await losingTerminal(change);
    flow.send({ cancel: true });
    const { output, msg } = await flow.answer();
    assert.deepEqual([output, msg.payload.outcome], ['not-done', 'cancelled']);
    await end();
  });
}

test('a cancel of a node without an environment goes to Catch where no payment of the node is found', async () => {
  const service = await startService();
  const flow = await startFlow({ service, terminal: { d: true } });
  const { output, msg } = await flow.run({ cancel: true });
  assert.deepEqual([output, (msg.error as { code?: string }).code], ['mistake', 'INVALID_CONFIGURATION']);
  await flow.stop();
  await service.stop();
});

describe('a deploy of the environment alone, which a node names by a variable', () => {
  let service: Service;
  let flow: Flow;
  const renamed = (node: { id: string }): object => {
    if (node.id !== 'environment') return node;
    return { ...node, name: 'renamed', credentials: { apiKey: 'simulator' } };
  };

  before(() => {
    process.env.REDEPLOYED_TERMINAL = 'terminal';
    process.env.REDEPLOYED_ENVIRONMENT = 'environment';
  });
  after(() => {
    delete process.env.REDEPLOYED_TERMINAL;
    delete process.env.REDEPLOYED_ENVIRONMENT;
  });
  beforeEach(async () => {
    service = await startService({ cardholder: 'none' });
  });
  afterEach(async () => {
    await flow.stop();
    await service.stop();
  });

  async function redeployedWhileTheCardIsAwaited(to: string, more: object[] = []): Promise<void> {
    flow = await startFlow({
      service,
      sale: { terminal: `\${REDEPLOYED_TERMINAL}` },
      callbackIn: { environment: `\${REDEPLOYED_ENVIRONMENT}` },
      more,
    });
    const terminal = service.simulator.terminal('10000001');
    const awaiting = shows(terminal, 'awaiting-card');
    flow.send({ payload: { amount: '10.00' } }, to);
    await awaiting;
    await flow.redeploy(renamed, 'nodes');
    terminal.presentCard();
    const { output, msg } = await flow.answer();
    assert.deepEqual([output, msg.payload.outcome], ['done', 'approved']);
  }

  test('the node tells the payment in flight, and pays again; callback-in listens and emits', async () => {
    await redeployedWhileTheCardIsAwaited('sale');
    const { msg: first } = await flow.result();
    assert.deepEqual([first.payload.outcome, first.payload.source], ['approved', 'callback']);
    const awaiting = shows(service.simulator.terminal('10000001'), 'awaiting-card');
    flow.send({ payload: { amount: '11.00' } });
    await awaiting;
    service.simulator.terminal('10000001').presentCard();
    const { output, msg } = await flow.answer(2);
    assert.deepEqual([output, msg.payload.outcome, msg.payload.source], ['done', 'approved', 'callback']);
    assert.equal((await flow.result(2)).msg.payload.outcome, 'approved');
  });

  test('the same of a node in a subflow whose property names the terminal', async () => {
    const env = [{ name: 'TERM', type: 'payment-terminal', value: 'terminal' }];
    const out = [0, 1, 2].map((port) => ({ x: 1, y: 1, wires: [{ id: 'inner', port }] }));
    await redeployedWhileTheCardIsAwaited('instance', [
      { id: 'pay', type: 'subflow', name: 'Pay', in: [{ x: 1, y: 1, wires: [{ id: 'inner' }] }], out, env },
      { ...action('inner', 'payment-sale', { terminal: `\${TERM}` }), z: 'pay', wires: [[], [], []] },
      { ...action('instance', 'subflow:pay'), env },
    ]);
    const awaiting = shows(service.simulator.terminal('10000001'), 'awaiting-card');
    flow.send({ payload: { amount: '11.00' } }, 'instance');
    await awaiting;
    service.simulator.terminal('10000001').presentCard();
    const { output, msg } = await flow.answer(2);
    assert.deepEqual([output, msg.payload.outcome], ['done', 'approved']);
  });
});
