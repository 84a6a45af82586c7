import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LedgerEntry } from '../../src/simulator/index.js';
import type { Placed } from './customers.js';
import type { Evidence, Recorded } from './evidence.js';
import { judgeFleet } from './oracle.js';
import type { Told } from './told.js';

const entry = 'o1#1';
const placed: Placed = { id: 'o1', root: 'o1', kind: 'sale', amount: 1000, entries: [entry], answer: { final: true } };
const approved: Told = {
  ...{ at: 1000, order: 'o1', entry, life: 'a.1', operationId: 'first', outcome: 'approved', moneyMoved: 'yes' },
  ...{ final: true, total: 1000 },
};
const refused: Told = { at: 500, order: 'o1', entry, life: 'b.1', error: 'it stands by', code: 'STANDBY' };
const notCharged: Told = { ...approved, outcome: 'not-charged', moneyMoved: 'no', total: 0 };
const recorded: Recorded = { operationId: 'first', order: 'o1', entry, attempt: 1, startedAt: 800, closed: true };
const charge = { kind: 'charge', customerReference: 'o1', at: 900, moved: 1000, held: 0 } as LedgerEntry;
const killed = { kind: 'kill', at: 950, until: 960, life: 'a.1' } as const;
const truth: Evidence = {
  ...{ orders: [placed], told: [approved], recorded: [recorded], repeats: [], blows: [], rate: 2 },
  seen: { ledger: [charge], requests: [], callbacks: [] },
  handed: new Map([[entry, ['a.1']]]),
  ...{ unavailable: 0, lost: 0, joinedAt: 0, struckAt: 0 },
};

const again: Told = { ...approved, at: 1100, life: 'b.1', redelivered: true };
const secondTry = { ...placed, entries: [entry, 'o1#2'] };
const repeated: Told = { ...approved, at: 1200, entry: 'o1#2', life: 'b.1', repeated: true };
const secondAttempt: Partial<Evidence> = {
  orders: [secondTry],
  told: [
    { ...notCharged, at: 700 },
    { ...approved, entry: 'o1#2', operationId: 'second' },
  ],
  recorded: [
    { ...recorded, startedAt: 600 },
    { ...recorded, operationId: 'second', entry: 'o1#2', attempt: 2 },
  ],
};
const right: [string, Partial<Evidence>][] = [
  ['one sale', {}],
  ['a result that comes again marked', { told: [approved, again], blows: [killed] }],
  ['an order that was asked for again', { orders: [secondTry], told: [approved, repeated] }],
  ['a second attempt after a certain no', secondAttempt],
  [
    'a second attempt that came before the first and waited for its leader',
    {
      ...secondAttempt,
      recorded: [
        { ...recorded, operationId: 'second', attempt: 2, startedAt: 800 },
        { ...recorded, attempt: 1, startedAt: 600 },
      ],
    },
  ],
  ['a replica that refused', { told: [refused, approved], handed: new Map([[entry, ['b.1', 'a.1']]]) }],
  [
    'a message that died with its replica',
    {
      orders: [secondTry],
      told: [{ ...approved, entry: 'o1#2' }],
      recorded: [{ ...recorded, entry: 'o1#2' }],
      blows: [killed],
    },
  ],
  ['requests as many as the key may make', { seen: seen(0, 400, 1000, 1400) }],
  [
    'too many requests right after a restart of the database',
    { seen: seen(1000, 1400, 1600), blows: [{ kind: 'restart', at: 500, until: 900 }] },
  ],
];
for (const [what, change] of right) {
  test(`${what} is no violation`, () => {
    assert.deepEqual(judgeFleet({ ...truth, ...change }), []);
  });
}

const wrong: [string, Partial<Evidence>, RegExp][] = [
  ['a second charge', { seen: { ...truth.seen, ledger: [charge, charge] } }, /2 times a sale at the bank/],
  ['a client without an answer', { orders: [{ ...placed, answer: undefined }] }, /never had an answer/],
  ['a mistake', { orders: [{ ...placed, answer: { code: 'INVALID_AMOUNT' } }] }, /a mistake, INVALID_AMOUNT/],
  [
    'a charge that nobody recorded',
    { recorded: [], told: [], blows: [killed] },
    /the bank has it, and the journal does not/,
  ],
  [
    'a charge that nobody ordered',
    { orders: [], told: [], recorded: [] },
    /the bank has a charge of o1, and nobody ordered it/,
  ],
  ['money told as not moved', { told: [notCharged] }, /told not-charged \(0\), and the bank has 1000/],
  ['money told as moved', { seen: { ...truth.seen, ledger: [] } }, /told approved \(1000\), and the bank has 0/],
  [
    'a second attempt after an approval',
    {
      ...secondAttempt,
      told: [approved, { ...notCharged, operationId: 'second' }],
      recorded: [recorded, { ...recorded, operationId: 'second', attempt: 2, startedAt: 950 }],
    },
    /tried again after approved/,
  ],
  ['something left open', { recorded: [{ ...recorded, closed: false }] }, /is left open/],
  ['silence about what is recorded', { told: [] }, /is in the journal, and nothing was ever told/],
  [
    'silence of a replica that lives',
    { told: [], recorded: [], seen: { ...truth.seen, ledger: [] } },
    /nothing was ever told/,
  ],
  [
    'a result that comes again unmarked',
    { told: [approved, { ...again, redelivered: undefined }] },
    /told approved final after approved final/,
  ],
  [
    'a repeat that was never told',
    { orders: [secondTry], repeats: ['o1#2'] },
    /o1#2 is in the journal, and nothing was ever told/,
  ],
  [
    'a telling that nobody asked for',
    { told: [approved, { ...approved, order: 'o2' }] },
    /o2 was told, and nobody sent it/,
  ],
  ['a key above its rate', { seen: seen(1000, 1400, 1600) }, /above its rate/],
];
for (const [what, change, violation] of wrong) {
  test(`${what} is a violation`, () => {
    assert.match(judgeFleet({ ...truth, ...change }).join('\n'), violation);
  });
}

function seen(...times: number[]): Evidence['seen'] {
  return { ...truth.seen, requests: times.map((at) => ({ at, key: 'key-0', status: 202 })) };
}
