import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { callbackSecret, callbackToken } from '../../../../src/core/base/callback.js';
import { InputError } from '../../../../src/core/base/errors.js';
import { Door } from '../../../../src/core/engine/doors/door.js';
import { DEFAULT_KEY } from '../../../../src/simulator/index.js';
import { NODE, saleOrder } from '../../../harness/payments.js';
import { openShop, type Shop } from '../../../harness/shop.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Several processes on one journal, of which one leads and the others are doors. */
describe('several processes on one journal', () => {
  let shop: Shop;

  beforeEach(() => {
    shop = openShop();
  });
  afterEach(() => shop.close());

  it('a sale through a door is told by the door alone, to the very message', async () => {
    const leader = await shop.leads('leader');
    const door = await shop.stands('door');
    const order = saleOrder();
    const id = await shop.after(door.payments.submit(order));
    await shop.untilAsked();
    await shop.pays();
    assert.deepEqual(shop.outcomes(door), ['approved']);
    assert.equal(door.told[0]?.id, id);
    assert.equal(door.told[0]?.origin, order.origin, 'the object itself, by which its node knows the message');
    assert.equal(leader.told.length, 0);
    assert.equal(shop.world.bank.charges().length, 1);
    const [record] = await leader.replica.journal.find({ operationId: id });
    assert.equal(record?.closed, true);
    assert.ok(door.stages.some(({ payload }) => payload.stage === 'waiting'));
  });

  it('what the database has as a request again, after it went on from an older copy, is not charged again', async () => {
    await shop.leads('leader');
    const door = await shop.stands('door');
    const sale = await shop.after(door.payments.submit(saleOrder({ operation: 'saleAndTokenizeCard' })));
    await shop.untilAsked();
    await shop.pays();
    const body = { amount: '37.00', currency: 'EUR', cardToken: door.told[0]?.payload.card.token ?? '' };
    const moto = await shop.after(
      door.payments.submitBackOffice({ operation: 'moto/sale', body }, { node: NODE, message: {} }),
    );
    await shop.world.clock.advance(MINUTE);
    assert.deepEqual(shop.outcomes(door), ['approved', 'approved']);
    assert.equal(shop.world.bank.charges().length, 2);
    for (const id of [sale, moto]) {
      const request = shop.fleet.requests.get(id);
      assert.ok(request);
      shop.fleet.disk.operations.delete(id);
      Object.assign(request, { answer: undefined, until: shop.world.clock.now() + MINUTE });
    }
    shop.fleet.ring();
    await shop.world.clock.advance(2 * MINUTE);
    for (const id of [sale, moto]) assert.ok(shop.fleet.isRecorded(id), 'the leader has begun with it again');
    assert.equal(shop.world.bank.charges().length, 2);
  });

  it('what a door asks lies sealed in the journal', async () => {
    await shop.leads('leader');
    const door = await shop.stands('door');
    const order = saleOrder({ operation: 'moToSale', cardToken: 'the-token-of-a-card', channel: 'MO' });
    await shop.after(door.payments.submit(order));
    const written = JSON.stringify([
      ...shop.fleet.requests.values(),
      ...shop.fleet.deliveries.values(),
      ...shop.fleet.inbox,
    ]);
    assert.ok(shop.fleet.requests.size > 0);
    assert.doesNotMatch(written, /the-token-of-a-card|order\W+4711/);
  });

  it('a mistake is refused at the door, and nobody is asked', async () => {
    await shop.leads('leader');
    const door = await shop.stands('door');
    await assert.rejects(door.payments.submit(saleOrder({ amount: '-1' })), InputError);
    assert.equal(shop.fleet.requests.size, 0);
  });

  it('one key through two doors and the leader is one charge, told where each message came in', async () => {
    const leader = await shop.leads('leader');
    const [one, two] = [await shop.stands('one'), await shop.stands('two')];
    await shop.after(Promise.all([one, two, leader].map((till) => shop.sells(till, 'order'))));
    await shop.untilAsked();
    await shop.pays();
    const all = [one, two, leader].flatMap(shop.outcomes).sort();
    assert.deepEqual(all, ['approved', 'approved repeated', 'approved repeated']);
    assert.deepEqual([one.told.length, two.told.length, leader.told.length], [1, 1, 1]);
    assert.equal(shop.world.bank.charges().length, 1);
  });

  it('a callback at a door settles the payment of the leader; a forged one is not found', async () => {
    const leader = await shop.leads('leader');
    const door = await shop.stands('door');
    const id = await shop.after(shop.sells(leader));
    await shop.untilAsked();
    const body = JSON.stringify({ transactionReference: id, finStatus: 'DECLINED', transactionID: 'one' });
    const token = callbackToken(callbackSecret(DEFAULT_KEY), id);
    assert.equal(await door.payments.callback(id, 'forged', body), 'not-found');
    assert.equal(await door.payments.callback(id, token, body), 'taken');
    assert.equal(shop.fleet.inbox.length, 1);
    await shop.clock.advance(50);
    assert.deepEqual(shop.outcomes(leader), ['declined']);
    assert.equal(shop.fleet.inbox.length, 0);
    door.replica.cut();
    assert.equal(await door.payments.callback(id, token, body), 'unavailable');
  });

  it('a cancel right after an order at a door stops it, however long the order takes to get into the journal', async () => {
    await shop.leads('leader');
    const door = await shop.stands('door');
    const { requests } = door.replica.doors;
    const { ask } = requests;
    requests.ask = async (request, forMs) => {
      if (request.kind === 'order') await new Promise<void>((resolve) => shop.clock.after(SECOND, resolve));
      return ask(request, forMs);
    };
    const sold = shop.sells(door);
    assert.equal(await shop.after(door.payments.cancelTarget({ node: NODE })), true);
    await sold;
    await shop.clock.advance(20 * SECOND);
    assert.deepEqual(shop.outcomes(door), ['cancelled']);
  });

  it('a cancel at a door stops a payment of the leader, and says whether there is such a one', async () => {
    const leader = await shop.leads('leader');
    const door = await shop.stands('door');
    const operationId = await shop.after(shop.sells(leader));
    await shop.untilAsked();
    assert.equal(await shop.after(door.payments.cancelTarget({ operationId: 'nobody' })), false);
    assert.equal(await shop.after(door.payments.cancelTarget({ operationId })), true);
    await shop.clock.advance(MINUTE);
    assert.deepEqual(shop.outcomes(leader), ['cancelled']);
    assert.equal(await shop.after(Promise.resolve(door.payments.checkNow(operationId))), false, 'it is over');
  });

  it('whoever looks at a door sees what the leader does; while nobody looks, nothing is read', async () => {
    const leader = await shop.leads('leader');
    const replica = shop.fleet.join('door');
    let isObserved = false;
    const door = new Door({ ...shop.engineOptions(), journal: replica.journal, isObserved: () => isObserved });
    await shop.listening(replica, door);
    const seen: string[] = [];
    door.observe(({ state }) => seen.push(state.phase));
    const operationId = await shop.after(shop.sells(leader));
    await shop.untilAsked();
    await shop.clock.advance(5 * SECOND);
    assert.deepEqual(seen, []);
    isObserved = true;
    await shop.clock.advance(5 * SECOND);
    assert.deepEqual(seen, ['waiting']);
    await shop.after(Promise.resolve(door.cancelTarget({ operationId })));
    await shop.clock.advance(MINUTE);
    assert.equal(seen.at(-1), 'closed');
  });
});
