import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { RateLimiterRegistry } from '../../../../src/core/api/transport/rate-limiter.js';
import { JournalError, PaymentError, StandbyError } from '../../../../src/core/base/errors.js';
import type { HttpRequest } from '../../../../src/core/base/seams.js';
import { saleOrder } from '../../../harness/payments.js';
import { openShop, type Shop, type Till } from '../../../harness/shop.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** One of several processes on one journal ends, stands still, or loses the database. */
describe('several processes on one journal, of which one fails', () => {
  let shop: Shop;

  beforeEach(() => {
    shop = openShop();
  });
  afterEach(() => shop.close());

  it('nobody leads: the order is refused after a minute, and never sent, whoever leads then', async () => {
    const door = await shop.stands('door');
    await assert.rejects(shop.after(shop.sells(door)), StandbyError);
    await shop.leads('leader');
    await shop.clock.advance(MINUTE);
    assert.equal(shop.world.started.length, 0);
  });

  it('nobody leads, and the answer to taking the order back is lost: it is refused once that is known', async () => {
    const door = await shop.stands('door');
    const { requests } = door.replica.doors;
    const { withdraw } = requests;
    let isLost = true;
    requests.withdraw = async (...asked) => {
      const answer = await withdraw(...asked);
      if (!isLost) return answer;
      isLost = false;
      throw new JournalError('the connection was lost');
    };
    await assert.rejects(shop.after(shop.sells(door)), StandbyError);
  });

  it('an order that was recorded is never refused, however late its door hears of it', async () => {
    await shop.leads('leader');
    const door = await shop.stands('door');
    door.replica.doors.requests.answers = async () => new Map();
    const id = await shop.after(shop.sells(door));
    assert.equal(shop.fleet.requests.get(id)?.answer, 'accepted');
  });

  it('nobody leads for a while: the order waits for the next leader', async () => {
    const door = await shop.stands('door');
    const sold = shop.sells(door);
    const askedAt = shop.clock.now();
    await shop.clock.advance(40 * SECOND);
    const leader = await shop.leads('leader');
    const operationId = await shop.after(sold);
    await shop.untilAsked();
    await shop.pays();
    assert.deepEqual(shop.outcomes(door), ['approved']);
    const [record] = await leader.replica.journal.find({ operationId });
    assert.equal(record?.createdAt, askedAt, 'it is as old as if it had come there at once');
  });

  it('the leader dies while the payment is open: the next one gives the result to the door, once', async () => {
    const { leader: first, door } = await shop.paying();
    await shop.clock.advance(5 * SECOND);
    first.replica.kill();
    await shop.leads('second');
    await shop.pays();
    await shop.clock.advance(10 * MINUTE);
    assert.deepEqual(shop.outcomes(door), ['approved']);
    assert.equal(shop.world.bank.charges().length, 1);
  });

  it('the leader dies between giving the result and noting that it was told: it is told once', async () => {
    const { leader: first, door } = await shop.paying();
    shop.world.terminal.presentCard();
    await shop.clock.runUntil(() => shop.fleet.deliveries.size > 0, MINUTE);
    first.replica.kill();
    const second = await shop.leads('second');
    await shop.clock.advance(10 * MINUTE);
    assert.deepEqual(shop.outcomes(door), ['approved']);
    assert.deepEqual(shop.outcomes(second), []);
  });

  it('the leader dies right after it has sent what its key may: the next one sends nothing within that second', async () => {
    const sentAt: number[] = [];
    const ofItsOwn = () => ({
      rateLimiters: new RateLimiterRegistry(shop.clock),
      send: (request: HttpRequest) => {
        if (request.method === 'POST') sentAt.push(shop.clock.now());
        return shop.world.simulator.send(request);
      },
    });
    const lead = async (id: string): Promise<Till> => {
      const replica = shop.fleet.join(id).lead();
      return shop.listening(replica, shop.world.createEngine({ journal: replica.journal, ...ofItsOwn() }));
    };
    const first = await lead('first');
    await shop.clock.advance(2 * SECOND);
    await shop.sells(first);
    await shop.untilAsked();
    first.replica.kill();
    const before = sentAt.length;
    const second = await lead('second');
    await second.payments.submit(saleOrder({ serial_number: '10000002' }));
    await shop.clock.advance(MINUTE);
    const [last = 0, next = 0] = sentAt.slice(before - 1);
    assert.ok(next - last >= SECOND, `${next - last} ms`);
  });

  it('the door dies before the result: the leader tells it by its own node', async () => {
    const { leader, door } = await shop.paying();
    door.replica.kill();
    shop.fleet.end('door');
    await shop.pays();
    assert.deepEqual(shop.outcomes(leader), ['approved']);
  });

  it('the door dies when it may have told the result: the leader tells it, and marks it', async () => {
    const { leader, door } = await shop.paying();
    shop.world.terminal.presentCard();
    await shop.clock.runUntil(() => shop.fleet.deliveries.size > 0, MINUTE);
    door.replica.kill();
    await shop.clock.advance(40 * SECOND);
    assert.deepEqual(shop.outcomes(leader), ['approved again']);
  });

  it('a door that stood still tells nothing when it wakes up: the leader has told it', async () => {
    const { leader, door } = await shop.paying();
    door.replica.cut();
    shop.world.terminal.presentCard();
    await shop.clock.advance(50 * SECOND);
    assert.deepEqual(shop.outcomes(leader), ['approved again']);
    door.replica.bringBack();
    await shop.clock.advance(MINUTE);
    assert.deepEqual(shop.outcomes(door), []);
  });

  it('a door tells nothing of what it read before it was counted as dead', async () => {
    const leader = await shop.leads('leader');
    const door = await shop.stands('door');
    const { deliveries } = door.replica.doors;
    const { untold } = deliveries;
    let letGo: () => void = () => undefined;
    deliveries.untold = async (...asked) => {
      const read = await untold(...asked);
      if (read.length === 0) return read;
      deliveries.untold = untold;
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
      return read;
    };
    await shop.after(shop.sells(door));
    await shop.untilAsked();
    shop.world.terminal.presentCard();
    await shop.clock.runUntil(() => deliveries.untold === untold, MINUTE);
    shop.fleet.end('door');
    await shop.clock.advance(20 * SECOND);
    assert.deepEqual(shop.outcomes(leader), ['approved again']);
    assert.equal(door.replica.mayTell(), true, 'it is back');
    letGo();
    await shop.clock.advance(MINUTE);
    assert.deepEqual(shop.outcomes(door), []);
  });

  it('a door whose lease may have ended takes no order, though it can reach the database', async () => {
    await shop.leads('leader');
    const door = await shop.stands('door');
    door.replica.until = 0;
    await assert.rejects(shop.sells(door), JournalError);
    assert.equal(shop.fleet.requests.size, 0);
  });

  it('a door that takes over does not tell again what it has told for the former leader', async () => {
    const { leader: first, door } = await shop.paying();
    shop.world.terminal.presentCard();
    await shop.clock.runUntil(() => door.told.length > 0, MINUTE);
    first.replica.kill();
    await door.payments.stop();
    const taken = await shop.leads('door', door.replica);
    await shop.clock.advance(10 * MINUTE);
    assert.deepEqual([...shop.outcomes(door), ...shop.outcomes(taken)], ['approved']);
    assert.equal((await taken.payments.open()).length, 0, 'it is known that it was told');
  });

  it('a door that is cut off for a minute says so, and the result follows there once the database is back', async () => {
    const { leader, door } = await shop.paying();
    await shop.clock.advance(5 * SECOND);
    for (const { replica } of [leader, door]) replica.cut();
    shop.world.terminal.presentCard();
    await shop.clock.advance(70 * SECOND);
    assert.deepEqual(
      door.told.map(({ exit, payload }) => [exit, payload.outcome, payload.final, payload.error?.code]),
      [['needs-attention', 'unknown', false, 'JOURNAL_UNAVAILABLE']],
    );
    leader.replica.bringBack();
    await shop.clock.advance(5 * SECOND);
    door.replica.bringBack();
    await shop.clock.advance(20 * SECOND);
    assert.deepEqual(shop.outcomes(door), ['unknown', 'approved correction']);
    assert.deepEqual(shop.outcomes(leader), []);
  });

  it('a door that cannot reach the database refuses, and nothing is sent', async () => {
    await shop.leads('leader');
    const door = await shop.stands('door');
    door.replica.cut();
    await assert.rejects(
      shop.after(shop.sells(door)),
      (error) => error instanceof PaymentError && error.code === 'JOURNAL_UNAVAILABLE',
    );
    await shop.clock.advance(MINUTE);
    assert.equal(shop.world.started.length, 0);
  });

  it('a door that takes over before it could note what it has told does not tell it again', async () => {
    const { leader, door } = await shop.paying();
    const { deliveries } = door.replica.doors;
    const { confirm } = deliveries;
    deliveries.confirm = async (names) => {
      if (names.length > 0) throw new JournalError('the database is away');
    };
    shop.world.terminal.presentCard();
    await shop.clock.runUntil(() => door.told.length > 0, MINUTE);
    leader.replica.kill();
    deliveries.confirm = confirm;
    await door.payments.stop();
    const taken = await shop.leads('door', door.replica);
    await shop.clock.advance(10 * MINUTE);
    assert.deepEqual([...shop.outcomes(door), ...shop.outcomes(taken)], ['approved']);
  });

  it('a door that takes over goes on to say how far its own payments have come', async () => {
    const { leader, door } = await shop.paying();
    leader.replica.kill();
    await door.payments.stop();
    const taken = await shop.leads('door', door.replica);
    await shop.clock.advance(MINUTE);
    assert.ok(taken.stages.length > 0);
  });

  it('whoever repeats an order is corrected only where its own node has heard that the journal is away', async () => {
    const leader = await shop.leads('leader');
    const door = await shop.stands('door');
    await shop.after(Promise.all([leader, door].map((till) => shop.sells(till, 'order'))));
    await shop.untilAsked();
    leader.replica.cut();
    shop.world.terminal.presentCard();
    await shop.clock.advance(2 * MINUTE);
    leader.replica.bringBack();
    await shop.clock.advance(MINUTE);
    assert.deepEqual([shop.outcomes(leader).length, shop.outcomes(leader)[1]], [2, 'approved correction']);
    assert.deepEqual(shop.outcomes(door), ['approved repeated']);
  });

  it('a door that takes over answers what it has asked itself, and tells the result once', async () => {
    const { leader: first, door } = await shop.paying();
    await shop.clock.advance(5 * SECOND);
    first.replica.kill();
    const waiting = shop.sells(door, undefined, '1100');
    await shop.clock.advance(SECOND);
    await door.payments.stop();
    const taken = await shop.leads('door', door.replica);
    await shop.after(waiting);
    await shop.pays();
    await shop.untilAsked();
    await shop.pays();
    await shop.clock.advance(MINUTE);
    assert.deepEqual([...shop.outcomes(door), ...shop.outcomes(taken)], ['approved', 'approved']);
    assert.equal(shop.world.bank.charges().length, 2);
  });
});
