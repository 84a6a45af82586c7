import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { JournalError, StandbyError } from '../../../../src/core/base/errors.js';
import type { Delivery } from '../../../../src/core/delivery/listener.js';
import { Door } from '../../../../src/core/engine/doors/door.js';
import { UncertainRequestError } from '../../../../src/core/journal/doors.js';
import { NODE } from '../../../harness/payments.js';
import { openShop, type Shop, type Till } from '../../../harness/shop.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** The nodes of the till stand for those that come with the deploy. */
describe('a door that is deployed while the database is away', () => {
  let shop: Shop;
  let leader: Till;
  let door: Till;
  let sold: Promise<string>;
  beforeEach(async () => {
    shop = openShop();
    leader = await shop.leads('leader');
    door = await shop.stands('door');
  });
  afterEach(() => shop.close());

  /** The database goes away before the door knows what became of an order. */
  const loses = async ({ isAsked }: { isAsked: boolean }): Promise<void> => {
    const { requests } = door.replica.doors;
    const { ask } = requests;
    requests.ask = async (...asked) => {
      if (isAsked) await ask(...asked);
      door.replica.cut();
      throw new UncertainRequestError('the connection was lost');
    };
    sold = shop.sells(door);
    sold.catch(() => undefined);
    if (isAsked) await shop.untilAsked();
  };
  const ends = async (till: Till): Promise<void> => {
    assert.ok(till.payments instanceof Door);
    await shop.after(till.payments.end());
  };
  const settles = async (till: Till): Promise<void> => {
    assert.ok(till.payments instanceof Door);
    await shop.after(till.payments.settled);
  };

  const isSettled = async ({ payments }: Till): Promise<boolean> => {
    assert.ok(payments instanceof Door);
    let isOver = false;
    void payments.settled.then(() => {
      isOver = true;
    });
    await shop.clock.advance(0);
    return isOver;
  };

  it('refuses an order that nobody has taken, once that is certain', async () => {
    await loses({ isAsked: false });
    await ends(door);
    const { requests } = door.replica.doors;
    const { withdraw } = requests;
    requests.withdraw = () => Promise.reject(new JournalError('the connection was lost'));
    door.replica.bringBack();
    await shop.clock.advance(5 * SECOND);
    assert.equal(await isSettled(door), false);
    requests.withdraw = withdraw;
    await assert.rejects(shop.after(sold), StandbyError);
    await settles(door);
    assert.equal(shop.world.started.length, 0);
  });

  it('leaves to the next door an order that the leader has taken, which tells its end once', async () => {
    await loses({ isAsked: true });
    await ends(door);
    const next = await shop.stands('door', door.replica);
    await shop.clock.advance(SECOND);
    door.replica.bringBack();
    await shop.after(sold);
    await settles(door);
    await shop.pays();
    assert.deepEqual([shop.outcomes(door), shop.outcomes(next), shop.outcomes(leader)], [[], ['approved'], []]);
    assert.equal(shop.world.bank.charges().length, 1);
  });

  it('tells the flow after a minute that nobody knows, and that the order was not taken as a correction', async () => {
    await loses({ isAsked: false });
    await ends(door);
    await shop.clock.advance(MINUTE);
    assert.deepEqual(shop.outcomes(door), ['unknown']);
    await shop.after(sold);
    door.replica.bringBack();
    await settles(door);
    assert.deepEqual(shop.outcomes(door), ['unknown', 'not-charged correction']);
  });

  it('keeps what it has to tell for the nodes that come with the deploy', async () => {
    const isOver = (): boolean => door.payments instanceof Door && door.payments.isOver;
    const node = { deliver: (one: Delivery) => door.told.push(one), progress: () => undefined };
    await loses({ isAsked: false });
    await shop.clock.advance(90 * SECOND);
    assert.deepEqual(shop.outcomes(door), ['unknown']);
    door.payments.attach(NODE, node)();
    await ends(door);
    door.replica.bringBack();
    await settles(door);
    assert.equal(isOver(), false);
    door.payments.attach(NODE, node);
    assert.deepEqual(shop.outcomes(door), ['unknown', 'not-charged correction']);
    assert.equal(isOver(), true);
  });

  it('leaves it at Catch where no node was there to hear that nobody knows', async () => {
    const node = { deliver: (one: Delivery) => door.told.push(one), progress: () => undefined };
    door.payments.attach(NODE, node)();
    await loses({ isAsked: false });
    await ends(door);
    await shop.clock.advance(90 * SECOND);
    door.replica.bringBack();
    await assert.rejects(shop.after(sold), StandbyError);
    door.payments.attach(NODE, node);
    assert.deepEqual(shop.outcomes(door), []);
  });

  it('tells the end once more, where the leader told it because it counted this process as dead', async () => {
    await loses({ isAsked: true });
    await ends(door);
    await shop.pays();
    await shop.clock.advance(MINUTE);
    assert.deepEqual([shop.outcomes(door), shop.outcomes(leader)], [['unknown'], ['approved again']]);
    door.replica.bringBack();
    await settles(door);
    assert.deepEqual(shop.outcomes(door), ['unknown', 'approved again correction']);
  });

  it('tells after a minute that nobody knows of an order that was accepted, too', async () => {
    await shop.after(shop.sells(door));
    door.replica.cut();
    await ends(door);
    assert.equal(await isSettled(door), false);
    await shop.clock.advance(MINUTE);
    assert.deepEqual(shop.outcomes(door), ['unknown']);
    door.replica.bringBack();
    await settles(door);
  });

  it('is over at once where nothing waits for it', async () => {
    door.replica.cut();
    const before = shop.clock.now();
    await ends(door);
    await settles(door);
    assert.equal(shop.clock.now(), before);
  });
});
