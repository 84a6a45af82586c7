import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Summary } from '../../src/nodes/admin/contract.js';
import { toCsv } from '../../src/nodes/editor/sidebar/csv.js';
import { movedBy } from '../../src/nodes/editor/sidebar/entry.js';
import { Store } from '../../src/nodes/editor/sidebar/store.js';
import { sampleSummary } from './sample-summary.js';

const NOW = 1_700_000_000_000;
const DAY = 24 * 60 * 60 * 1000;

const summary = (id: string, changes: Partial<Summary> = {}): Summary => sampleSummary(id, { at: NOW, ...changes });

function ids(summaries: readonly Summary[]): string[] {
  return summaries.map(({ id }) => id);
}

const wordsOf = ({ id, amount }: Summary): string => `${id} ${amount}`;

describe('the operations of the sidebar', () => {
  it('has what needs a person in front, then what goes on, then the newest', () => {
    const store = new Store();
    store.merge([
      summary('old', { at: NOW - 3 }),
      summary('new', { at: NOW - 1 }),
      summary('open', { at: NOW - 4, standing: 'open' }),
      summary('unknown', { at: NOW - DAY, standing: 'attention' }),
      summary('long ago', { at: NOW - 3 * DAY, standing: 'attention' }),
    ]);
    assert.deepEqual(ids(store.shown('all', '', wordsOf)), ['unknown', 'long ago', 'open', 'new', 'old']);
    assert.deepEqual(ids(store.shown('attention', '', wordsOf)), ['unknown', 'long ago']);
  });

  it('keeps one line of an operation, with what came last', () => {
    const store = new Store();
    store.merge([summary('a', { standing: 'open' })]);
    store.merge([summary('a', { outcome: 'approved' })]);
    assert.deepEqual([store.size, store.count('open')], [1, 0]);
    assert.equal(store.get('a')?.outcome, 'approved');
  });

  describe('a payment that was taken back', () => {
    const sale = summary('sale', { outcome: 'approved', transactionId: 'T1' });
    const reversal = (changes: Partial<Summary>): Summary =>
      summary('reversal', {
        operation: 'reversal',
        original: 'T1',
        amount: '',
        currency: '',
        terminal: '',
        ...changes,
      });
    const seen = (...others: Summary[]) => {
      const store = new Store();
      store.merge([sale, ...others]);
      return [sale, ...others].map((one) => store.entry(one));
    };

    it('says so, and its reversal shows how much that was, and where', () => {
      const [original, back] = seen(reversal({ reverses: 'whole', outcome: 'refunded' }));
      assert.equal(original?.takenBack, 'done');
      assert.deepEqual([back?.amount, back?.currency, back?.terminal], ['10.00', 'EUR', '10000001']);
    });

    it('says that it is being taken back while nobody knows', () => {
      assert.equal(seen(reversal({ reverses: 'whole', stage: 'sending' }))[0]?.takenBack, 'open');
      assert.equal(seen(reversal({ reverses: 'whole', stage: 'watching', outcome: 'unknown' }))[0]?.takenBack, 'open');
    });

    it('stays as it was where the reversal failed, or was about a part or another payment', () => {
      const left = [
        reversal({ reverses: 'whole', outcome: 'refused' }),
        reversal({ reverses: 'part', outcome: 'refunded', amount: '3.00', currency: 'EUR' }),
        reversal({ reverses: 'whole', outcome: 'refunded', original: 'T2' }),
      ];
      for (const one of left) assert.equal(seen(one)[0]?.takenBack, undefined);
    });

    it('is taken back by a part that is all of it', () => {
      assert.equal(seen(reversal({ reverses: 'part', outcome: 'refunded', amount: '10.00' }))[0]?.takenBack, 'done');
    });
  });

  it('asks nobody to look at a partial approval that was reversed, unless that is all somebody has to look at', () => {
    const part = { outcome: 'partial', standing: 'attention', transactionId: 'T1' } as const;
    const reversal = summary('reversal', {
      operation: 'reversal',
      original: 'T1',
      reverses: 'whole',
      outcome: 'refunded',
    });
    const attention = (changes: Partial<Summary>, ...others: Summary[]): number => {
      const store = new Store();
      store.merge([summary('part', { ...part, ...changes }), ...others]);
      assert.equal(store.shown('attention', '', wordsOf).length, store.count('attention'));
      return store.count('attention');
    };
    assert.equal(attention({}), 1);
    assert.equal(attention({}, reversal), 0);
    assert.equal(attention({}, { ...reversal, outcome: 'unknown', stage: 'watching' }), 1);
    assert.equal(attention({ outcome: 'unknown' }, reversal), 1);
    assert.equal(attention({ handling: 'overturned' }, reversal), 1);
    assert.equal(attention({ undelivered: true }, reversal), 1);
  });

  it('finds an amount that is typed with a comma', () => {
    const store = new Store();
    store.merge([summary('a', { amount: '12.50' }), summary('b', { amount: '12.00' })]);
    assert.deepEqual(ids(store.shown('all', '12,50', wordsOf)), ['a']);
  });

  it('finds by every word of a search, in any order and case', () => {
    const store = new Store();
    store.merge([summary('Anna', { amount: '1.00' }), summary('Bert', { amount: '1.00' })]);
    assert.deepEqual(ids(store.shown('all', ' 1.00 ANNA', wordsOf)), ['Anna']);
    assert.deepEqual(ids(store.shown('all', '1.00', wordsOf)), ['Anna', 'Bert']);
  });

  it('tells success from failure by what the money did', () => {
    const store = new Store();
    store.merge([
      summary('paid', { outcome: 'approved' }),
      summary('declined', { outcome: 'declined' }),
      summary('unknown', { outcome: 'unknown', standing: 'attention' }),
    ]);
    assert.deepEqual(ids(store.shown('success', '', wordsOf)), ['paid']);
    assert.deepEqual(ids(store.shown('failure', '', wordsOf)), ['declined']);
  });
});

describe('a table as CSV', () => {
  it('quotes what would end a cell', () => {
    assert.equal(toCsv([['a,b', 'say "hi"', 'two\nlines', 'plain']]), '"a,b","say ""hi""","two\nlines",plain\r\n');
  });

  it('quotes what ends a cell in the spreadsheets of other languages, and in pasted text', () => {
    assert.equal(toCsv([['a;b', 'a\tb']]), '"a;b","a\tb"\r\n');
  });

  for (const formula of ['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\tx', ' =1', '＝1+1', '＠SUM(A1)']) {
    it(`makes text of ${JSON.stringify(formula)}`, () => {
      assert.equal(toCsv([[formula]]).replaceAll('"', ''), `'${formula}\r\n`);
    });
  }

  for (const [value, marked] of [
    ['a;=cmd|calc', "a;'=cmd|calc"],
    ['a; =1', "a;' =1"],
    ['a\t=1', "a\t'=1"],
    ['a\n+1', "a\n'+1"],
    ['a"=1', `a""'=1`],
    ['a;＝1', "a;'＝1"],
  ] as const) {
    it(`makes text of the formula within ${JSON.stringify(value)}`, () => {
      assert.equal(toCsv([['t', value]]), `t,"${marked}"\r\n`);
    });
  }

  it('leaves signs within a text alone', () => {
    assert.equal(toCsv([['table 7-b', 'a@b.example', '1+1=2']]), 'table 7-b,a@b.example,1+1=2\r\n');
  });

  it('leaves a negative amount a number', () => {
    assert.equal(toCsv([['-12.50', '10']]), '-12.50,10\r\n');
  });

  for (const { what, seen, moved } of [
    { what: 'nothing where a payment failed for certain', seen: { outcome: 'failed' }, moved: '0' },
    { what: 'that nobody knows', seen: { outcome: 'unknown' }, moved: '' },
    {
      what: 'that nobody knows where a failure may still become an approval',
      seen: { outcome: 'failed', stage: 'watching' },
      moved: '',
    },
    {
      what: 'that nobody knows where such a failure was not told either',
      seen: { outcome: 'failed', undelivered: true },
      moved: '',
    },
  ] as const) {
    it(`says ${what}`, () => {
      assert.equal(movedBy(new Store().entry(summary('sale', seen))), moved);
    });
  }

  const SALE = {
    operation: 'sale',
    outcome: 'approved',
    amount: '40.00',
    currency: 'EUR',
    transactionId: 't',
  } as const;
  const change = (id: string, at: number, more: Partial<Summary>) =>
    summary(id, { original: 't', currency: 'EUR', outcome: 'refunded', at, ...more });
  const reversal = (at: number, amount: string, more: Partial<Summary> = {}) =>
    change(`reversal ${at}`, at, {
      ...{ operation: 'reversal', reverses: amount === '' ? 'whole' : 'part', amount },
      ...more,
    });
  const tip = (at: number, amount: string, more: Partial<Summary> = {}) =>
    change(`tip ${at}`, at, { operation: 'tip-adjustment', outcome: 'approved', amount: '', tip: amount, ...more });

  for (const { what, of = SALE, changes, moved } of [
    {
      what: 'reversals, of which each takes the place of the one before it',
      changes: [reversal(1, '10.00'), reversal(2, '25.00'), reversal(3, '')],
      moved: ['40.00', '-10.00', '-15.00', '-15.00'],
    },
    {
      what: 'a reversal behind one that was not done',
      changes: [reversal(1, '10.00', { outcome: 'not-charged' }), reversal(2, '25.00')],
      moved: ['40.00', '0', '-25.00'],
    },
    {
      what: 'a reversal behind one of which nobody knows',
      changes: [reversal(1, '10.00', { outcome: 'unknown' }), reversal(2, '25.00')],
      moved: ['40.00', '', ''],
    },
    {
      what: 'tips, of which each takes the place of the one before it',
      changes: [tip(1, '6.00'), tip(2, '8.00'), tip(3, '0.00'), tip(4, '1.00', { outcome: 'declined' })],
      moved: ['40.00', '6.00', '2.00', '-8.00', '0'],
    },
    {
      what: 'a tip on one that was given on the screen',
      of: { ...SALE, tip: '5.00' },
      changes: [tip(1, '6.00'), reversal(2, '41.00')],
      moved: ['40.00', '1.00', '-41.00'],
    },
    {
      what: 'reversals of a refund',
      of: { ...SALE, operation: 'refund', outcome: 'refunded' } as const,
      changes: [reversal(1, '')],
      moved: ['-40.00', '40.00'],
    },
    {
      what: 'two reversals in the same millisecond',
      changes: [reversal(1, '10.00'), reversal(1, '25.00', { id: 'reversal 1b' })],
      moved: ['40.00', '-10.00', '-15.00'],
    },
    {
      what: 'a reversal behind one that is open, or still watched',
      changes: [
        reversal(1, '10.00', { outcome: undefined, stage: 'sending' }),
        reversal(2, '25.00'),
        reversal(3, '30.00', { outcome: 'failed', stage: 'watching' }),
        reversal(4, '35.00'),
      ],
      moved: ['40.00', '', '', '', ''],
    },
    {
      what: 'a whole reversal of which nobody has said how much it was, behind a tip',
      changes: [tip(1, '1.00'), reversal(2, '')],
      moved: ['40.00', '1.00', ''],
    },
    { what: 'an amount that cannot be read', of: { ...SALE, amount: '1.2345' }, changes: [], moved: [''] },
  ]) {
    it(`says what was moved by ${what}`, () => {
      const store = new Store();
      const all = [summary('sale', { ...of, at: 0 }), ...changes];
      store.merge(all);
      assert.deepEqual(
        all.map((one) => movedBy(store.entry(one))),
        moved,
      );
    });
  }

  it('says nothing of a tip whose sale it does not know', () => {
    assert.equal(movedBy(new Store().entry(tip(1, '6.00'))), '');
  });
});
