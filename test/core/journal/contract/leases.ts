import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { recorded, sampleId } from '../sample-record.js';
import type { WithJournal } from './with-journal.js';

/** Which engine may work on an operation. */
export function leasesContract(name: string, withJournal: WithJournal): void {
  describe(`${name}: leases`, () => {
    it(
      'keeps an operation for its owner until the lease has run out',
      withJournal(async (journal) => {
        const { operationId } = await recorded(journal);
        await journal.renew('engine-1', 1_000);
        assert.equal(await journal.claim(operationId, 'engine-2', 999), false);
        assert.equal(await journal.claim(operationId, 'engine-1', 999), true, 'the holder may claim again');
        await journal.renew('engine-1', 2_000);
        assert.equal(await journal.claim(operationId, 'engine-2', 1_999), false);
        assert.equal(await journal.claim(operationId, 'engine-2', 2_000), true);
        await journal.renew('engine-2', 3_000);
        assert.equal(await journal.claim(operationId, 'engine-1', 2_999), false, 'the former owner comes too late');
      }),
    );

    it(
      'knows how long ago an operation was written only where other processes can have it',
      withJournal(async (journal) => {
        const { operationId } = await recorded(journal);
        const unchangedFor = await journal.unchangedFor?.(operationId);
        assert.equal(unchangedFor !== undefined, journal.doors !== undefined);
        assert.equal(await journal.unchangedFor?.(sampleId()), undefined);
      }),
    );

    it(
      'renews only what the owner still holds',
      withJournal(async (journal) => {
        const { operationId } = await recorded(journal);
        await journal.renew('engine-1', 1_000);
        await journal.renew('engine-2', 2_000);
        assert.equal(await journal.claim(operationId, 'engine-2', 1_500), true);
        await journal.renew('engine-1', 9_000);
        assert.equal(await journal.claim(operationId, 'engine-3', 2_500), true);
      }),
    );

    it(
      'lets one of two engines have it',
      withJournal(async (journal) => {
        const { operationId } = await recorded(journal);
        await journal.release('engine-1');
        const claims = ['engine-2', 'engine-3'].map((owner) => journal.claim(operationId, owner, 0));
        assert.deepEqual((await Promise.all(claims)).sort(), [false, true]);
      }),
    );

    it(
      'gives up everything at a release, and only what is its own',
      withJournal(async (journal) => {
        const mine = [await recorded(journal), await recorded(journal)];
        const other = await recorded(journal, 'engine-9');
        await journal.release('engine-1');
        for (const { operationId } of mine) assert.equal(await journal.claim(operationId, 'engine-2', 0), true);
        assert.equal(await journal.claim(other.operationId, 'engine-2', 0), false);
      }),
    );

    it(
      'gives no lease on what is closed or not there',
      withJournal(async (journal) => {
        const operation = await recorded(journal);
        await journal.advance({ ...operation, closed: true });
        assert.equal(await journal.claim(operation.operationId, 'engine-1', 0), false);
        assert.equal(await journal.claim(sampleId(), 'engine-1', 0), false);
      }),
    );
  });
}
