import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import type { OperationRecord } from '../../../src/core/journal/record.js';
import type { LedgerEntry } from '../../../src/simulator/index.js';
import { type Evidence, type Heard, judgeKills } from './oracle.js';
import { playKills } from './rounds.js';

const ROUNDS = 3;

test('a Node-RED that is killed at work, and on a full disk, tells the truth about every payment', async (t) => {
  const seed = randomInt(1, 2 ** 31);
  t.diagnostic(`npm run truth:kill -- --rounds ${ROUNDS} --seed ${seed}`);
  const { violations, recorded, told, refused } = await playKills({ seed, rounds: ROUNDS });
  assert.deepEqual(violations, []);
  assert.ok(recorded > 0 && told >= recorded && refused > 0, `${recorded} recorded, ${told} told, ${refused} refused`);
});

for (const [what, clocks] of [
  ['at 1970', '1970'],
  ['right and far ahead in turns', 'far-ahead'],
] as const) {
  test(`a Node-RED whose clock stands ${what} when it is killed loses no payment from the journal`, async (t) => {
    const seed = randomInt(1, 2 ** 31);
    t.diagnostic(`npm run truth:kill -- --rounds ${ROUNDS} --seed ${seed} --clocks ${clocks}`);
    const { violations, recorded } = await playKills({ seed, rounds: ROUNDS, clocks });
    assert.deepEqual(violations, []);
    assert.ok(recorded > 0);
  });
}

const order = 'o1';
const at = 1000;
const approved: Heard = { at, order, outcome: 'approved', moneyMoved: 'yes', final: true, total: 1000 };
const declined: Heard = { at, order, outcome: 'declined', moneyMoved: 'no', final: true, total: 0 };
const unknown: Heard = { at, order, outcome: 'unknown', moneyMoved: 'unknown', final: false };
const record = {
  origin: { message: { order } },
  closed: true,
  state: { phase: 'closed' },
} as unknown as OperationRecord;
const charge = { kind: 'charge', customerReference: order, serial: '1', at: 900, moved: 1000, held: 0 } as LedgerEntry;
const truth: Evidence = { orders: [order], heard: [approved], records: [record], ledger: [charge], kills: 1 };

test('what agrees is no violation', () => {
  assert.deepEqual(judgeKills(truth), []);
  assert.deepEqual(judgeKills({ ...truth, heard: [approved, { ...approved, redelivered: true }] }), []);
  assert.deepEqual(judgeKills({ ...truth, heard: [unknown, { ...approved, correction: true }] }), []);
  assert.deepEqual(
    judgeKills({ ...truth, heard: [], records: [], ledger: [] }),
    [],
    'it died before the journal had it',
  );
});

const wrong: [string, Partial<Evidence>, RegExp][] = [
  ['a second charge', { ledger: [charge, charge] }, /2 charges/],
  ['silence', { heard: [] }, /nothing was ever told/],
  ['a charge that nobody recorded', { heard: [], records: [] }, /the bank has it, and the journal does not/],
  ['money told as not moved', { heard: [declined] }, /told declined \(0\), and the bank has 1000/],
  ['money told as moved', { ledger: [] }, /told approved \(1000\), and the bank has 0/],
  ['a charge that comes after the telling', { heard: [declined], ledger: [{ ...charge, at: 2000 }] }, /bank has 1000/],
  [
    'a second verdict',
    { heard: [declined, { ...approved, correction: true }] },
    /told approved final after declined final/,
  ],
  ['a second message', { heard: [approved, approved] }, /told approved final after approved final/],
  ['something left open', { records: [{ ...record, closed: false }] }, /is left open/],
  ['an order that nobody sent', { orders: [] }, /nobody sent it/],
];

for (const [what, change, violation] of wrong) {
  test(`${what} is a violation`, () => {
    assert.match(judgeKills({ ...truth, ...change }).join('\n'), violation);
  });
}
