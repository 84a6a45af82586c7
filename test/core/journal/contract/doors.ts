import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { JournalError } from '../../../../src/core/base/errors.js';
import { ACCEPTED, BEGUN, type PostedDelivery, RequestGoneError } from '../../../../src/core/journal/doors.js';
import type { DoorJournal, Journal } from '../../../../src/core/journal/journal.js';
import type { OperationRecord } from '../../../../src/core/journal/record.js';
import { sampleRecord, sampleRepeat } from '../sample-record.js';

/** Two processes that share a journal. */
export interface Pair {
  leader: Journal & Required<Pick<Journal, 'doors'>>;
  door: DoorJournal;
  /** The lease of the door ends, by the clock of the database. */
  endDoor(): Promise<void>;
  /** The door notices, and is back. */
  renewDoor(): Promise<void>;
  close(): Promise<void>;
}

const ENVIRONMENT = 'environment-1';
const LONG = 60_000;

/** Every sentence of the interface `Doors`. */
export function doorsContract(name: string, open: () => Promise<Pair>): void {
  const withPair = (run: (pair: Pair) => Promise<void>) => async (): Promise<void> => {
    const pair = await open();
    try {
      await run(pair);
    } finally {
      await pair.close();
    }
  };
  const ask = ({ door }: Pair, id: string, forMs = LONG): Promise<void> =>
    door.doors.requests.ask({ id, environment: ENVIRONMENT, kind: 'order', body: 'sealed' }, forMs);
  const askedRecord = (): OperationRecord => {
    const record = sampleRecord();
    return { ...record, origin: { ...record.origin, asked: true } };
  };
  const idsOf = (found: readonly { operationId: string }[]): string[] => found.map(({ operationId }) => operationId);
  const result = ({ door }: Pair, sequence = 1, message: string = randomUUID()): PostedDelivery => ({
    message,
    sequence,
    environment: ENVIRONMENT,
    replica: door.doors.replica,
    key: 'first key',
    body: 'sealed',
  });

  describe(`${name}: what doors ask`, () => {
    it(
      'reaches the leader, oldest first, and the leader of its environment alone',
      withPair(async (pair) => {
        for (const id of ['one', 'two']) await ask(pair, id);
        const { requests } = pair.leader.doors;
        const open = await requests.open(ENVIRONMENT);
        assert.deepEqual(
          open.map(({ id, kind, body }) => [id, kind, body]),
          [
            ['one', 'order', 'sealed'],
            ['two', 'order', 'sealed'],
          ],
        );
        assert.ok(open.every(({ waitedMs }) => waitedMs >= 0 && waitedMs < LONG));
        assert.deepEqual(await requests.open('another'), []);
      }),
    );

    it(
      'is answered once: later answers change nothing',
      withPair(async (pair) => {
        await ask(pair, 'one');
        await pair.leader.doors.requests.answer('one', 'first');
        await pair.leader.doors.requests.answer('one', 'second');
        assert.deepEqual([...(await pair.door.doors.requests.answers(['one', 'two']))], [['one', 'first']]);
        assert.deepEqual(await pair.leader.doors.requests.open(ENVIRONMENT), []);
        assert.equal(await pair.door.doors.requests.withdraw('one', ENVIRONMENT), 'first');
      }),
    );

    it(
      'is neither taken back nor begun again once it was begun, and is answered after that',
      withPair(async (pair) => {
        const { requests } = pair.leader.doors;
        await ask(pair, 'one');
        await requests.begin('one');
        await assert.rejects(requests.begin('one'), RequestGoneError);
        assert.deepEqual(await requests.open(ENVIRONMENT), []);
        assert.equal(await pair.door.doors.requests.withdraw('one', ENVIRONMENT), BEGUN);
        await requests.answer('one', 'answer');
        assert.equal(await pair.door.doors.requests.withdraw('one', ENVIRONMENT), 'answer');
        await ask(pair, 'two');
        await pair.door.doors.requests.withdraw('two', ENVIRONMENT);
        await assert.rejects(requests.begin('two'), RequestGoneError);
      }),
    );

    it(
      'is accepted by being recorded, and cannot be taken back then',
      withPair(async (pair) => {
        const record = askedRecord();
        await ask(pair, record.operationId);
        await pair.leader.record(record);
        assert.equal((await pair.door.doors.requests.answers([record.operationId])).get(record.operationId), ACCEPTED);
        assert.equal(await pair.door.doors.requests.withdraw(record.operationId, ENVIRONMENT), ACCEPTED);
        assert.deepEqual(await pair.leader.doors.requests.open(ENVIRONMENT), []);
      }),
    );

    it(
      'is never recorded once it was taken back, and leaves its key free',
      withPair(async (pair) => {
        const record = askedRecord();
        const key = { hash: 'hash', text: 'key' };
        const keyed = { ...record, origin: { ...record.origin, key } };
        await ask(pair, record.operationId);
        const { requests } = pair.door.doors;
        assert.equal(await requests.withdraw(record.operationId, ENVIRONMENT), undefined);
        assert.equal(await requests.withdraw(record.operationId, ENVIRONMENT), undefined, 'asked once more');
        assert.equal((await requests.answers([record.operationId])).size, 0, 'that is no answer');
        for (const one of [record, keyed]) await assert.rejects(pair.leader.record(one), RequestGoneError);
        assert.deepEqual(await pair.leader.find({ operationId: record.operationId }), []);
        const next = sampleRecord();
        await pair.leader.record({ ...next, origin: { ...next.origin, key } });
        assert.equal((await pair.leader.holder(ENVIRONMENT, 'hash'))?.operationId, next.operationId);
      }),
    );

    it(
      'is taken back even while it is still on its way: it finds its place taken',
      withPair(async (pair) => {
        assert.equal(await pair.door.doors.requests.withdraw('one', ENVIRONMENT), undefined);
        await assert.rejects(ask(pair, 'one'), JournalError);
        assert.deepEqual(await pair.leader.doors.requests.open(ENVIRONMENT), []);
      }),
    );

    it(
      'is not begun when its time is over',
      withPair(async (pair) => {
        const record = askedRecord();
        await ask(pair, record.operationId, 0);
        assert.deepEqual(await pair.leader.doors.requests.open(ENVIRONMENT), []);
        await assert.rejects(pair.leader.record(record), RequestGoneError);
      }),
    );

    it(
      'is not begun when its door has ended',
      withPair(async (pair) => {
        const record = askedRecord();
        await ask(pair, record.operationId);
        await pair.endDoor();
        await pair.leader.doors.sweep();
        assert.deepEqual(await pair.leader.doors.requests.open(ENVIRONMENT), []);
        await assert.rejects(pair.leader.record(record), RequestGoneError);
      }),
    );

    it(
      'is refused from a process that counts as dead',
      withPair(async (pair) => {
        await pair.endDoor();
        await pair.leader.doors.sweep();
        await assert.rejects(ask(pair, 'one'), JournalError);
        await pair.renewDoor();
        await ask(pair, 'two');
        assert.equal((await pair.leader.doors.requests.open(ENVIRONMENT)).length, 1);
      }),
    );

    it(
      'may be a message that repeats an order: accepted with its first writing',
      withPair(async (pair) => {
        const first = sampleRecord();
        await pair.leader.record(first);
        const repeat = { ...sampleRepeat(), first: first.operationId };
        const asked = { ...repeat, origin: { ...repeat.origin, asked: true as const } };
        await assert.rejects(pair.leader.recordRepeat(asked), RequestGoneError);
        await ask(pair, asked.id);
        await pair.leader.recordRepeat(asked);
        assert.equal(await pair.door.doors.requests.withdraw(asked.id, ENVIRONMENT), ACCEPTED);
        await pair.leader.recordRepeat({ ...asked, told: 1 });
        assert.equal((await pair.leader.repeats(asked.environment))[0]?.told, 1);
      }),
    );

    it(
      'of several that are recorded at once, those that were taken back alone are refused',
      withPair(async (pair) => {
        const records = Array.from({ length: 10 }, askedRecord);
        for (const { operationId } of records) await ask(pair, operationId);
        const gone = records.filter((_, place) => place % 3 === 0);
        for (const { operationId } of gone) await pair.door.doors.requests.withdraw(operationId, ENVIRONMENT);
        const recorded = await Promise.allSettled(records.map((record) => pair.leader.record(record)));
        assert.equal(recorded.filter(({ status }) => status === 'rejected').length, gone.length);
        const open = idsOf(await pair.leader.open(ENVIRONMENT));
        assert.deepEqual(open.sort(), idsOf(records.filter((one) => !gone.includes(one))).sort());
      }),
    );
  });

  describe(`${name}: results for doors`, () => {
    it(
      'are given to their door in order, once, until it has told them',
      withPair(async (pair) => {
        const { deliveries } = pair.leader.doors;
        const [one, two] = [result(pair), result(pair)];
        assert.equal(await deliveries.post(one), 'waiting');
        assert.equal(await deliveries.post({ ...one, body: 'again' }), 'waiting');
        assert.equal(await deliveries.post(two), 'waiting');
        assert.deepEqual(
          (await pair.door.doors.deliveries.untold(ENVIRONMENT, [])).map(({ message, body }) => [message, body]),
          [
            [one.message, 'sealed'],
            [two.message, 'sealed'],
          ],
        );
        assert.deepEqual(await pair.leader.doors.deliveries.untold(ENVIRONMENT, []), []);
        await pair.door.doors.deliveries.confirm([one]);
        assert.deepEqual(await deliveries.states([one, two]), ['told', 'waiting']);
        assert.equal(await deliveries.post(one), 'told');
        assert.equal((await pair.door.doors.deliveries.untold(ENVIRONMENT, [])).length, 1);
      }),
    );

    it(
      'are given anew under another key, until they were told',
      withPair(async (pair) => {
        const { deliveries } = pair.leader.doors;
        const one = result(pair);
        const bodies = async () => (await pair.door.doors.deliveries.untold(ENVIRONMENT, [])).map(({ body }) => body);
        await deliveries.post(one);
        assert.equal(await deliveries.post({ ...one, key: 'second key', body: 'anew' }), 'waiting');
        assert.deepEqual(await bodies(), ['anew']);
        await pair.door.doors.deliveries.confirm([one]);
        assert.equal(await deliveries.post({ ...one, key: 'third key' }), 'told');
        assert.deepEqual(await bodies(), []);
      }),
    );

    it(
      'make room for others once their door knows them',
      withPair(async (pair) => {
        const posted = Array.from({ length: 101 }, () => result(pair));
        for (const one of posted) await pair.leader.doors.deliveries.post(one);
        const { deliveries } = pair.door.doors;
        const known = await deliveries.untold(ENVIRONMENT, []);
        const later = await deliveries.untold(ENVIRONMENT, known);
        assert.deepEqual([known.length, later.map(({ message }) => message)], [100, [posted[100]?.message]]);
      }),
    );

    it(
      'come back where their door has ended: it may have told them',
      withPair(async (pair) => {
        const { deliveries, sweep } = pair.leader.doors;
        const [one, told, late] = [result(pair), result(pair), result(pair)];
        for (const posted of [one, told]) await deliveries.post(posted);
        await pair.door.doors.deliveries.confirm([told]);
        await pair.endDoor();
        await sweep.call(pair.leader.doors);
        assert.deepEqual(await deliveries.states([one, told]), ['perhaps-told', 'told']);
        assert.equal(await deliveries.post(late), 'gone');
      }),
    );

    it(
      'are told no more by a door that was counted as dead, and is back',
      withPair(async (pair) => {
        const { deliveries, sweep } = pair.leader.doors;
        const one = result(pair);
        await deliveries.post(one);
        const { generation } = pair.door.doors;
        await pair.endDoor();
        await sweep.call(pair.leader.doors);
        await pair.renewDoor();
        assert.ok(pair.door.doors.generation > generation);
        assert.deepEqual(await pair.door.doors.deliveries.untold(ENVIRONMENT, []), []);
        await pair.door.doors.deliveries.confirm([one]);
        assert.deepEqual(await deliveries.states([one]), ['perhaps-told']);
        assert.equal(await deliveries.post(result(pair)), 'waiting', 'new ones go there again');
      }),
    );
  });

  describe(`${name}: callbacks of doors`, () => {
    it(
      'lie there, oldest first, until the leader has settled from them',
      withPair(async (pair) => {
        for (const attempt of ['one', 'two']) await pair.door.doors.inbox.put(ENVIRONMENT, attempt, 'sealed');
        const { inbox } = pair.leader.doors;
        const [first, second] = await inbox.list(ENVIRONMENT, []);
        assert.deepEqual([first?.attemptId, second?.attemptId, first?.body], ['one', 'two', 'sealed']);
        const others = await inbox.list(ENVIRONMENT, [first?.place ?? 0]);
        assert.deepEqual(
          others.map(({ attemptId }) => attemptId),
          ['two'],
        );
        await inbox.remove(first?.place ?? 0);
        assert.deepEqual(
          (await inbox.list(ENVIRONMENT, [])).map(({ attemptId }) => attemptId),
          ['two'],
        );
        assert.deepEqual(await inbox.list('another', []), []);
      }),
    );
  });

  describe(`${name}: what a door does by itself`, () => {
    it(
      'adds what a person says, and reads everything',
      withPair(async (pair) => {
        const record = sampleRecord();
        await pair.leader.record(record);
        const said = { event: 'handled' as const, at: 1, by: 'someone', note: 'done', known: '' };
        await pair.door.annotate(record.operationId, said);
        assert.deepEqual((await pair.leader.annotations([record.operationId])).get(record.operationId), [said]);
        assert.deepEqual(idsOf(await pair.door.open(ENVIRONMENT)), [record.operationId]);
        await assert.rejects(pair.door.annotate('nobody', said), JournalError);
      }),
    );
  });
}
