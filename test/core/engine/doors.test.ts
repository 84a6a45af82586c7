import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { RateLimiterRegistry } from '../../../src/core/api/transport/rate-limiter.js';
import { callbackSecret, callbackToken } from '../../../src/core/base/callback.js';
import { InputError, JournalError, PaymentError, StandbyError } from '../../../src/core/base/errors.js';
import type { Delivery, StageChange } from '../../../src/core/delivery/listener.js';
import { Door } from '../../../src/core/engine/doors/door.js';
import type { Engine } from '../../../src/core/engine/engine.js';
import { UncertainRequestError } from '../../../src/core/journal/doors.js';
import { orderKey } from '../../../src/core/operation/order-key.js';
import { DEFAULT_KEY } from '../../../src/simulator/index.js';
import { MemoryFleet, type Replica } from '../../harness/memory-fleet.js';
import { NODE, type Payments, payments, saleOrder } from '../../harness/payments.js';
import { VirtualClock } from '../../harness/virtual-clock.js';

/** Several engines, of which one leads and the others are doors, on one journal in memory and under one clock. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;

interface Till {
  replica: Replica;
  payments: Engine | Door;
  told: Delivery[];
  stages: StageChange[];
}

describe('several processes on one journal', () => {
  let clock: VirtualClock;
  let fleet: MemoryFleet;
  let world: Payments;
  let tills: Till[];

  beforeEach(() => {
    clock = new VirtualClock();
    fleet = new MemoryFleet(clock);
    world = payments({ clock, simulator: { cardholder: 'none' } });
    tills = [];
  });
  afterEach(() => {
    for (const { replica } of tills) replica.kill();
  });

  const engineOptions = () => ({
    environment: 'env',
    baseUrl: world.simulator.baseUrl,
    statusUrl: world.simulator.statusUrl,
    apiKey: DEFAULT_KEY,
    send: world.simulator.send,
    clock,
    rateLimiters: new RateLimiterRegistry(clock),
    newId: ids(),
    callback: { address: 'https://till.example/payments', secret: callbackSecret(DEFAULT_KEY) },
  });

  const listening = async (replica: Replica, till: Engine | Door): Promise<Till> => {
    const told: Delivery[] = [];
    const stages: StageChange[] = [];
    till.attach(NODE, {
      deliver: (one) => told.push(one),
      progress: () => undefined,
      stage: (one) => stages.push(one),
    });
    till.releaseUnclaimed();
    await till.start();
    const joined = { replica, payments: till, told, stages };
    tills.push(joined);
    return joined;
  };
  const leads = async (id: string, replica = fleet.join(id)): Promise<Till> => {
    replica.lead();
    return listening(replica, world.createEngine({ journal: replica.journal }));
  };
  const stands = async (id: string): Promise<Till> => {
    const replica = fleet.join(id);
    return listening(replica, new Door({ ...engineOptions(), journal: replica.journal }));
  };
  const sells = ({ payments: till }: Till, key?: string, amount = '1000'): Promise<string> => {
    const order = saleOrder({ amount }, { busyWaitMs: MINUTE });
    const named = orderKey(key, 'key');
    return till.submit({ ...order, origin: { ...order.origin, ...(named && { key: named }) } });
  };
  const outcomes = ({ told }: Till) =>
    told.map(({ payload: { outcome, redelivered, correction, repeated } }) =>
      [outcome, redelivered && 'again', correction && 'correction', repeated && 'repeated'].filter(Boolean).join(' '),
    );
  const untilAsked = (): Promise<boolean> =>
    clock.runUntil(() => world.terminal.screen.stage === 'awaiting-card', MINUTE);
  const pays = async (): Promise<void> => {
    world.terminal.presentCard();
    await clock.advance(20 * SECOND);
  };
  /** The promise, once the clock has moved far enough. */
  const after = async <T>(work: Promise<T>, limit = 2 * MINUTE): Promise<T> => {
    let isOver = false;
    const settled = work.then(
      () => {
        isOver = true;
      },
      () => {
        isOver = true;
      },
    );
    await clock.runUntil(() => isOver, limit);
    await settled;
    return work;
  };

  it('a sale through a door is told by the door alone, to the very message', async () => {
    const leader = await leads('leader');
    const door = await stands('door');
    const order = saleOrder();
    const id = await after(door.payments.submit(order));
    await untilAsked();
    await pays();
    assert.deepEqual(outcomes(door), ['approved']);
    assert.equal(door.told[0]?.id, id);
    assert.equal(door.told[0]?.origin, order.origin, 'the object itself, by which its node knows the message');
    assert.equal(leader.told.length, 0);
    assert.equal(world.bank.charges().length, 1);
    const [record] = await leader.replica.journal.find({ operationId: id });
    assert.equal(record?.closed, true);
    assert.ok(door.stages.some(({ payload }) => payload.stage === 'waiting'));
  });

  it('what a door asks lies sealed in the journal', async () => {
    await leads('leader');
    const door = await stands('door');
    const order = saleOrder({ operation: 'moToSale', cardToken: 'the-token-of-a-card', channel: 'MO' });
    await after(door.payments.submit(order));
    const written = JSON.stringify([...fleet.requests.values(), ...fleet.deliveries.values(), ...fleet.inbox]);
    assert.ok(fleet.requests.size > 0);
    assert.doesNotMatch(written, /the-token-of-a-card|4711/);
  });

  it('a mistake is refused at the door, and nobody is asked', async () => {
    await leads('leader');
    const door = await stands('door');
    await assert.rejects(door.payments.submit(saleOrder({ amount: '-1' })), InputError);
    assert.equal(fleet.requests.size, 0);
  });

  it('nobody leads: the order is refused after a minute, and never sent, whoever leads then', async () => {
    const door = await stands('door');
    await assert.rejects(after(sells(door)), StandbyError);
    await leads('leader');
    await clock.advance(MINUTE);
    assert.equal(world.started.length, 0);
  });

  it('nobody leads for a while: the order waits for the next leader', async () => {
    const door = await stands('door');
    const sold = sells(door);
    await clock.advance(40 * SECOND);
    await leads('leader');
    await after(sold);
    await untilAsked();
    await pays();
    assert.deepEqual(outcomes(door), ['approved']);
  });

  it('the leader dies while the payment is open: the next one gives the result to the door, once', async () => {
    const first = await leads('first');
    const door = await stands('door');
    await after(sells(door));
    await untilAsked();
    await clock.advance(5 * SECOND);
    first.replica.kill();
    await leads('second');
    await pays();
    await clock.advance(10 * MINUTE);
    assert.deepEqual(outcomes(door), ['approved']);
    assert.equal(world.bank.charges().length, 1);
  });

  it('the leader dies between giving the result and noting that it was told: it is told once', async () => {
    const first = await leads('first');
    const door = await stands('door');
    await after(sells(door));
    await untilAsked();
    world.terminal.presentCard();
    await clock.runUntil(() => fleet.deliveries.size > 0, MINUTE);
    first.replica.kill();
    const second = await leads('second');
    await clock.advance(10 * MINUTE);
    assert.deepEqual(outcomes(door), ['approved']);
    assert.deepEqual(outcomes(second), []);
  });

  it('the door dies before the result: the leader tells it by its own node', async () => {
    const leader = await leads('leader');
    const door = await stands('door');
    await after(sells(door));
    await untilAsked();
    door.replica.kill();
    fleet.end('door');
    await pays();
    assert.deepEqual(outcomes(leader), ['approved']);
  });

  it('the door dies when it may have told the result: the leader tells it, and marks it', async () => {
    const leader = await leads('leader');
    const door = await stands('door');
    await after(sells(door));
    await untilAsked();
    world.terminal.presentCard();
    await clock.runUntil(() => fleet.deliveries.size > 0, MINUTE);
    door.replica.kill();
    await clock.advance(40 * SECOND);
    assert.deepEqual(outcomes(leader), ['approved again']);
  });

  it('a door that stood still tells nothing when it wakes up: the leader has told it', async () => {
    const leader = await leads('leader');
    const door = await stands('door');
    await after(sells(door));
    await untilAsked();
    door.replica.cut();
    world.terminal.presentCard();
    await clock.advance(50 * SECOND);
    assert.deepEqual(outcomes(leader), ['approved again']);
    door.replica.bringBack();
    await clock.advance(MINUTE);
    assert.deepEqual(outcomes(door), []);
  });

  it('a door that is cut off for a minute says so, and the result follows there once the database is back', async () => {
    const leader = await leads('leader');
    const door = await stands('door');
    await after(sells(door));
    await untilAsked();
    await clock.advance(5 * SECOND);
    for (const { replica } of [leader, door]) replica.cut();
    world.terminal.presentCard();
    await clock.advance(70 * SECOND);
    assert.deepEqual(
      door.told.map(({ exit, payload }) => [exit, payload.outcome, payload.final, payload.error?.code]),
      [['needs-attention', 'unknown', false, 'JOURNAL_UNAVAILABLE']],
    );
    leader.replica.bringBack();
    await clock.advance(5 * SECOND);
    door.replica.bringBack();
    await clock.advance(20 * SECOND);
    assert.deepEqual(outcomes(door), ['unknown', 'approved correction']);
    assert.deepEqual(outcomes(leader), []);
  });

  it('a door that cannot reach the database refuses, and nothing is sent', async () => {
    await leads('leader');
    const door = await stands('door');
    door.replica.cut();
    await assert.rejects(
      after(sells(door)),
      (error) => error instanceof PaymentError && error.code === 'JOURNAL_UNAVAILABLE',
    );
    await clock.advance(MINUTE);
    assert.equal(world.started.length, 0);
  });

  it('one key through two doors and the leader is one charge, told where each message came in', async () => {
    const leader = await leads('leader');
    const [one, two] = [await stands('one'), await stands('two')];
    await after(Promise.all([one, two, leader].map((till) => sells(till, 'order'))));
    await untilAsked();
    await pays();
    const all = [one, two, leader].flatMap(outcomes).sort();
    assert.deepEqual(all, ['approved', 'approved repeated', 'approved repeated']);
    assert.deepEqual([one.told.length, two.told.length, leader.told.length], [1, 1, 1]);
    assert.equal(world.bank.charges().length, 1);
  });

  it('a callback at a door settles the payment of the leader; a forged one is not found', async () => {
    const leader = await leads('leader');
    const door = await stands('door');
    const id = await after(sells(leader));
    await untilAsked();
    const body = JSON.stringify({ transactionReference: id, finStatus: 'DECLINED', transactionID: 'one' });
    const token = callbackToken(callbackSecret(DEFAULT_KEY), id);
    assert.equal(await door.payments.callback(id, 'forged', body), 'not-found');
    assert.equal(await door.payments.callback(id, token, body), 'taken');
    assert.equal(fleet.inbox.length, 1);
    await clock.advance(50);
    assert.deepEqual(outcomes(leader), ['declined']);
    assert.equal(fleet.inbox.length, 0);
    door.replica.cut();
    assert.equal(await door.payments.callback(id, token, body), 'unavailable');
  });

  it('a cancel at a door stops a payment of the leader, and says whether there is such a one', async () => {
    const leader = await leads('leader');
    const door = await stands('door');
    const operationId = await after(sells(leader));
    await untilAsked();
    assert.equal(await after(door.payments.cancelTarget({ operationId: 'nobody' })), false);
    assert.equal(await after(door.payments.cancelTarget({ operationId })), true);
    await clock.advance(MINUTE);
    assert.deepEqual(outcomes(leader), ['cancelled']);
    assert.equal(await after(Promise.resolve(door.payments.checkNow(operationId))), false, 'it is over');
  });

  it('whoever looks at a door sees what the leader does; while nobody looks, nothing is read', async () => {
    const leader = await leads('leader');
    const replica = fleet.join('door');
    let isObserved = false;
    const door = new Door({ ...engineOptions(), journal: replica.journal, isObserved: () => isObserved });
    await listening(replica, door);
    const seen: string[] = [];
    door.observe(({ state }) => seen.push(state.phase));
    const operationId = await after(sells(leader));
    await untilAsked();
    await clock.advance(5 * SECOND);
    assert.deepEqual(seen, []);
    isObserved = true;
    await clock.advance(5 * SECOND);
    assert.deepEqual(seen, ['waiting']);
    await after(Promise.resolve(door.cancelTarget({ operationId })));
    await clock.advance(MINUTE);
    assert.equal(seen.at(-1), 'closed');
  });

  it('a list of requests that was on its way while one was recorded does not make it lose its turn', async () => {
    const leader = await leads('leader');
    const door = await stands('door');
    const { doors, journal } = leader.replica;
    const pause = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));
    const [open, record] = [doors.requests.open, journal.record.bind(journal)];
    doors.requests.open = async (environment) => {
      const listed = await open(environment);
      // On its way while the first of two is recorded.
      if (listed.length > 1) await pause(50);
      return listed;
    };
    journal.record = async (operation) => {
      await pause(20);
      return record(operation);
    };
    const first = sells(door);
    await clock.advance(10);
    const second = sells(door, undefined, '1100');
    await after(Promise.all([first, second]));
    await untilAsked();
    await clock.advance(5 * SECOND);
    assert.equal(world.started.length, 1, 'the second waits until the first is over');
  });

  it('a leader that stops begins with no request any more: the next one does', async () => {
    const first = await leads('first');
    const door = await stands('door');
    const { requests } = first.replica.doors;
    const { open } = requests;
    let list = (): void => undefined;
    requests.open = async (environment) => {
      const listed = await open(environment);
      if (listed.length > 0)
        await new Promise<void>((resolve) => {
          list = resolve;
        });
      return listed;
    };
    const sold = sells(door);
    await clock.advance(SECOND);
    const stopped = (first.payments as Engine).stop();
    list();
    await after(stopped);
    first.replica.kill();
    await leads('second');
    await after(sold);
    assert.equal(world.started.length, 1);
  });

  it('a result that waits for its node is told once, however often the door looks', async () => {
    await leads('leader');
    const replica = fleet.join('door');
    const door = new Door({ ...engineOptions(), journal: replica.journal, log: (_level, text) => warned.push(text) });
    const warned: string[] = [];
    const told: Delivery[] = [];
    const listener = { deliver: (one: Delivery) => told.push(one), progress: () => undefined };
    await door.start();
    const till: Till = { replica, payments: door, told, stages: [] };
    tills.push(till);
    door.attach(NODE, listener)();
    door.releaseUnclaimed();
    await after(sells(till));
    await untilAsked();
    await pays();
    await clock.advance(MINUTE);
    assert.equal(warned.length, 1);
    door.attach(NODE, listener);
    assert.equal(told.length, 1);
  });

  it('what a door told right before a deploy is not told again after it', async () => {
    await leads('leader');
    const door = await stands('door');
    await after(sells(door));
    await untilAsked();
    const { deliveries } = door.replica.doors;
    const { confirm } = deliveries;
    let isLost = true;
    deliveries.confirm = async (names) => {
      if (names.length > 0 && isLost) throw new JournalError('the connection was lost');
      await confirm(names);
    };
    world.terminal.presentCard();
    await clock.runUntil(() => door.told.length > 0, MINUTE);
    const ended = (door.payments as Door).end();
    isLost = false;
    await after(ended);
    const next = await listening(door.replica, new Door({ ...engineOptions(), journal: door.replica.journal }));
    await clock.advance(MINUTE);
    assert.deepEqual(outcomes(door), ['approved']);
    assert.deepEqual(outcomes(next), []);
  });

  it('a database that can only be read: after a while the door says that its journal is away', async () => {
    await leads('leader');
    const door = await stands('door');
    await after(sells(door));
    await untilAsked();
    door.replica.mayTell = () => false;
    await clock.advance(2 * MINUTE);
    assert.deepEqual(
      door.told.map(({ payload }) => payload.error?.code),
      ['JOURNAL_UNAVAILABLE'],
    );
  });

  it('a door that ends while the database is away leaves nothing behind that asks for it', async () => {
    await leads('leader');
    const door = await stands('door');
    door.replica.doors.requests.ask = async () => {
      throw new UncertainRequestError('the connection was lost');
    };
    sells(door).catch(() => undefined);
    door.replica.cut();
    await after((door.payments as Door).end());
    let asked = 0;
    door.replica.doors.requests.withdraw = async () => {
      asked++;
      throw new JournalError('the journal is closed');
    };
    await clock.advance(MINUTE);
    assert.ok(asked <= 1, `asked ${asked} times`);
  });

  it('a door that takes over answers what it has asked itself, and tells the result once', async () => {
    const first = await leads('first');
    const door = await stands('door');
    await after(sells(door));
    await untilAsked();
    await clock.advance(5 * SECOND);
    first.replica.kill();
    const waiting = sells(door, undefined, '1100');
    await clock.advance(SECOND);
    await door.payments.stop();
    const taken = await leads('door', door.replica);
    await after(waiting);
    await pays();
    await untilAsked();
    await pays();
    await clock.advance(MINUTE);
    assert.deepEqual([...outcomes(door), ...outcomes(taken)], ['approved', 'approved']);
    assert.equal(world.bank.charges().length, 2);
  });
});

/** UUID v4, in a row. */
function ids(): () => string {
  const start = Math.floor(Math.random() * 2 ** 40);
  let drawn = 0;
  return () => `00000000-0000-4000-9000-${(start + ++drawn).toString(16).padStart(12, '0')}`;
}
