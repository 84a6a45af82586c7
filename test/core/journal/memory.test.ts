import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JournalError } from '../../../src/core/base/errors.js';
import { MemoryJournal } from '../../../src/core/journal/memory.js';
import { journalContract } from './contract/contract.js';
import { given, sampleRecord } from './sample-record.js';

journalContract('memory', async (clock) => new MemoryJournal(clock));

/** Holds every change back until the test lets it through. */
class SlowJournal extends MemoryJournal {
  private let: () => void = () => undefined;

  protected override async commit(write: () => void): Promise<void> {
    await new Promise<void>((resolve) => {
      this.let = resolve;
    });
    write();
  }

  letThrough(): void {
    this.let();
  }
}

describe('memory: the manners of a disk', () => {
  it('shows a change only once it is durable', async () => {
    const journal = new SlowJournal();
    const operation = sampleRecord();
    const writing = journal.record(operation);
    assert.deepEqual(given(await journal.find({ operationId: operation.operationId })), []);
    journal.letThrough();
    await writing;
    assert.deepEqual(given(await journal.find({ operationId: operation.operationId })), [operation]);
  });

  it('loses in a crash what was not yet durable', async () => {
    const journal = new SlowJournal();
    const operation = sampleRecord();
    const writing = journal.record(operation);
    journal.crash();
    journal.letThrough();
    await assert.rejects(writing, JournalError);
    assert.deepEqual(given(await journal.open(operation.environment)), []);
  });

  it('gives every lease back in a crash', async () => {
    const journal = new MemoryJournal();
    const { operationId } = sampleRecord();
    await journal.record(sampleRecord({ operationId }));
    await journal.renew('engine-1', 9_000);
    assert.equal(await journal.claim(operationId, 'engine-2', 0), false);
    journal.crash();
    assert.equal(await journal.claim(operationId, 'engine-2', 0), true);
  });
});
