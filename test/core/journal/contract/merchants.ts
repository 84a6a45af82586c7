import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WithJournal } from './with-journal.js';

/** Which merchants an API key opens. */
export function merchantsContract(name: string, withJournal: WithJournal): void {
  describe(`${name}: the merchants of keys`, () => {
    it(
      'gives back what was noted last of a key, and nothing of another',
      withJournal(async (journal) => {
        assert.equal(await journal.merchantsOf('key-1'), undefined);
        await journal.noteMerchants('key-1', ['merchant-1']);
        await journal.noteMerchants('key-1', ['merchant-2', 'merchant-3']);
        assert.deepEqual(await journal.merchantsOf('key-1'), ['merchant-2', 'merchant-3']);
        assert.equal(await journal.merchantsOf('key-2'), undefined);
      }),
    );
  });
}
