import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CutProxy } from '../harness/cut-proxy.js';
import { freePort, type RunningNodeRed, startNodeRed } from '../harness/node-red.js';
import { databaseIn, PostgresServer } from '../harness/postgres.js';
import { askAdmin } from '../nodes/ask-admin.js';
import { type Service, startService } from '../nodes/flow.js';
import { pay, webFlow } from '../nodes/web-flow.js';

/**
 * Two real Node-REDs with the same flows, on one database: one drives the payments, the other is a door. What came in by a
 * request of HTTP is answered by a response to it, wherever it came in. The test is the cardholder.
 */

const JOURNAL = { id: 'journal', type: 'payment-journal', store: 'postgresql', keepDays: 400 };
const FAST_CLOCK = require.resolve('../truth/kill/fast-clock.cjs');
/** So much faster time passes for the Node-REDs, but not for the database and the service. */
const SPEED = 3;
const TERMINAL = '10000001';
const onTab = { z: 'tab', x: 1, y: 1 };
/** `POST /cancel` cancels what its body names. */
const CANCEL = [
  { id: 'cancel-in', ...onTab, type: 'http in', url: '/cancel', method: 'post', wires: [['cancel']] },
  {
    id: 'cancel',
    ...onTab,
    type: 'function',
    func: 'return [{ cancel: msg.payload.cancel }, msg];',
    outputs: 2,
    libs: [],
    wires: [['sale'], ['accepted']],
  },
  { id: 'accepted', ...onTab, type: 'http response', statusCode: '202', wires: [] },
];

describe('two Node-REDs on one database, one of them a door', () => {
  let server: PostgresServer;
  let service: Service;
  let address: string;
  let nodeReds: RunningNodeRed[] = [];
  let leader: RunningNodeRed;
  let door: RunningNodeRed;
  let proxy: CutProxy;

  before(async () => {
    server = await PostgresServer.start();
  });
  after(() => server.end());

  const start = async (port: number, callbackUrl: string, database: string): Promise<RunningNodeRed> => {
    const flows = [...webFlow(service), ...CANCEL, JOURNAL].map((node) =>
      'type' in node && node.type === 'payment-environment' ? { ...node, journal: 'journal', callbackUrl } : node,
    );
    const nodeRed = await startNodeRed({
      flows,
      credentials: { environment: { apiKey: 'simulator' }, journal: { address: database } },
      settings: { uiPort: port },
      env: { CLOCK_SPEED: String(SPEED), CLOCK_SINCE: String(Date.now()), NODE_OPTIONS: `--require ${FAST_CLOCK}` },
    });
    nodeReds.push(nodeRed);
    return nodeRed;
  };

  const scene =
    (run: () => Promise<void>, { withCallbacks = false } = {}) =>
    async (): Promise<void> => {
      address = await server.newDatabase();
      service = await startService({ cardholder: 'none' });
      proxy = await CutProxy.before(server.port);
      const port = await freePort();
      const callbackUrl = withCallbacks ? `http://127.0.0.1:${port}/payments` : '';
      const behindProxy = new URL(address);
      behindProxy.port = String(proxy.port);
      try {
        leader = await start(await freePort(), callbackUrl, address);
        door = await start(port, callbackUrl, behindProxy.href);
        await door.printed(/stands by/);
        await run();
      } finally {
        for (const nodeRed of nodeReds) await nodeRed.kill();
        nodeReds = [];
        await proxy.takeAway();
        await service.stop();
      }
    };

  it(
    'a sale that came in by the door is charged once, and answered there',
    scene(async () => {
      const answer = pay(door, { amount: '12.00' });
      await presented();
      service.simulator.terminal(TERMINAL).presentCard();
      const { outcome, amount, redelivered } = await answer;
      assert.deepEqual([outcome, amount?.total, redelivered], ['approved', '12.00', undefined]);
      assert.equal(service.bank.charges().length, 1);
      assert.doesNotMatch(leader.output(), /over /, 'the leader tells nothing of it');
      await door.printed(/over /);
    }),
  );

  it(
    'a callback that reaches the door settles the payment of the leader',
    scene(
      async () => {
        let polls = 0;
        service.simulator.faults.decideBy(({ moment }) => {
          if (moment === 'poll') polls++;
          return undefined;
        });
        const answer = pay(leader, { amount: '13.00' });
        await presented();
        const before = polls;
        service.simulator.terminal(TERMINAL).presentCard();
        assert.equal((await answer).outcome, 'approved');
        assert.ok(polls <= before + 1, `${polls - before} polls`);
        // Nothing is left of it then.
        while ((await rows((sql) => sql`SELECT 1 FROM cloud_terminal.inbox`)).length > 0);
      },
      { withCallbacks: true },
    ),
  );

  it(
    'a cancel that came in by the door stops the payment of the leader',
    scene(async () => {
      const answer = pay(leader, { amount: '14.00', idempotencyKey: 'order-14' });
      await presented();
      await post(door, '/cancel', { cancel: { idempotencyKey: 'order-14' } });
      const { outcome, moneyMoved } = await answer;
      assert.deepEqual([outcome, moneyMoved], ['cancelled', 'no']);
    }),
  );

  it(
    'the sidebar of the door shows the payment of the leader, and takes a note about it',
    scene(async () => {
      const answer = await underWay(leader, { amount: '14.00' });
      const listed = await askAdmin<{ operations: { id: string }[] }>(door.url, 'operations');
      const [{ id } = { id: '' }] = listed.body.operations;
      assert.equal(listed.body.operations.length, 1);
      assert.equal((await askAdmin(door.url, `operations/${id}/handled`, { note: 'seen to' })).status, 200);
      assert.match(JSON.stringify((await askAdmin(leader.url, `operations/${id}`)).body), /seen to/);
      assert.equal((await askAdmin(door.url, `operations/${id}/check-now`, {})).status, 200);
      service.simulator.terminal(TERMINAL).presentCard();
      assert.equal((await answer()).outcome, 'approved');
    }),
  );

  it(
    'one idempotency key through both at once is one charge, and both are answered',
    scene(async () => {
      const order = { amount: '15.00', idempotencyKey: 'order-15' };
      const answers = [pay(door, order), pay(leader, order)];
      await presented();
      service.simulator.terminal(TERMINAL).presentCard();
      const told = await Promise.all(answers);
      assert.deepEqual(
        told.map(({ outcome }) => outcome),
        ['approved', 'approved'],
      );
      assert.equal(told.filter(({ repeated }) => repeated).length, 1);
      assert.equal(new Set(told.map(({ operationId }) => operationId)).size, 1);
      assert.equal(service.bank.charges().length, 1);
    }),
  );

  it(
    'an order under a key of another one is refused to the one who sent it',
    scene(async () => {
      const first = pay(leader, { amount: '15.00', idempotencyKey: 'order-15' });
      await presented();
      assert.equal((await pay(door, { amount: '16.00', idempotencyKey: 'order-15' })).code, 'IDEMPOTENCY_KEY_REUSED');
      service.simulator.terminal(TERMINAL).presentCard();
      assert.equal((await first).outcome, 'approved');
    }),
  );

  it(
    'the leader is killed while a payment of the door is open: the door takes over, and answers it once',
    scene(async () => {
      const answer = await underWay(door, { amount: '17.00' });
      await leader.kill();
      await endLeader();
      await door.printed(/has taken over the journal/);
      service.simulator.terminal(TERMINAL).presentCard();
      const { outcome, redelivered } = await answer();
      assert.deepEqual([outcome, redelivered], ['approved', undefined]);
      await door.printed(/over /);
      assert.equal(door.output().match(/over /g)?.length, 1);
      assert.equal(service.bank.charges().length, 1);
    }),
  );

  it(
    'an order that comes while nobody leads waits for the next leader, and is charged once',
    scene(async () => {
      await leader.kill();
      const answer = pay(door, { amount: '18.00' });
      await asked();
      await endLeader();
      await door.printed(/has taken over the journal/);
      await presented();
      service.simulator.terminal(TERMINAL).presentCard();
      assert.equal((await answer).outcome, 'approved');
      assert.equal(service.bank.charges().length, 1);
    }),
  );

  it(
    'the door is killed while a payment of it is open: the leader tells it by its own node',
    scene(async () => {
      const answer = pay(door, { amount: '19.00' });
      answer.catch(() => undefined);
      await presented();
      await door.kill();
      await assert.rejects(answer);
      await endDoor();
      service.simulator.terminal(TERMINAL).presentCard();
      await leader.printed(/over /);
      assert.equal(service.bank.charges().length, 1);
    }),
  );

  it(
    'a door that is deployed while the database is away answers the client of before, once it knows that nobody has taken the order',
    scene(async () => {
      await leader.kill();
      const answer = pay(door, { amount: '20.00' });
      await asked();
      await proxy.takeAway();
      await deploy(door);
      await proxy.bringBack();
      assert.equal((await answer).code, 'STANDBY');
      await endLeader();
      const next = pay(door, { amount: '21.00' });
      await presented();
      service.simulator.terminal(TERMINAL).presentCard();
      assert.equal((await next).outcome, 'approved');
      assert.deepEqual(
        service.bank.charges().map(({ moved }) => moved),
        [2100],
      );
    }),
  );

  it(
    'a door that is cut from the database refuses, and nothing is sent',
    scene(async () => {
      await proxy.takeAway();
      const { code } = await pay(door, { amount: '20.00' });
      assert.equal(code, 'JOURNAL_UNAVAILABLE');
      assert.equal(service.simulator.requests.latest().filter(({ path }) => path === '/transactions').length, 0);
      await door.printed(/the database 127.0.0.1/);
      await proxy.bringBack();
      await door.printed(/can be reached again/);
      const answer = pay(door, { amount: '21.00' });
      await presented();
      service.simulator.terminal(TERMINAL).presentCard();
      assert.equal((await answer).outcome, 'approved');
    }),
  );

  /** The terminal waits for a card. */
  async function presented(): Promise<void> {
    const terminal = service.simulator.terminal(TERMINAL);
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (terminal.screen.stage === 'awaiting-card') resolve();
      };
      terminal.subscribe(look);
      look();
    });
  }

  /** Begins a payment. Resolves once its result is polled for: by then the answer to its request is noted. */
  async function underWay(nodeRed: RunningNodeRed, body: object): Promise<() => ReturnType<typeof pay>> {
    const polled = new Promise<void>((resolve) => {
      service.simulator.faults.decideBy(({ moment }) => {
        if (moment === 'poll') resolve();
        return undefined;
      });
    });
    const answer = pay(nodeRed, body);
    await polled;
    return () => answer;
  }

  async function post(nodeRed: RunningNodeRed, path: string, body: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    await fetch(`${nodeRed.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  /** All of its flows, as they are. */
  async function deploy({ url }: RunningNodeRed): Promise<void> {
    const flows = await (await fetch(`${url}/flows`)).text();
    const headers = { 'content-type': 'application/json', 'node-red-deployment-type': 'full' };
    const deployed = await fetch(`${url}/flows`, { method: 'POST', headers, body: flows });
    assert.equal(deployed.status, 204);
  }

  function rows<T>(query: Parameters<typeof server.query<T>>[1]): Promise<T> {
    return server.query(databaseIn(address), query);
  }

  /** A door has asked for an operation. */
  async function asked(): Promise<void> {
    while ((await rows((sql) => sql`SELECT 1 FROM cloud_terminal.request WHERE answer IS NULL`)).length === 0);
  }

  /** By the clock of the database the leader has ended. */
  async function endLeader(): Promise<void> {
    await rows((sql) => sql`UPDATE cloud_terminal.leader SET until = clock_timestamp() - interval '1 ms'`);
  }

  /** By the clock of the database the door has ended. */
  async function endDoor(): Promise<void> {
    await rows(
      (sql) => sql`
        UPDATE cloud_terminal.replica SET until = clock_timestamp() - interval '1 ms'
        WHERE id <> (SELECT owner FROM cloud_terminal.leader)`,
    );
  }
});
