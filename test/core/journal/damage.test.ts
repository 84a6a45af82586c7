import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { JournalError } from '../../../src/core/base/errors.js';
import { type Annotation, isLeftToPerson } from '../../../src/core/journal/annotation.js';
import { DamagedRecordError } from '../../../src/core/journal/damaged-record.js';
import { checkRecords } from '../../../src/core/journal/lmdb/check/records-check.js';
import { openDatabases, openRoot } from '../../../src/core/journal/lmdb/file/databases.js';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import { sequenceText } from '../../../src/core/journal/lmdb/rows/index-keys.js';
import { poolStore } from '../../../src/core/journal/lmdb/store-pool.js';
import type { OperationRecord, RepeatRecord } from '../../../src/core/journal/record.js';
import { orderKey } from '../../../src/core/operation/order-key.js';
import { checkJournal } from '../../../src/journal-tool/check.js';
import { exportLines } from '../../../src/journal-tool/export.js';
import { damageContract, threeRecords } from './contract/damage.js';
import { given, sampleId, sampleRecord } from './sample-record.js';

const base = mkdtemp(join(tmpdir(), 'damage-'));
after(async () => rm(await base, { recursive: true }));

/** Of any age. */
const EVERYTHING = -60_000;
const NAMES = ['first', 'second', 'third'];

async function filled(): Promise<{ folder: string; records: OperationRecord[] }> {
  const folder = await mkdtemp(join(await base, 'f-'));
  const journal = await openLmdbJournal(folder);
  const records = threeRecords();
  for (const record of records) await journal.record(record);
  await journal.close();
  return { folder, records };
}

/** Changes a text wherever it stands in the file, as a fault of the disk might. */
async function spoil(folder: string, text: string, other: string): Promise<void> {
  const file = join(folder, 'journal.mdb');
  await writeFile(file, (await readFile(file, 'latin1')).replaceAll(text, other), 'latin1');
}

/** Removes keys of the index, as a page that was lost would. */
async function loseKeys(folder: string, isLost: (key: string) => boolean): Promise<void> {
  const root = openRoot(join(folder, 'journal.mdb'));
  const { index } = openDatabases(root);
  for (const key of [...index.getKeys()].filter(isLost)) await index.remove(key);
  await root.close();
}

async function checked(folder: string): Promise<void> {
  const { store, leave } = await poolStore(folder);
  await store.checked;
  await leave();
}

/** Says of the place of a record that it holds several values, which LMDB keeps beside its key: it cannot be read. */
async function spoilPlace(folder: string, sequence: number): Promise<void> {
  const file = join(folder, 'journal.mdb');
  const bytes = await readFile(file);
  const key = sequenceText(sequence);
  for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at + 1)) {
    const isNode = bytes.readUInt16LE(at - 2) === key.length;
    if (isNode) bytes.writeUInt16LE(bytes.readUInt16LE(at - 4) | 4, at - 4);
  }
  await writeFile(file, bytes);
}

describe('embedded: a record whose place LMDB cannot read', () => {
  it('is called damaged by its number, and the others are read', async () => {
    const { folder, records } = await filled();
    await spoilPlace(folder, 2);
    const reports: string[] = [];
    const journal = await openLmdbJournal(folder, (damage) => reports.push(damage));
    const [first, second, third] = records.map(({ operationId }) => operationId);
    await assert.rejects(
      journal.find({ operationId: second ?? '' }),
      (error) => error instanceof DamagedRecordError && error.sequence === 2,
    );
    for (const operationId of [first, third])
      assert.equal((await journal.find({ operationId: operationId ?? '' })).length, 1);
    await journal.close();
  });
});

describe('embedded: the check in the background', () => {
  it('does not miss what is pruned meanwhile', async () => {
    const { folder, records } = await filled();
    const reports: string[] = [];
    const journal = await openLmdbJournal(folder, (damage) => reports.push(damage));
    for (const record of records) await journal.advance({ ...record, closed: true });
    const { store, leave } = await poolStore(folder);
    const seen = checkRecords(store.records, store.orders, async () => assert.fail('nothing is to mend'));
    await seen.next();
    // On a busy machine one call deletes only some: it does not keep payments waiting.
    let pruned = 0;
    for (let more = 1; more > 0; pruned += more) more = await journal.prune(EVERYTHING);
    assert.equal(pruned, records.length);
    assert.deepEqual([(await seen.next()).done, reports], [true, []]);
    await leave();
    await journal.close();
  });
});

damageContract('embedded', async (closed) => {
  const { folder, records } = await filled();
  const before = await openLmdbJournal(folder);
  if (closed) for (const record of records) await before.advance({ ...record, closed: true });
  await before.close();
  await spoil(folder, 'the second', 'the sEcond');
  const reports: string[] = [];
  const journal = await openLmdbJournal(folder, (damage) => reports.push(damage));
  await checked(folder);
  return { journal, reports };
});

describe('embedded: a record that was changed on the disk', () => {
  it('is neither taken up nor replaced', async () => {
    const { folder, records } = await filled();
    await spoil(folder, 'the second', 'the sEcond');
    const journal = await openLmdbJournal(folder);
    await assert.rejects(journal.claim('second', 'engine-1', 0), JournalError);
    await assert.rejects(journal.advance(records[1] as OperationRecord), JournalError);
    await journal.close();
  });
});

describe('embedded: an index that has lost keys', () => {
  it('is mended from the records, which is reported: an open payment comes to light again', async () => {
    const { folder, records } = await filled();
    await loseKeys(folder, (key) => 'or'.includes(key[0] ?? ''));
    const reports: string[] = [];
    const journal = await openLmdbJournal(folder, (damage) => reports.push(damage));
    await checked(folder);
    assert.deepEqual(given(await journal.open('environment-1')), records);
    for (const record of records)
      assert.deepEqual(given(await journal.find({ operationId: record.operationId })), [record]);
    assert.match(reports.join(), /the index of the journal in .* had lost 3 payments, and was mended/);
    await journal.close();
  });

  it('does not let a payment that it hides be recorded a second time unnoticed', async () => {
    const { folder, records } = await filled();
    const root = openRoot(join(folder, 'journal.mdb'));
    await openDatabases(root).records.remove('00000002');
    await root.close();
    const journal = await openLmdbJournal(folder);
    await assert.rejects(journal.find({ transactionId: 't-second' }), /record 2 of the journal is missing/);
    await assert.rejects(journal.record(records[1] as OperationRecord), JournalError);
    await journal.close();
  });
});

describe('embedded: keys of orders and repeats', () => {
  const key = (text: string) => ({ key: orderKey(text, 'test') as NonNullable<ReturnType<typeof orderKey>> });
  const keyed = (text: string, changes: Partial<OperationRecord> = {}): OperationRecord => ({
    ...sampleRecord({ origin: { node: 'n', message: {}, ...key(text) } }),
    ...(changes as object),
  });
  const repeat = (text: string, createdAt: number): RepeatRecord => ({
    kind: 'repeat',
    id: sampleId(),
    environment: 'environment-1',
    first: 'o-1',
    origin: { node: 'n', message: { is: text }, ...key(text) },
    createdAt,
  });

  async function keyedFolder(): Promise<{ folder: string; operations: OperationRecord[] }> {
    const folder = await mkdtemp(join(await base, 'k-'));
    const journal = await openLmdbJournal(folder);
    const operations = Array.from({ length: 300 }, (_, number) => keyed(`order ${number}`));
    await Promise.all(operations.map((operation) => journal.record(operation)));
    const repeats = operations.map((_, number) => repeat(`repeat ${number} `, number * 1e9));
    await Promise.all(repeats.map((one) => journal.recordRepeat(one)));
    await journal.close();
    return { folder, operations };
  }

  async function existing(folder: string, text: string): Promise<string | undefined> {
    const journal = await openLmdbJournal(folder);
    await checked(folder);
    const recorded = await journal.record(keyed(text)).finally(() => journal.close());
    return 'existing' in recorded ? recorded.existing.operationId : undefined;
  }

  it('are no damage, however many there are', async () => {
    const { folder } = await keyedFolder();
    assert.deepEqual(await checkJournal(folder), { records: 300, open: 300, damage: [] });
    const reports: string[] = [];
    const journal = await openLmdbJournal(folder, (damage) => reports.push(damage));
    await checked(folder);
    assert.equal((await journal.repeats('environment-1')).length, 300);
    assert.deepEqual(reports, []);
    await journal.close();
  });

  it('a key that was lost, or leads to another payment, is given back from the records', async () => {
    const { folder, operations } = await keyedFolder();
    const root = openRoot(join(folder, 'journal.mdb'));
    const { orderKeys } = openDatabases(root);
    const place = (text: string) => ['environment-1', key(text).key.hash];
    await orderKeys.remove(place('order 7'));
    await orderKeys.put(place('order 8'), '00000001');
    await root.close();
    const { damage } = await checkJournal(folder);
    assert.deepEqual(damage.slice(0, 2), [
      'record 8 has lost the key of its order',
      'record 9 has lost the key of its order',
    ]);
    for (const number of [7, 8])
      assert.equal(await existing(folder, `order ${number}`), operations[number]?.operationId);
    assert.deepEqual((await checkJournal(folder)).damage, []);
  });

  it('a key that leads to a damaged record lets nobody have it', async () => {
    const { folder } = await keyedFolder();
    await spoil(folder, '"text":"order 7"', '"text":"Order 7"');
    await assert.rejects(existing(folder, 'order 7'), /record 8 of the journal is damaged/);
  });

  it('a repeat that was changed is reported once, and left out', async () => {
    const { folder } = await keyedFolder();
    await spoil(folder, '"is":"repeat 7 "', '"is":"Repeat 7 "');
    assert.match(
      (await checkJournal(folder)).damage.join(),
      /^a message in the journal that repeats an order is damaged/,
    );
    const reports: string[] = [];
    const journal = await openLmdbJournal(folder, (damage) => reports.push(damage));
    assert.equal((await journal.repeats('environment-1')).length, 299);
    await journal.repeats('environment-1');
    assert.equal(reports.length, 1);
    await journal.close();
  });
});

describe('embedded: what people said', () => {
  const said = (note: string): Annotation => ({ event: 'handled', at: 5, by: 'ann', note, known: 'unknown' });

  async function annotated(): Promise<string> {
    const { folder } = await filled();
    const journal = await openLmdbJournal(folder);
    // Long enough for a page of its own, too.
    for (const name of NAMES)
      for (const note of ['one', 'two', 'x'.repeat(5_000)]) await journal.annotate(name, said(`${name} ${note}`));
    await journal.close();
    return folder;
  }

  const exported = (folder: string): string[] =>
    [...exportLines(join(folder, 'journal.mdb'))]
      .map((line) => JSON.parse(line))
      .filter(({ kind }) => kind === 'annotation')
      .map(({ operationId, place, annotation }) => `${operationId} ${place} ${annotation.note.slice(0, 12)}`);

  it('is no damage, and is exported behind the records', async () => {
    const folder = await annotated();
    assert.deepEqual((await checkJournal(folder)).damage, []);
    const reports: string[] = [];
    const journal = await openLmdbJournal(folder, (damage) => reports.push(damage));
    await checked(folder);
    await journal.close();
    assert.deepEqual(reports, []);
    assert.equal([...exportLines(join(folder, 'journal.mdb'))].length, 12);
    assert.deepEqual(exported(folder).slice(0, 3), ['first 0 first one', 'first 1 first two', 'first 2 first xxxxxx']);
  });

  it('is reported once and not known where it was changed, and what is said next replaces nothing', async () => {
    const folder = await annotated();
    await spoil(folder, '"note":"second two"', '"note":"sEcond two"');
    assert.deepEqual((await checkJournal(folder)).damage, [
      'what a person said about a payment is damaged in the journal: second 1',
    ]);
    assert.equal(exported(folder).length, 8);
    const reports: string[] = [];
    const journal = await openLmdbJournal(folder, (damage) => reports.push(damage));
    await journal.annotate('second', said('later'));
    const notes = async () => (await journal.annotations(NAMES)).get('second')?.map(({ note }) => note.slice(0, 12));
    assert.deepEqual(await notes(), ['second one', '', 'second xxxxx', 'later']);
    await notes();
    assert.equal(reports.length, 1);
    await journal.close();
  });

  it('leaves a payment to a person where the last of it is damaged: nobody knows whether that took the mark back', async () => {
    const folder = await annotated();
    await spoil(folder, '"note":"second xxx', '"note":"sEcond xxx');
    const journal = await openLmdbJournal(folder);
    const found = (await journal.annotations(NAMES)).get('second');
    assert.equal(found?.at(-1)?.event, 'unreadable');
    assert.equal(isLeftToPerson(found), true);
    await journal.annotate('second', { ...said(''), event: 'handled-withdrawn' });
    assert.equal(isLeftToPerson((await journal.annotations(NAMES)).get('second')), false);
    await journal.close();
  });

  it('is found again where it lies under the key of another', async () => {
    const folder = await annotated();
    const root = openRoot(join(folder, 'journal.mdb'));
    const { annotations } = openDatabases(root);
    const row = annotations.get(['third', 2]) ?? '';
    await annotations.remove(['third', 2]);
    await annotations.put(['thirD', 2], row);
    await root.close();
    const reports: string[] = [];
    const journal = await openLmdbJournal(folder, (damage) => reports.push(damage));
    await checked(folder);
    const notes = async () => (await journal.annotations(NAMES)).get('third')?.map(({ note }) => note.slice(0, 9));
    assert.deepEqual(await notes(), ['third one', 'third two', 'third xxx']);
    await journal.annotate('third', said('later'));
    assert.deepEqual(await notes(), ['third one', 'third two', 'third xxx', 'later']);
    assert.deepEqual(reports, ['what a person said about a payment is damaged in the journal: thirD 2']);
    await journal.close();
  });

  it('does not end up over another row where one before it was lost, nor under another operation', async () => {
    const folder = await annotated();
    const root = openRoot(join(folder, 'journal.mdb'));
    const { annotations } = openDatabases(root);
    const row = annotations.get(['third', 0]) ?? '';
    await annotations.remove(['first', 0]);
    await annotations.put(['second', 0], row);
    await root.close();
    const journal = await openLmdbJournal(folder);
    await journal.annotate('first', said('later'));
    const found = await journal.annotations(NAMES);
    assert.deepEqual(
      found.get('first')?.map(({ note }) => note.slice(0, 9)),
      ['first two', 'first xxx', 'later'],
    );
    assert.deepEqual(
      found.get('second')?.map(({ event }) => event),
      ['unreadable', 'handled', 'handled'],
    );
    await journal.close();
  });
});
