import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { JournalError } from '../../../../src/core/base/errors.js';
import type { Delivery } from '../../../../src/core/delivery/listener.js';
import { Door } from '../../../../src/core/engine/doors/door.js';
import { NODE, saleOrder } from '../../../harness/payments.js';
import { openShop, type Shop } from '../../../harness/shop.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

describe('doors, where one thing overtakes another', () => {
  let shop: Shop;
  beforeEach(() => {
    shop = openShop();
  });
  afterEach(() => shop.close());

  it('a list of requests that was on its way while one was recorded does not make it lose its turn', async () => {
    const leader = await shop.leads('leader');
    const door = await shop.stands('door');
    const { doors, journal } = leader.replica;
    const pause = (ms: number) => new Promise<void>((resolve) => shop.clock.after(ms, resolve));
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
    const first = shop.sells(door);
    await shop.clock.advance(10);
    const second = shop.sells(door, undefined, '1100');
    await shop.after(Promise.all([first, second]));
    await shop.untilAsked();
    await shop.clock.advance(5 * SECOND);
    assert.equal(shop.world.started.length, 1, 'the second waits until the first is over');
  });

  it('a result that waits for its node is told once, however often the door looks', async () => {
    await shop.leads('leader');
    const replica = shop.fleet.join('door');
    const door = new Door({
      ...shop.engineOptions(),
      journal: replica.journal,
      log: (_level, text) => warned.push(text),
    });
    const warned: string[] = [];
    const told: Delivery[] = [];
    const listener = { deliver: (one: Delivery) => told.push(one), progress: () => undefined };
    await door.start();
    door.attach(NODE, listener)();
    door.releaseUnclaimed();
    await shop.after(door.submit(saleOrder()));
    await shop.untilAsked();
    await shop.pays();
    await shop.clock.advance(MINUTE);
    assert.equal(warned.length, 1);
    door.attach(NODE, listener);
    assert.equal(told.length, 1);
  });

  it('a result that waits for its node is not told by a door that was counted as dead meanwhile', async () => {
    const { leader, door } = await shop.paying();
    const listener = { deliver: (one: Delivery) => door.told.push(one), progress: () => undefined };
    door.payments.attach(NODE, listener)();
    await shop.pays();
    door.replica.cut();
    await shop.clock.advance(50 * SECOND);
    assert.deepEqual(shop.outcomes(leader), ['approved again']);
    door.replica.bringBack();
    assert.equal(door.replica.mayTell(), true);
    door.payments.attach(NODE, listener);
    await shop.clock.advance(MINUTE);
    assert.deepEqual(shop.outcomes(door), []);
  });

  it('a door that takes over tells what the leader had taken and a journal from an older copy does not know', async () => {
    const leader = await shop.leads('leader');
    const replica = shop.fleet.join('door');
    const logged: string[] = [];
    const log = (_level: string, text: string): unknown => logged.push(text);
    const door = await shop.listening(replica, new Door({ ...shop.engineOptions(), journal: replica.journal, log }));
    const lost = await shop.after(shop.sells(door, 'order-1'));
    const { operations } = shop.fleet.disk;
    const atFirst = [...operations.keys()];
    await shop.after(shop.sells(door, 'order-2', '1100'));
    leader.replica.kill();
    for (const id of atFirst) operations.delete(id);
    await shop.after(door.payments.stop());
    assert.equal(logged.length, 1, logged.join());
    assert.match(logged.join(), new RegExp(`${lost}: the journal has lost this sale .* look at it`));
    const [told, ...more] = door.told;
    assert.deepEqual([told?.id, told?.exit, told?.payload.error?.code], [lost, 'needs-attention', 'RECORD_LOST']);
    assert.deepEqual(more, []);
  });

  it('a door that takes over asks for all that the leader had taken at once, so that open payments wait for one answer', async () => {
    const leader = await shop.leads('leader');
    const door = await shop.stands('door');
    for (const amount of ['1000', '1100', '1200']) await shop.after(shop.sells(door, undefined, amount));
    leader.replica.kill();
    const { journal } = door.replica;
    const find = journal.find.bind(journal);
    journal.find = async (query, limit) => {
      await new Promise<void>((resolve) => shop.clock.after(8 * SECOND, resolve));
      return find(query, limit);
    };
    const from = shop.clock.now();
    await shop.after(door.payments.stop());
    assert.ok(shop.clock.now() - from < 10 * SECOND, `it took ${shop.clock.now() - from} ms`);
  });

  it('the whole of a payment is what the leader has just made it, at a door whose clock is two minutes ahead too', async () => {
    shop.close();
    shop = openShop({ timings: { statusLagMs: 10_000 } });
    const { leader } = await shop.paying();
    await shop.pays();
    const [{ transactionId = '' } = {}] = await leader.payments.recent(1);
    await shop.clock.advance(MINUTE);
    const body = { transactionID: transactionId, amount: '2.00', currency: 'EUR' };
    await shop.after(
      leader.payments.submitBackOffice({ operation: 'tip-adjustment', body }, { node: NODE, message: {} }),
    );
    await shop.clock.advance(SECOND);
    const replica = shop.fleet.join('ahead');
    const clock = { ...boundClock(shop), now: () => shop.clock.now() + 2 * MINUTE };
    const ahead = await shop.listening(replica, new Door({ ...shop.engineOptions(), clock, journal: replica.journal }));
    const whole = await shop.after(Promise.resolve(ahead.payments.whole(transactionId)));
    assert.deepEqual(whole, { amount: 1200n, currency: 'EUR' });
  });

  it('what a door told right before a deploy is not told again after it', async () => {
    const { door } = await shop.paying();
    const { deliveries } = door.replica.doors;
    const { confirm } = deliveries;
    let isLost = true;
    deliveries.confirm = async (names) => {
      if (names.length > 0 && isLost) throw new JournalError('the connection was lost');
      await confirm(names);
    };
    shop.world.terminal.presentCard();
    await shop.clock.runUntil(() => door.told.length > 0, MINUTE);
    const ended = (door.payments as Door).end();
    isLost = false;
    await shop.after(ended);
    const next = await shop.listening(
      door.replica,
      new Door({ ...shop.engineOptions(), journal: door.replica.journal }),
    );
    await shop.clock.advance(MINUTE);
    assert.deepEqual(shop.outcomes(door), ['approved']);
    assert.deepEqual(shop.outcomes(next), []);
  });

  it('a database that can only be read: after a while the door says that its journal is away', async () => {
    const { door } = await shop.paying();
    door.replica.mayTell = () => false;
    await shop.clock.advance(2 * MINUTE);
    assert.deepEqual(
      door.told.map(({ payload }) => payload.error?.code),
      ['JOURNAL_UNAVAILABLE'],
    );
  });
});

function boundClock({ clock }: Shop) {
  return { wall: () => clock.wall(), after: clock.after.bind(clock) };
}
