import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { JournalError } from '../../../../src/core/base/errors.js';
import { Door } from '../../../../src/core/engine/doors/door.js';
import { Engine } from '../../../../src/core/engine/engine.js';
import { NODE, saleOrder } from '../../../harness/payments.js';
import { openShop, type Shop, type Till } from '../../../harness/shop.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** The flow is told "unknown" 30 s after it, where the terminal says nothing. */
const DEADLINE = 20 * SECOND;

/** Several verdicts on one message, whose processes fail between them. */
describe('several processes on one journal: what corrects what', () => {
  let shop: Shop;
  beforeEach(() => {
    shop = openShop();
  });
  afterEach(() => shop.close());

  /** Its terminal is switched off, so that "unknown" comes first, and the end once that is on again. */
  const sellsInAHurry = async ({ payments }: Till): Promise<void> => {
    await shop.after(payments.submit(saleOrder({}, { deadlineMs: DEADLINE })));
    await shop.untilAsked();
    shop.world.terminal.goOffline();
    await shop.clock.advance(DEADLINE);
  };
  const postedAre = (count: number): Promise<boolean> =>
    shop.clock.runUntil(() => shop.fleet.deliveries.size >= count, 2 * MINUTE);

  /** Its door loses the database before it hears of "unknown". */
  const sellsAndIsCut = async (door: Till): Promise<void> => {
    await sellsInAHurry(door);
    await shop.clock.advance(20 * SECOND);
    door.replica.cut();
    await postedAre(1);
  };
  /** A door that lost the database has said that nobody knows, and the leader has told the end for it. */
  const endToldByLeader = async (): Promise<{ leader: Till; door: Till }> => {
    const leader = await shop.leads('leader');
    const door = await shop.stands('door');
    await shop.after(shop.sells(door));
    await shop.untilAsked();
    door.replica.cut();
    await shop.pays();
    await shop.clock.advance(MINUTE);
    assert.deepEqual([shop.outcomes(leader), shop.outcomes(door)], [['approved again'], ['unknown']]);
    return { leader, door };
  };

  it('a result is no correction where the door has replaced what came before, and nobody has heard that', async () => {
    await shop.leads('leader');
    const door = await shop.stands('door');
    await sellsAndIsCut(door);
    shop.world.terminal.goOnline();
    await postedAre(2);
    door.replica.bringBack();
    await shop.clock.advance(10 * SECOND);
    assert.deepEqual(shop.outcomes(door), ['cancelled']);
  });

  it('nor where the process that had replaced it leads no more, and has become a door', async () => {
    const first = await shop.leads('first');
    await sellsInAHurry(first);
    await shop.clock.advance(20 * SECOND);
    first.replica.cut();
    await shop.leads('second');
    await postedAre(1);
    shop.world.terminal.goOnline();
    await postedAre(2);
    first.replica.bringBack();
    // Its engine sees both, and may not tell them.
    await shop.clock.advance(3 * SECOND);
    assert.deepEqual(shop.outcomes(first), []);
    await first.payments.stop();
    const back = await shop.stands('first', first.replica);
    await shop.clock.advance(10 * SECOND);
    assert.deepEqual(shop.outcomes(back), ['cancelled']);
  });

  it('a result corrects what a door told right before it died, though the leader died too and never heard of it', async () => {
    const first = await shop.leads('first');
    const door = await shop.stands('door');
    door.replica.doors.deliveries.confirm = async (names) => {
      if (names.length > 0) throw new JournalError('the connection was lost');
    };
    await sellsInAHurry(door);
    await shop.clock.runUntil(() => door.told.length > 0, 2 * MINUTE);
    assert.deepEqual(shop.outcomes(door), ['unknown']);
    door.replica.kill();
    shop.world.terminal.goOnline();
    await postedAre(2);
    first.replica.kill();
    const second = await shop.leads('second');
    await shop.clock.advance(MINUTE);
    assert.deepEqual(shop.outcomes(second), ['cancelled again correction']);
  });

  it('of several results that a dead door may have told, the last alone is told once more', async () => {
    const leader = await shop.leads('leader');
    const door = await shop.stands('door');
    await sellsAndIsCut(door);
    shop.world.terminal.goOnline();
    await postedAre(2);
    door.replica.kill();
    await shop.clock.advance(MINUTE);
    assert.deepEqual(shop.outcomes(leader), ['cancelled again correction']);
  });

  it('what a dead door may have told does not come after what it was never given', async () => {
    const leader = await shop.leads('leader');
    const door = await shop.stands('door');
    await sellsAndIsCut(door);
    door.replica.kill();
    const { doors } = leader.replica;
    const { states } = doors.deliveries;
    // The leader hears first that the door cannot be given the end.
    doors.deliveries.states = async (names) => names.map(() => 'waiting');
    await shop.clock.advance(MINUTE);
    shop.world.terminal.goOnline();
    await shop.clock.runUntil(() => leader.told.length > 0, MINUTE);
    doors.deliveries.states = states;
    await shop.clock.advance(MINUTE);
    assert.deepEqual(shop.outcomes(leader), ['unknown again', 'cancelled correction']);
  });

  it('a door that says that nobody knows tells the end once more, where the leader had told it before', async () => {
    const { door } = await endToldByLeader();
    door.replica.bringBack();
    await shop.clock.advance(MINUTE);
    assert.deepEqual(shop.outcomes(door), ['unknown', 'approved again correction']);
  });

  it('a door that said that nobody knows tells the end once more, though it leads by then', async () => {
    const { leader, door } = await endToldByLeader();
    const { unanswered } = door.payments;
    await door.payments.stop();
    leader.replica.kill();
    door.replica.bringBack();
    const back = await shop.leads('door', door.replica, unanswered);
    assert.deepEqual(shop.outcomes(back), ['approved again correction']);
  });

  it('a door that has not reached the journal yet leaves that to whoever leads in its process', async () => {
    const { replica, payments } = await shop.leads('first');
    assert.ok(payments instanceof Engine);
    await shop.after(payments.submit(saleOrder()));
    const [record] = await payments.open();
    const door = new Door({ ...shop.engineOptions(), journal: replica.journal, unanswered: record && [record] });
    assert.deepEqual(
      door.unanswered.map(({ operationId }) => operationId),
      [record?.operationId],
    );
  });

  it('a leader that was deployed tells its own flow that nobody knows while the database is away', async () => {
    const first = await shop.leads('first');
    await shop.after(shop.sells(first));
    await shop.untilAsked();
    await first.payments.stop();
    const again = await shop.leads('first', first.replica);
    again.replica.cut();
    await shop.pays();
    await shop.clock.advance(MINUTE);
    assert.deepEqual(shop.outcomes(again), ['unknown']);
    again.replica.bringBack();
    await shop.clock.advance(MINUTE);
    assert.deepEqual(shop.outcomes(again), ['unknown', 'approved correction']);
  });

  it('a process that leads again tells once what was posted to it while another one led', async () => {
    const first = await shop.leads('first');
    await shop.after(shop.sells(first));
    await shop.untilAsked();
    await first.payments.stop();
    const second = await shop.leads('second');
    await shop.pays();
    assert.deepEqual(shop.outcomes(second), []);
    await second.payments.stop();
    const again = await shop.leads('first', first.replica);
    await shop.clock.advance(MINUTE);
    assert.deepEqual(shop.outcomes(again), ['approved']);
  });

  for (const role of ['a door', 'the leader again'] as const) {
    it(`so does a process that had led, and is ${role}`, async () => {
      const { replica, payments } = await shop.leads('first');
      assert.ok(payments instanceof Engine);
      const told: string[] = [];
      payments.attach(NODE, { deliver: ({ payload }) => told.push(payload.outcome), progress: () => undefined });
      await shop.after(payments.submit(saleOrder()));
      await shop.untilAsked();
      replica.cut();
      const second = await shop.leads('second');
      await shop.pays();
      await shop.clock.advance(MINUTE);
      assert.deepEqual(shop.outcomes(second), ['approved again']);
      assert.deepEqual(told, ['unknown']);
      replica.bringBack();
      await payments.stop();
      if (role !== 'a door') second.replica.kill();
      const back = await shop[role === 'a door' ? 'stands' : 'leads']('first', replica, payments.unanswered);
      await shop.clock.advance(10 * SECOND);
      assert.deepEqual(shop.outcomes(back), ['approved again correction']);
      assert.deepEqual(back.payments.unanswered, [], 'it is told once, whoever leads next');
    });
  }

  describe('a message that repeats an order, and whose flow has heard that nobody knows', () => {
    const UNKNOWN = ['unknown', 'unknown repeated'];
    const ENDS = ['approved again correction', 'approved again correction repeated'];

    /** An order by one process, and a message that repeats it by another or by the same. */
    const sellsTwice = async (first: Till, other: Till): Promise<void> => {
      await shop.after(shop.sells(first, 'order'));
      await shop.untilAsked();
      await shop.after(shop.sells(other, 'order'));
    };

    it('hears the end once more, as the order does, where it came in by a door', async () => {
      const leader = await shop.leads('leader');
      const door = await shop.stands('door');
      await sellsTwice(door, door);
      door.replica.cut();
      await shop.pays();
      await shop.clock.advance(MINUTE);
      assert.deepEqual(shop.outcomes(leader), ['approved again', 'approved again repeated']);
      assert.deepEqual(shop.outcomes(door), ['unknown', 'unknown']);
      door.replica.bringBack();
      await shop.clock.advance(10 * MINUTE);
      assert.deepEqual(shop.outcomes(door).slice(2), ENDS);
      assert.equal(new Set(door.told.map(({ id }) => id)).size, 2, 'each under its own id');
      assert.equal(new Set(door.told.slice(2).map(({ payload }) => payload.operationId)).size, 1, 'of one order');
      assert.equal(shop.outcomes(leader).length, 2);
    });

    it('hears the end once more where the order came in by the leader, and it alone by a door', async () => {
      const leader = await shop.leads('leader');
      const door = await shop.stands('door');
      await sellsTwice(leader, door);
      door.replica.cut();
      await shop.pays();
      await shop.clock.advance(MINUTE);
      door.replica.bringBack();
      await shop.clock.advance(10 * MINUTE);
      assert.deepEqual(shop.outcomes(leader), ['approved', 'approved again repeated']);
      assert.deepEqual(shop.outcomes(door), ['unknown', 'approved again correction repeated']);
    });

    it('is left to the leader as long as that has not told it', async () => {
      const leader = await shop.leads('leader');
      const door = await shop.stands('door');
      await sellsTwice(leader, door);
      const { repeats } = leader.replica.journal;
      const rows = await repeats.call(leader.replica.journal, 'env');
      door.replica.cut();
      await shop.pays();
      await shop.clock.advance(MINUTE);
      door.replica.journal.repeats = async () => rows;
      door.replica.bringBack();
      await shop.clock.advance(10 * MINUTE);
      assert.deepEqual(shop.outcomes(door), ['unknown']);
    });

    for (const [role, now] of [
      ['stands', 'is a door now'],
      ['leads', 'leads again'],
    ] as const) {
      it(`hears the end once more where its process had led, and ${now}`, async () => {
        const first = await shop.leads('first');
        await sellsTwice(first, first);
        first.replica.cut();
        const second = await shop.leads('second');
        await shop.pays();
        await shop.clock.advance(2 * MINUTE);
        assert.deepEqual(shop.outcomes(second), ['approved again', 'approved again repeated']);
        assert.deepEqual(shop.outcomes(first), UNKNOWN);
        first.replica.bringBack();
        await first.payments.stop();
        const { unanswered } = first.payments;
        if (role === 'leads') second.replica.kill();
        const back = await shop[role]('first', first.replica, unanswered);
        await shop.clock.advance(10 * MINUTE);
        assert.deepEqual(shop.outcomes(back), ENDS);
        assert.deepEqual(back.payments.unanswered, [], 'it is told once, whoever leads next');
      });
    }
  });
});
