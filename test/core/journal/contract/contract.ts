import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JournalError } from '../../../../src/core/base/errors.js';
import type { Journal } from '../../../../src/core/journal/journal.js';
import { sampleRecord, sampleRepeat } from '../sample-record.js';
import { annotationsContract } from './annotations.js';
import { findingContract } from './finding.js';
import { leasesContract } from './leases.js';
import { merchantsContract } from './merchants.js';
import { orderKeysContract } from './order-keys.js';
import { pruningContract } from './pruning.js';
import { recordingContract } from './recording.js';
import { repeatsContract } from './repeats.js';
import { withJournalOf } from './with-journal.js';

const PARTS = [
  recordingContract,
  orderKeysContract,
  repeatsContract,
  findingContract,
  leasesContract,
  pruningContract,
  annotationsContract,
  merchantsContract,
];

/**
 * Every sentence of the Journal interface. `open` gives an empty journal that counts its age by `clock` (ms); the suite closes
 * it.
 */
export function journalContract(name: string, open: (clock: () => number) => Promise<Journal>): void {
  const withJournal = withJournalOf(open);
  for (const part of PARTS) part(name, withJournal);

  describe(`${name}: closing`, () => {
    it('finishes what is under way, then rejects every call', async () => {
      const journal = await open(() => 0);
      const operation = sampleRecord();
      const others = Array.from({ length: 50 }, () => sampleRecord());
      const writing = [operation, ...others].map((one) => journal.record(one));
      await journal.close();
      await Promise.all(writing);
      await journal.close();
      const calls = [
        journal.record(sampleRecord()),
        journal.advance(operation),
        journal.find({ operationId: operation.operationId }),
        journal.open(operation.environment),
        journal.openIds(operation.environment),
        journal.environments(),
        journal.openEnvironments(),
        journal.claim(operation.operationId, 'engine-1', 0),
        journal.renew('engine-1', 1),
        journal.release('engine-1'),
        journal.prune(1),
        journal.holder(operation.environment, 'hash'),
        journal.recordRepeat(sampleRepeat()),
        journal.repeats(operation.environment),
        journal.forgetRepeat(sampleRepeat()),
        journal.annotate(operation.operationId, { event: 'handled', at: 1, by: '', note: '', known: '' }),
        journal.annotations([operation.operationId]),
      ];
      for (const call of calls) await assert.rejects(call, JournalError);
    });
  });
}
