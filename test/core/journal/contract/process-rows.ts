import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TransactionSql } from '../../../../src/core/journal/postgres/connection/database.js';
import type { LeaderRow } from '../../../../src/core/journal/postgres/lease/leader-row.js';
import type { PresenceRow } from '../../../../src/core/journal/postgres/lease/presence.js';

/** The rows of processes in one database. */
export interface ProcessRows {
  leader: LeaderRow;
  replica: PresenceRow;
  transaction<T>(work: (sql: TransactionSql) => Promise<T>): Promise<T>;
  /** The lease of whoever leads ends, by the clock of the database. */
  endLease(): Promise<void>;
  /** How long it still has, by that clock, ms. */
  left(): Promise<number>;
  /** Forgets the row of a process, which counts as dead then. */
  bury(id: string): Promise<void>;
  close(): Promise<void>;
}

const LENGTH = 30_000;
const [ONE, TWO] = [
  { id: 'one', host: 'a' },
  { id: 'two', host: 'b' },
];

/** Every sentence of `LeaderRow` and `PresenceRow`. */
export function processRowsContract(name: string, open: () => Promise<ProcessRows>): void {
  const withRows = (run: (rows: ProcessRows) => Promise<void>) => async (): Promise<void> => {
    const rows = await open();
    try {
      await run(rows);
    } finally {
      await rows.close();
    }
  };
  const isHeld = ({ leader, transaction }: ProcessRows, id: string, fence: number): Promise<boolean> =>
    transaction((sql) => leader.isHeld(sql, { id, fence }));

  describe(`${name}: the row of the process that leads`, () => {
    it(
      'is taken by one, and by another only after the end of its lease, with a larger fence',
      withRows(async (rows) => {
        const { leader } = rows;
        assert.deepEqual(await leader.take(ONE, LENGTH), { fence: 1, age: 0 });
        assert.equal(await leader.take(TWO, LENGTH), undefined);
        assert.equal(await leader.host(), 'a');
        assert.equal((await leader.take(ONE, LENGTH))?.fence, 1, 'its own once more');
        await rows.endLease();
        assert.equal((await leader.take(TWO, LENGTH))?.fence, 2);
        assert.equal(await leader.host(), 'b');
        assert.deepEqual([await isHeld(rows, 'one', 1), await isHeld(rows, 'two', 2)], [false, true]);
      }),
    );

    it(
      'of several that take it at once is one’s',
      withRows(async ({ leader }) => {
        const ids = Array.from({ length: 8 }, (_, place) => `process ${place}`);
        const taken = await Promise.all(ids.map((id) => leader.take({ id, host: '' }, LENGTH)));
        assert.equal(taken.filter((one) => one !== undefined).length, 1);
      }),
    );

    it(
      'is renewed even after its end, and never once another has taken it',
      withRows(async (rows) => {
        const { leader } = rows;
        await leader.take(ONE, LENGTH);
        await rows.endLease();
        assert.equal(await leader.renew({ id: 'one', fence: 1 }, 7, LENGTH), true);
        assert.equal(await leader.take(TWO, LENGTH), undefined);
        await rows.endLease();
        assert.deepEqual(await leader.take(TWO, LENGTH), { fence: 2, age: 7 });
        assert.equal(await leader.renew({ id: 'one', fence: 1 }, 8, LENGTH), false);
        assert.equal(await leader.renew({ id: 'two', fence: 1 }, 8, LENGTH), false, 'under an earlier fence');
      }),
    );

    it(
      'may end sooner, and never later',
      withRows(async (rows) => {
        const { leader } = rows;
        await leader.take(ONE, LENGTH);
        await leader.end({ id: 'one', fence: 1 }, 9, 2 * LENGTH);
        assert.ok((await rows.left()) <= LENGTH);
        await leader.end({ id: 'two', fence: 1 }, 9, 0);
        assert.equal(await leader.take(TWO, LENGTH), undefined, 'it is not that one’s to end');
        await leader.end({ id: 'one', fence: 1 }, 9, -1);
        assert.deepEqual(await leader.take(TWO, LENGTH), { fence: 2, age: 9 });
      }),
    );
  });

  it(
    `${name}: the row of a process says whether it is new, or was counted as dead`,
    withRows(async ({ replica, bury }) => {
      assert.equal(await replica.renew(ONE, LENGTH), true);
      assert.equal(await replica.renew(ONE, LENGTH), false);
      await replica.end('one', 0);
      assert.equal(await replica.renew(ONE, LENGTH), false, 'nobody has noticed');
      await bury('one');
      assert.equal(await replica.renew(ONE, LENGTH), true);
    }),
  );
}
