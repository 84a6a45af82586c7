import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Collector } from '../harness/collector.js';
import { type RunningNodeRed, startNodeRed } from '../harness/node-red.js';
import { databaseIn, PostgresServer } from '../harness/postgres.js';
import { saleFlow } from '../harness/sale-flow.js';
import { type Service, startService } from '../nodes/flow.js';

/** Two real Node-REDs with the same flows, on one database. The test is the cardholder. */

const JOURNAL = { id: 'journal', type: 'payment-journal', store: 'postgresql', keepDays: 400 };
const FAST_CLOCK = require.resolve('../truth/kill/fast-clock.cjs');
/**
 * So much faster time passes for the Node-REDs, but not for the database and the service. What they wait for at most passes
 * faster too, so that more would not do on a machine with other work.
 */
const SPEED = 3;
const LEASE_MS = 30_000;
const TERMINAL = '10000001';

/** What comes to Catch, for the same collector as the results. */
const CAUGHT = [
  { id: 'catch', z: 'tab', type: 'catch', scope: null, x: 1, y: 1, wires: [['caught']] },
  {
    id: 'caught',
    z: 'tab',
    type: 'function',
    func: "return { payload: { output: 'catch', msg: { order: msg.order, payload: { error: msg.error } } } };",
    outputs: 1,
    libs: [],
    x: 1,
    y: 1,
    wires: [['collect']],
  },
];

interface Till extends RunningNodeRed {
  /** What its flow has heard. */
  heard: Collector;
}

describe('two Node-REDs on one database', () => {
  let server: PostgresServer;
  let service: Service;
  let address: string;
  let tills: Till[] = [];

  before(async () => {
    server = await PostgresServer.start();
  });
  after(() => server.end());

  const clock = { CLOCK_SPEED: String(SPEED), CLOCK_SINCE: String(Date.now()) };
  const start = async (): Promise<Till> => {
    const heard = new Collector();
    await heard.start();
    const flows = [...saleFlow(service, heard.url, { journal: 'journal' }), JOURNAL, ...CAUGHT];
    const nodeRed = await startNodeRed({
      flows,
      credentials: { environment: { apiKey: 'simulator' }, journal: { address } },
      env: { ...clock, NODE_OPTIONS: `--require ${FAST_CLOCK}` },
    });
    const till = Object.assign(nodeRed, { heard });
    tills.push(till);
    return till;
  };
  const scene = (run: () => Promise<void>) => async (): Promise<void> => {
    address = await server.newDatabase();
    service = await startService({ cardholder: 'none' });
    try {
      await run();
    } finally {
      for (const till of tills) {
        till.process.kill('SIGCONT');
        await till.kill();
        till.heard.stop();
      }
      tills = [];
      await service.stop();
    }
  };

  it(
    'one pays, and the other takes over what is open when that one is killed',
    scene(async () => {
      const first = await start();
      const second = await start();
      await second.printed(/stands by/);
      await pay(first, 2);
      await first.kill();
      await endLease();
      await second.printed(/has taken over the journal/);
      service.simulator.terminal(TERMINAL).presentCard();
      const { output, msg } = await second.heard.message(1);
      assert.equal(output, 'done');
      assert.equal(msg.order, 2);
      assert.equal(msg.payload.outcome, 'approved');
      assert.equal(service.bank.charges().length, 1);
    }),
  );

  it(
    'one that stood still for longer than its lease neither sends nor tells anything when it goes on',
    scene(async () => {
      const first = await start();
      const second = await start();
      await second.printed(/stands by/);
      await pay(first, 1);
      await order(first, 2);
      await recorded(2);
      const frozenAt = performance.now();
      first.process.kill('SIGSTOP');
      await endLease();
      await second.printed(/has taken over the journal/);
      for (const place of [1, 2]) {
        await presented();
        service.simulator.terminal(TERMINAL).presentCard();
        const { output, msg } = await second.heard.message(place);
        assert.deepEqual([output, msg.order, msg.payload.outcome], ['done', place, 'approved']);
      }
      await untilPassed(frozenAt, LEASE_MS / SPEED);
      first.process.kill('SIGCONT');
      await first.printed(/another Node-RED has taken over the journal/);
      await first.printed(/stands by/);
      assert.equal(first.heard.messages.length, 0);
      assert.equal(service.simulator.requests.latest().filter(({ path }) => path === '/transactions').length, 2);
      // It is a door now.
      await order(first, 3);
      await presented();
      service.simulator.terminal(TERMINAL).presentCard();
      const { output, msg } = await first.heard.message(1);
      assert.deepEqual([output, msg.order, msg.payload.outcome], ['done', 3, 'approved']);
      assert.deepEqual(
        service.bank.charges().map(({ moved }) => moved),
        [1100, 1200, 1300],
      );
      assert.equal(second.heard.messages.length, 2);
    }),
  );

  it(
    'one that is stopped leaves the journal to the other at once',
    scene(async () => {
      const first = await start();
      const second = await start();
      await second.printed(/stands by/);
      await first.stop();
      await second.printed(/has taken over the journal/);
      await pay(second, 1);
      service.simulator.terminal(TERMINAL).presentCard();
      assert.equal((await second.heard.message(1)).output, 'done');
    }),
  );

  it(
    'a database that is away: orders are refused, what is open is told once it is back',
    scene(async () => {
      const till = await start();
      await pay(till, 1);
      await server.stop();
      service.simulator.terminal(TERMINAL).presentCard();
      await order(till, 2);
      const refused = await till.heard.message(1);
      assert.deepEqual([refused.output, refused.msg.order], ['catch', 2]);
      await server.run();
      const { output, msg } = await till.heard.until((one) => one.output === 'done');
      assert.deepEqual([output, msg.order, msg.payload.outcome], ['done', 1, 'approved']);
      assert.equal(service.bank.charges().length, 1);
    }),
  );

  async function order(till: Till, number: number): Promise<void> {
    const body = JSON.stringify({ amount: `1${number}.00`, order: number });
    await fetch(`${till.url}/pay`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  }

  /** Resolves once the result is polled for: by then the answer to the request is noted. */
  async function pay(till: Till, number: number): Promise<void> {
    const polled = seen('poll');
    await order(till, number);
    await polled;
  }

  function seen(what: string): Promise<void> {
    return new Promise((resolve) => {
      service.simulator.faults.decideBy(({ moment }) => {
        if (moment === what) resolve();
        return undefined;
      });
    });
  }

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

  async function recorded(count: number): Promise<void> {
    const rows = () => server.query(databaseIn(address), (sql) => sql`SELECT 1 FROM cloud_terminal.operation`);
    while ((await rows()).length < count);
  }

  /** The lease of whoever has the journal ends, by the clock of the database. */
  async function endLease(): Promise<void> {
    await server.query(
      databaseIn(address),
      (sql) => sql`UPDATE cloud_terminal.leader SET until = clock_timestamp() - interval '1 ms'`,
    );
  }
});

/** How long a process stands still is a matter of time, and of nothing that could be waited for instead. */
async function untilPassed(since: number, ms: number): Promise<void> {
  const left = since + ms - performance.now();
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
}
