import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { JournalError } from '../../../src/core/base/errors.js';
import { FileCheck } from '../../../src/core/journal/lmdb/check/file-check.js';
import { openDatabases, openRoot } from '../../../src/core/journal/lmdb/file/databases.js';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import { OrderStore } from '../../../src/core/journal/lmdb/rows/order-store.js';
import { Records } from '../../../src/core/journal/lmdb/rows/records.js';
import { pauseFor } from '../../../src/core/journal/lmdb/slices.js';
import { poolStore } from '../../../src/core/journal/lmdb/store-pool.js';
import { orderKey } from '../../../src/core/operation/order-key.js';
import { sampleRecord } from './sample-record.js';

const base = mkdtemp(join(tmpdir(), 'order-keys-'));
after(async () => rm(await base, { recursive: true }));

const ENVIRONMENT = 'environment-1';
const PAGE = 4096;
/** Enough for several pages, and one above them. */
const ORDERS = 120;

const keyOf = (order: string) => orderKey(order, 'test') as NonNullable<ReturnType<typeof orderKey>>;
const sale = (order: string) => sampleRecord({ origin: { node: 'n', message: {}, key: keyOf(order) } });

/** A journal with many orders that have a key, and before them payments that keep the check of the records busy. */
async function filled(others: number): Promise<string> {
  const folder = await mkdtemp(join(await base, 'f-'));
  const journal = await openLmdbJournal(folder);
  await Promise.all(Array.from({ length: others }, () => journal.record(sampleRecord({ closed: true }))));
  await Promise.all(Array.from({ length: ORDERS }, (_, number) => journal.record(sale(`order ${number}`))));
  await journal.close();
  return folder;
}

/** Where in a file the keys of orders lie: in a page with their rows, or in one above it. */
function placesOfKeys(bytes: Buffer, kind: 'branch' | 'leaf'): number[] {
  const places: number[] = [];
  for (let page = 2 * PAGE; page < bytes.length; page += PAGE) {
    if (bytes.readUInt16LE(page + 18) !== (kind === 'branch' ? 1 : 2)) continue;
    for (let entry = 0; entry < bytes.readUInt16LE(page + 20) / 2; entry++) {
      const key = page + 24 + bytes.readUInt16LE(page + 24 + entry * 2) + 8;
      const isOrder = bytes.readUInt16LE(key - 2) === ENVIRONMENT.length + 1 + 64;
      if (isOrder && bytes.toString('latin1', key, key + ENVIRONMENT.length) === ENVIRONMENT) places.push(key);
    }
  }
  return places;
}

/** How many orders lead to their record, and how many are refused. Fails where one has no key. */
async function holders(file: string): Promise<{ found: number; refused: number }> {
  const root = openRoot(file, { readOnly: true });
  try {
    const databases = openDatabases(root);
    const records = new Records(databases, () => undefined);
    const orders = new OrderStore(databases, records);
    let [found, refused] = [0, 0];
    for (let number = 0; number < ORDERS; number++) {
      try {
        const holder = orders.holder(ENVIRONMENT, keyOf(`order ${number}`).hash);
        assert.equal(holder?.origin.key?.text, `order ${number}`);
        found++;
      } catch (error) {
        if (!(error instanceof JournalError)) throw error;
        refused++;
      }
    }
    return { found, refused };
  } finally {
    await root.close();
  }
}

async function isSound(file: string): Promise<boolean> {
  const check = new FileCheck(file);
  const finding = await check.run(pauseFor(Number.POSITIVE_INFINITY));
  check.close();
  return finding === 'sound';
}

describe('embedded: one bit of the keys of orders, before the file is checked', () => {
  for (const [kind, every] of [
    ['leaf', 997],
    ['branch', 61],
  ] as const) {
    it(`lets no order be sent again: each has its record, or is refused (${kind})`, async () => {
      const folder = await filled(0);
      const bytes = await readFile(join(folder, 'journal.mdb'));
      const places = placesOfKeys(bytes, kind);
      assert.ok(places.length > 0);
      const bits = (ENVIRONMENT.length + 1 + 64) * 8;
      for (let spot = 0; spot < places.length * bits; spot += every) {
        const [place, bit] = [places[Math.floor(spot / bits)] ?? 0, spot % bits];
        const spoilt = Buffer.from(bytes);
        const at = place + (bit >> 3);
        spoilt[at] = (spoilt[at] ?? 0) ^ (1 << (bit & 7));
        const dir = await mkdtemp(join(await base, 's-'));
        const file = join(dir, 'journal.mdb');
        await writeFile(file, spoilt);
        const { found, refused } = await holders(file);
        assert.equal(found + refused, ORDERS);
        // In a file whose structure is sound the damage reaches one order, and that one is found.
        if (await isSound(file)) assert.ok(refused <= 1, `${refused} are refused`);
        await rm(dir, { recursive: true });
      }
    });
  }
});

describe('embedded: one bit of the key of an order', () => {
  it('does not let the order be sent again, neither at once nor once the key was given back', async () => {
    const folder = await filled(1_500);
    const bytes = await readFile(join(folder, 'journal.mdb'));
    for (const letter of [0, 30, 63]) {
      const spoilt = Buffer.from(bytes);
      const { hash } = keyOf('order 7');
      // The hash as a key has it, and not as the JSON of a record has it.
      for (let at = spoilt.indexOf(hash); at >= 0; at = spoilt.indexOf(hash, at + 1))
        if (spoilt[at - 1] !== '"'.charCodeAt(0)) spoilt[at + letter] = (spoilt[at + letter] ?? 0) ^ 0x80;
      const dir = await mkdtemp(join(await base, 'j-'));
      await writeFile(join(dir, 'journal.mdb'), spoilt);
      const reports: string[] = [];
      const journal = await openLmdbJournal(dir, (report) => reports.push(report)).catch(() => undefined);
      if (journal === undefined) continue;
      const again = await journal.record(sale('order 7'));
      assert.ok('existing' in again);
      const { store, leave } = await poolStore(dir);
      await store.checked;
      await leave();
      assert.match(reports.join(), /had lost 1 payments, and was mended/);
      assert.ok('existing' in (await journal.record(sale('order 7'))));
      assert.deepEqual(await journal.record(sale('order new')), { attempt: 1 });
      await journal.close();
      const later = await openLmdbJournal(dir);
      assert.ok('existing' in (await later.record(sale('order 7'))));
      await later.close();
    }
  });

  it('does not hold up other orders, new ones and repeated ones', async () => {
    const folder = await filled(1_500);
    const journal = await openLmdbJournal(folder);
    for (let number = 0; number < 200; number++)
      assert.equal('existing' in (await journal.record(sale(`order ${number}`))), number < ORDERS);
    await journal.close();
  });
});
