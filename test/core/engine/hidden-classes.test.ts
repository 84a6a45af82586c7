import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MemoryJournal } from '../../../src/core/journal/memory.js';
import type { OperationRecord } from '../../../src/core/journal/record.js';
import { payments } from '../../harness/payments.js';

/** Sales that V8 learns the path of a sale from, and those that are compared. */
const [FIRST, COMPARED] = [50, 20];
const MOST = 0.8;

const MINUTE = 60_000;
const VERSIONS = ['recorded', 'accepted', 'decided', 'told'];

class NotingJournal extends MemoryJournal {
  versions: OperationRecord[] = [];

  override record(operation: OperationRecord): ReturnType<MemoryJournal['record']> {
    this.versions.push(operation);
    return super.record(operation);
  }

  override advance(operation: OperationRecord): Promise<void> {
    this.versions.push(operation);
    return super.advance(operation);
  }
}

test('V8 gives the records and states of all sales the same hidden classes', async () => {
  setFlagsFromString('--allow-natives-syntax');
  const hasSame: (one: object, other: object) => boolean = runInNewContext('(one, other) => %HaveSameMap(one, other)');
  const journal = new NotingJournal();
  const world = payments({ callbacks: true, journal });
  const sales: OperationRecord[][] = [];
  for (let sale = 0; sale < FIRST + COMPARED; sale++) {
    journal.versions = [];
    await world.sale();
    await world.clock.advance(MINUTE);
    sales.push(journal.versions);
  }
  for (const [place, version] of VERSIONS.entries()) {
    const compared = sales.slice(FIRST).map((all) => all[place] as OperationRecord);
    const share = (part: (record: OperationRecord) => object): number =>
      compared.filter((record, index) => hasSame(part(record), part(compared[index - 1] ?? record))).length / COMPARED;
    // V8 may learn something new once in a while, and gives all of them another one from then on.
    assert.ok(share((record) => record) >= MOST, `record ${version}`);
    assert.ok(share(({ state }) => state) >= MOST, `state ${version}`);
  }
});
