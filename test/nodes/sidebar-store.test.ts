import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Summary } from '../../src/nodes/admin/contract.js';
import type { Entry } from '../../src/nodes/editor/sidebar/entry.js';
import { Store } from '../../src/nodes/editor/sidebar/store.js';
import { sampleSummary } from './sample-summary.js';

/** What a search finds of what the sidebar has heard. */

const SALE = sampleSummary('the-sale', { amount: '12.50', outcome: 'approved' });
const REVERSAL: Summary = {
  ...SALE,
  id: 'the-reversal',
  at: 2_000,
  operation: 'reversal',
  amount: '',
  currency: '',
  transactionId: 'made-by-the-reversal',
  original: SALE.transactionId,
  reverses: 'whole',
  outcome: 'refunded',
};

const wordsOf = ({ amount, outcome, takenBack }: Entry): string => `${amount} ${outcome} taken-back-${takenBack}`;

function find(store: Store, search: string): string[] {
  return store.shown('all', search, wordsOf).map(({ id }) => id);
}

it('finds a payment by what has become of it since the last search', () => {
  const store = new Store();
  store.merge([{ ...SALE, outcome: 'unknown' }]);
  assert.deepEqual(find(store, 'unknown'), [SALE.id]);
  store.merge([SALE]);
  assert.deepEqual([find(store, 'unknown'), find(store, 'approved')], [[], [SALE.id]]);
  store.merge([REVERSAL]);
  assert.deepEqual(find(store, 'taken-back-done'), [SALE.id]);
});

it('finds a reversal by the amount of its sale, in whichever order they are heard of', () => {
  const store = new Store();
  store.merge([REVERSAL]);
  assert.deepEqual(find(store, '12.50'), []);
  store.merge([SALE]);
  assert.deepEqual(find(store, '12.50'), [REVERSAL.id, SALE.id]);
});

it('looks at no payment twice for the next key', () => {
  const store = new Store();
  let looked = 0;
  const counted = (entry: Entry): string => {
    looked++;
    return wordsOf(entry);
  };
  store.merge([SALE, REVERSAL]);
  for (const typed of ['1', '12', '12.5']) store.shown('all', typed, counted);
  assert.equal(looked, 2);
});
