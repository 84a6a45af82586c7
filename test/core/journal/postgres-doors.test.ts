import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { RequestGoneError, UncertainRequestError } from '../../../src/core/journal/doors.js';
import type { DoorJournal } from '../../../src/core/journal/journal.js';
import { openPostgresDoor } from '../../../src/core/journal/postgres/postgres-door.js';
import { CutProxy } from '../../harness/cut-proxy.js';
import { databaseIn, PostgresServer } from '../../harness/postgres.js';
import { doorsContract } from './contract/doors.js';
import { HeldClock } from './held-clock.js';
import { replicaOf, through } from './postgres-replica.js';

/** Between two renewals of a replica's lease, ms. */
const RENEWAL = 9000;
/** Between two tries to find out what became of a transaction, ms. */
const LOOKED_UP_AGAIN = 1000;
/** Between two looks, ms: where hints come, and where it is not known yet whether they do. */
const LOOKS = [2000, 750, 250];

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server.end());

interface OpenDoor {
  journal: DoorJournal;
  id: string;
  clock: HeldClock;
  reached: (Error | undefined)[];
  logged: string[];
}

async function doorOf(address: string, directAddress?: string): Promise<OpenDoor> {
  const clock = new HeldClock();
  const reached: (Error | undefined)[] = [];
  const logged: string[] = [];
  const id = randomUUID();
  const onReachable = (error?: Error): void => void reached.push(error);
  const replica = { id, host: 'door' };
  const options = { clock, replica, log: (text: string) => void logged.push(text), onReachable };
  const journal = await openPostgresDoor(
    address,
    directAddress === undefined ? options : { ...options, directAddress },
  );
  return { journal, id, clock, reached, logged };
}

async function endDoor(address: string, id: string): Promise<void> {
  await server.query(
    databaseIn(address),
    (sql) => sql`UPDATE cloud_terminal.replica SET until = clock_timestamp() - interval '1 ms' WHERE id = ${id}`,
  );
}

doorsContract('PostgreSQL', async () => {
  const address = await server.newDatabase();
  const { journal: leader } = await replicaOf(address, 'leader');
  const door = await doorOf(address);
  const { doors } = leader;
  assert.ok(doors);
  return {
    leader: Object.assign(leader, { doors }),
    door: door.journal,
    endDoor: () => endDoor(address, door.id),
    renewDoor: async () => {
      await door.clock.fire(RENEWAL);
      await door.clock.set(RENEWAL);
    },
    close: async () => {
      await door.journal.close();
      await leader.close();
    },
  };
});

describe('PostgreSQL: doors', () => {
  it('hear of what is asked and answered without waiting for the next look', async () => {
    const address = await server.newDatabase();
    const { journal: leader } = await replicaOf(address, 'leader');
    const { journal: door } = await doorOf(address);
    let looks = 0;
    const heard = new Promise<string>((resolve) => {
      leader.doors?.watch('e', {
        leads: true,
        look: async () => {
          looks++;
          const [open] = (await leader.doors?.requests.open('e')) ?? [];
          if (open !== undefined) resolve(open.id);
          return false;
        },
      });
    });
    await door.doors.requests.ask({ id: 'one', environment: 'e', kind: 'check', body: '' }, 1000);
    assert.equal(await heard, 'one');
    const hinted = new Promise<string>((resolve) => {
      door.doors.watch('e', { leads: false, look: async () => false, hear: resolve });
    });
    leader.doors?.hint(door.doors.replica, 'another', 'not this');
    leader.doors?.hint(door.doors.replica, 'e', 'this');
    assert.equal(await hinted, 'this');
    assert.ok(looks >= 1);
    await door.close();
    await leader.close();
  });

  it('listen by the direct address, and do everything else by the other one', async () => {
    const address = await server.newDatabase();
    const direct = await CutProxy.before(server.port);
    const { journal: leader } = await replicaOf(address, 'leader');
    const listening = direct.spoil('listen', 'held up');
    const opening = doorOf(address, through(direct, address));
    const release = await Promise.race([listening, opening.then(() => assert.fail('it listens somewhere else'))]);
    release();
    const { journal: door } = await opening;
    const hinted = (text: string): Promise<string> =>
      new Promise((resolve) => {
        door.doors.watch('e', { leads: false, look: async () => false, hear: resolve });
        leader.doors?.hint(door.doors.replica, 'e', text);
      });
    assert.equal(await hinted('this'), 'this');
    await direct.takeAway();
    assert.deepEqual(await door.open('e'), []);
    await door.close();
    await leader.close();
  });

  it('say that nobody can listen by the direct address, and try again every minute', async () => {
    const address = await server.newDatabase();
    const direct = await CutProxy.before(server.port);
    const byDirect = through(direct, address);
    await direct.takeAway();
    const { journal: leader } = await replicaOf(address, 'leader');
    const door = await doorOf(address, byDirect);
    assert.match(door.logged[0] ?? '', /^the notifications of the database cannot be heard: .*a second later/);
    const hinted = new Promise<string>((resolve) => {
      door.journal.doors.watch('e', { leads: false, look: async () => false, hear: resolve });
    });
    await direct.bringBack();
    door.clock.pass(60_000);
    await door.clock.fire(await nextLook(door));
    await nextLook(door);
    assert.deepEqual(door.logged.slice(1), ['the notifications of the database can be heard again']);
    leader.doors?.hint(door.journal.doors.replica, 'e', 'this');
    assert.equal(await hinted, 'this');
    await door.journal.close();
    await leader.close();
    await direct.takeAway();
  });

  it('say that the database is away, and that it is back, and hear hints again', async () => {
    const address = await server.newDatabase();
    const proxy = await CutProxy.before(server.port);
    const { journal: leader } = await replicaOf(address, 'leader');
    const door = await doorOf(through(proxy, address));
    let looked: () => void = () => undefined;
    const look = async (): Promise<boolean> => {
      await door.journal.doors.deliveries.untold('e', []);
      looked();
      return false;
    };
    door.journal.doors.watch('e', { leads: false, look });
    await proxy.takeAway();
    await door.clock.fire(await nextLook(door));
    await untilReached(door, 1);
    assert.match(String(door.reached[0]), /the database/);
    await proxy.bringBack();
    await door.clock.fire(await nextLook(door));
    await untilReached(door, 2);
    assert.equal(door.reached[1], undefined);
    await nextLook(door);
    const again = new Promise<void>((resolve) => {
      looked = resolve;
    });
    const posting = async (): Promise<void> => {
      const { replica } = door.journal.doors;
      const posted = { message: randomUUID(), sequence: 1, environment: 'e', replica, key: '', body: '' };
      await leader.doors?.deliveries.post(posted);
    };
    await posting();
    await again;
    await door.journal.close();
    await leader.close();
    await proxy.takeAway();
  });

  it('do not know whether they have asked where the answer to that is lost, and take it back for certain', async () => {
    const address = await server.newDatabase();
    const proxy = await CutProxy.before(server.port);
    const { journal: leader } = await replicaOf(address, 'leader');
    const { journal: door } = await doorOf(through(proxy, address));
    const lost = proxy.spoil('commit', 'answer lost');
    const asking = door.doors.requests.ask({ id: 'one', environment: 'e', kind: 'order', body: '' }, 60_000);
    await assert.rejects(asking, UncertainRequestError);
    await lost;
    assert.equal((await leader.doors?.requests.open('e'))?.length, 1, 'it was asked');
    assert.equal(await door.doors.requests.withdraw('one', 'e'), undefined);
    assert.deepEqual(await leader.doors?.requests.open('e'), []);
    await door.close();
    await leader.close();
    await proxy.takeAway();
  });

  it('are begun with once where the acknowledgement of that was lost', async () => {
    const address = await server.newDatabase();
    const proxy = await CutProxy.before(server.port);
    const { journal: leader, clock } = await replicaOf(through(proxy, address), 'leader');
    const { journal: door } = await doorOf(address);
    await door.doors.requests.ask({ id: 'one', environment: 'e', kind: 'call', body: '' }, 60_000);
    const lost = proxy.spoil('commit', 'answer lost');
    const begun = leader.doors?.requests.begin('one');
    await lost;
    await proxy.takeAway();
    await clock.set(LOOKED_UP_AGAIN);
    await proxy.bringBack();
    await clock.fire(LOOKED_UP_AGAIN);
    await begun;
    await assert.rejects(leader.doors?.requests.begin('one') ?? Promise.resolve(), RequestGoneError);
    await door.close();
    await leader.close();
    await proxy.takeAway();
  });

  it('are not counted as dead right after the database was away: they have not come back yet', async () => {
    const { address, proxy, door, id, leader } = await leaderWithoutDatabase();
    await endDoor(address, id);
    leader.clock.pass(5000);
    await proxy.bringBack();
    await leader.clock.fire(await nextLook(leader));
    await untilReached(leader, 2);
    leader.clock.pass(14_999);
    assert.equal(await survivesSweep(leader, address, id), true);
    leader.clock.pass(1);
    assert.equal(await survivesSweep(leader, address, id), false);
    await door.close();
    await leader.journal.close();
    await proxy.takeAway();
  });

  it('are counted as dead although the connection was lost for a moment, however often that happens', async () => {
    const { address, proxy, door, id, leader } = await leaderWithoutDatabase();
    leader.clock.pass(4999);
    await proxy.bringBack();
    await leader.clock.fire(await nextLook(leader));
    await untilReached(leader, 2);
    await endDoor(address, id);
    assert.equal(await survivesSweep(leader, address, id), false);
    await door.close();
    await leader.journal.close();
    await proxy.takeAway();
  });

  it('count as alive for as long as a deploy may take, after they have closed', async () => {
    const address = await server.newDatabase();
    const { journal, id } = await doorOf(address);
    await journal.close();
    const [row] = await server.query(
      databaseIn(address),
      (sql) => sql`
        SELECT extract(epoch FROM until - clock_timestamp())::float8 AS left FROM cloud_terminal.replica WHERE id = ${id}`,
    );
    assert.ok(Number(row?.left) > 15, `${row?.left} s`);
  });

  it('leave callbacks that no leader reads until nothing waits for them any more', async () => {
    const address = await server.newDatabase();
    const { journal } = await doorOf(address);
    const { inbox, sweep } = journal.doors;
    for (const attempt of ['old', 'young']) await inbox.put('removed', attempt, '');
    await server.query(
      databaseIn(address),
      (sql) => sql`UPDATE cloud_terminal.inbox SET put_at = put_at - interval '4 days' WHERE attempt_id = 'old'`,
    );
    await sweep.call(journal.doors);
    const left = await inbox.list('removed', []);
    assert.deepEqual(
      left.map(({ attemptId }) => attemptId),
      ['young'],
    );
    await journal.close();
  });

  it('tell nothing from 5 s before their lease can have ended', async () => {
    const address = await server.newDatabase();
    const { journal, clock } = await doorOf(address);
    clock.pass(24_999);
    assert.equal(journal.doors.mayTell(), true);
    clock.pass(1);
    assert.equal(journal.doors.mayTell(), false, 'its own time');
    await clock.fire(RENEWAL);
    await clock.set(RENEWAL);
    assert.equal(journal.doors.mayTell(), true);
    clock.jump(25_000);
    assert.equal(journal.doors.mayTell(), false, 'it may have slept');
    await clock.fire(RENEWAL);
    await clock.set(RENEWAL);
    clock.pass(25_000);
    clock.jump(-25_000);
    assert.equal(journal.doors.mayTell(), false, 'its own time alone');
    await journal.close();
  });
});

/** A leader that sweeps, and has just lost the database, beside a door that has not. */
async function leaderWithoutDatabase() {
  const address = await server.newDatabase();
  const proxy = await CutProxy.before(server.port);
  const { journal: door, id } = await doorOf(address);
  const leader = await doorOf(through(proxy, address));
  leader.journal.doors.watch('e', { leads: true, look: () => leader.journal.doors.sweep().then(() => false) });
  await proxy.takeAway();
  await leader.clock.fire(await nextLook(leader));
  await untilReached(leader, 1);
  return { address, proxy, door, id, leader };
}

/** Whether the leader still counts a process among those that share the database. */
async function survivesSweep({ journal }: OpenDoor, address: string, id: string): Promise<boolean> {
  await journal.doors.sweep();
  const rows = await server.query(
    databaseIn(address),
    (sql) => sql`SELECT 1 FROM cloud_terminal.replica WHERE id = ${id}`,
  );
  return rows.length > 0;
}

/** Resolves once the next look is due, with the time until then. */
function nextLook({ clock }: OpenDoor): Promise<number> {
  return Promise.race(
    LOOKS.map(async (ms) => {
      await clock.set(ms);
      return ms;
    }),
  );
}

async function untilReached({ reached }: OpenDoor, count: number): Promise<void> {
  while (reached.length < count) await new Promise((resolve) => setImmediate(resolve));
}
