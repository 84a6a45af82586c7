import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { callbackSecrets, callbackToken } from '../../../../src/core/base/callback.js';
import { Door } from '../../../../src/core/engine/doors/door.js';
import { Engine } from '../../../../src/core/engine/engine.js';
import { DEFAULT_KEY } from '../../../../src/simulator/index.js';
import { openShop, type Shop, type Till } from '../../../harness/shop.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const BEFORE = callbackSecrets('', [DEFAULT_KEY]);
const NEW = callbackSecrets('a secret of its own', [DEFAULT_KEY]);

/** The environment gets a callback secret, which one Node-RED after the other learns at its deploy. */
describe('several processes on one journal while the callback secret is changed', () => {
  let shop: Shop;
  let logged: string[];
  beforeEach(() => {
    shop = openShop();
    logged = [];
  });
  afterEach(() => shop.close());

  const tuned = (secrets: typeof BEFORE) => ({
    callback: { address: 'https://till.example/payments', ...secrets },
    log: (_level: string, text: string) => logged.push(text),
  });
  const leads = (secrets: typeof BEFORE, replica = shop.fleet.join('leader')): Promise<Till> =>
    shop.listening(replica.lead(), shop.world.createEngine({ journal: replica.journal, ...tuned(secrets) }));
  const stands = (secrets: typeof BEFORE, replica = shop.fleet.join('door')): Promise<Till> =>
    shop.listening(replica, new Door({ ...shop.engineOptions(), journal: replica.journal, ...tuned(secrets) }));
  const sold = async (till: Till): Promise<string> => {
    const id = await shop.after(shop.sells(till));
    await shop.untilAsked();
    return id;
  };
  const callsBack = async ({ payments }: Till, id: string): Promise<void> => {
    const body = {
      transactionReference: id,
      transactionID: '11111111-1111-4111-8111-111111111111',
      finStatus: 'AUTHORISED',
      type: 'SALE',
      totalAmount: 1000,
      requestedAmount: 1000,
      currency: 'EUR',
      authorisationCode: '123456',
      issuerResponseCode: '00',
    };
    const called = payments.callback(id, callbackToken(BEFORE.secret, id), JSON.stringify(body));
    assert.equal(await shop.after(called), 'taken');
    await shop.clock.advance(5 * SECOND);
  };
  const kept = (): string[] => logged.filter((text) => text.includes('cannot be opened'));

  it('a callback that the leader cannot open yet is kept, and settles once it has the secret too', async () => {
    const leader = await leads(BEFORE);
    const door = await stands(NEW);
    const id = await sold(leader);
    await callsBack(door, id);
    assert.deepEqual(shop.outcomes(leader), []);
    assert.equal(kept().length, 1);
    assert.ok(leader.payments instanceof Engine);
    await shop.after(leader.payments.stop());
    const next = await leads(NEW, leader.replica);
    await shop.clock.advance(5 * SECOND);
    assert.deepEqual(shop.outcomes(next), ['approved']);
    assert.deepEqual(shop.fleet.inbox, []);
    assert.equal(kept().length, 1, 'a person is told once');
  });

  it('a callback that a door with the secret of before has taken settles at once', async () => {
    const leader = await leads(NEW);
    const door = await stands(BEFORE);
    const id = await sold(leader);
    await callsBack(door, id);
    assert.deepEqual(shop.outcomes(leader), ['approved']);
    assert.deepEqual(shop.fleet.inbox, []);
  });

  it('a door that has the new secret tells what the leader gives it under the one before', async () => {
    await leads(BEFORE);
    const door = await stands(BEFORE);
    await sold(door);
    assert.ok(door.payments instanceof Door);
    await shop.after(door.payments.end());
    const next = await stands(NEW, door.replica);
    await shop.pays();
    assert.deepEqual(shop.outcomes(next), ['approved']);
  });

  it('a result that a door cannot open yet is kept, said to be so once, and told once it has the secret too', async () => {
    const leader = await leads(BEFORE);
    const door = await stands(BEFORE);
    await sold(door);
    assert.ok(leader.payments instanceof Engine);
    await shop.after(leader.payments.stop());
    await leads(NEW, leader.replica);
    await shop.pays();
    await shop.clock.advance(MINUTE);
    assert.deepEqual(shop.outcomes(door), []);
    assert.equal(kept().length, 1);
    assert.ok(door.payments instanceof Door);
    await shop.after(door.payments.end());
    const next = await stands(NEW, door.replica);
    await shop.clock.advance(5 * SECOND);
    assert.deepEqual(shop.outcomes(next), ['approved']);
  });
});
