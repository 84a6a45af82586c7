import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, Send } from '../../../../src/core/base/seams.js';
import { DEFAULT_KEY } from '../../../../src/simulator/index.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** An older copy of what the status service has said comes once more, after it has shown an approval: nothing final rests on it. */

const MINUTE = 60_000;
const DAYS = 3 * 24 * 60 * MINUTE;
const UNKNOWN_ID = { status: 404, body: JSON.stringify({ error: { statusCode: 404, name: 'NotFoundError' } }) };
const NOTHING_RUNS = { status: 400, body: JSON.stringify({ error: 1005, message: 'none' }) };
const ACCEPTED = { status: 202, body: JSON.stringify({ transactionResultId: '10000001-1' }) };
const LOST = { status: 502, body: '' };

/** A service whose terminals never answer; what it shows of a payment that is so old is `shown`. */
function silent(shown: (ageMs: number) => readonly object[]) {
  const reversed: string[] = [];
  const send: Send = async ({ method, url, body = '{}' }): Promise<HttpAnswer> => {
    const age = world.clock.now() - since;
    if (url.endsWith('/reversal')) {
      reversed.push(JSON.parse(body).originalGuid);
      return LOST;
    }
    if (method === 'POST') return JSON.parse(body).operation === 'stopCurrentTransaction' ? NOTHING_RUNS : ACCEPTED;
    if (url.includes('/status/')) return { status: 200, body: JSON.stringify(shown(age)) };
    return age < 20_000 ? { status: 204, body: '' } : UNKNOWN_ID;
  };
  const world: Payments = payments({ callbacks: false, engine: { send } });
  const since = world.clock.now();
  return { world, reversed };
}

/** What it shows: first a "no", then an approval as well, and once more the "no" alone when `isOlder` says so for the first time. */
function once(no: object, all: readonly object[], isOlder: (ageMs: number) => boolean) {
  let copies = 0;
  return (age: number): readonly object[] => {
    if (age < MINUTE) return [no];
    return isOlder(age) && copies++ === 0 ? [no] : all;
  };
}

for (const [operation, type] of [
  ['sale', 'SALE'],
  ['preAuthorization', 'PRE_AUTHORIZATION'],
] as const) {
  for (const [finStatus, approved] of [
    ['DECLINED', 'two'],
    ['CANCELLED', 'two'],
    ['DECLINED', 'one'],
  ] as const) {
    test(`a ${operation} whose approval ${approved} was seen is not ended by an older copy that says ${finStatus}`, async () => {
      const no = { transactionID: 'one', finStatus, type, requestedAmount: 1000 };
      const yes = { transactionID: approved, finStatus: 'AUTHORISED', type, totalAmount: 1000, currency: 'EUR' };
      const all = approved === 'one' ? [yes] : [no, yes];
      const { world } = silent(once(no, all, (age) => age > 60 * MINUTE));
      await world.sale({ operation });
      await world.clock.advance(DAYS);
      const outcomes = world.told.map(({ payload }) => payload.outcome);
      assert.ok(outcomes.length > 0);
      assert.ok(!outcomes.includes('declined') && !outcomes.includes('cancelled'), outcomes.join());
    });
  }
}

for (const finStatus of ['CANCELLED', 'DECLINED']) {
  test(`by policy what was approved goes back, and not the try before it that shows ${finStatus}`, async () => {
    const no = { transactionID: 'one', finStatus, type: 'SALE', requestedAmount: 1000 };
    const yes = { transactionID: 'two', finStatus: 'AUTHORISED', type: 'SALE', totalAmount: 1000, currency: 'EUR' };
    const { world, reversed } = silent(once(no, [no, yes], () => reversed.length > 0));
    await world.sale({}, { lateApproval: 'reverse' });
    await world.clock.advance(DAYS);
    assert.deepEqual([...new Set(reversed)], ['two']);
    assert.ok(
      world.told.every(({ payload }) => payload.moneyMoved !== 'no'),
      'no reversal was done',
    );
  });
}

test('the removal of a tip that never arrives is not told as done by one copy of the chain from before the tip', async () => {
  let older: HttpAnswer | undefined;
  let questions = 0;
  let isCutOff = false;
  const world: Payments = payments({
    engine: {
      send: async (request) => {
        if (isCutOff && request.url.endsWith('/tip-adjustment')) return LOST;
        const isAfterBaseline = isCutOff && request.url.includes('/status/') && ++questions === 2;
        return (isAfterBaseline && older) || world.simulator.send(request);
      },
    },
  });
  const { transactionId: transactionID = '', reference } = await world.after(world.sale());
  await world.clock.advance(MINUTE);
  const url = `${world.simulator.statusUrl}/transactions/${reference}/status/all`;
  older = await world.simulator.send({ method: 'GET', url, headers: { ApiKeyCloud: DEFAULT_KEY }, timeoutMs: 20_000 });
  const tip = (amount: string): Promise<string> =>
    world.backOffice({ operation: 'tip-adjustment', body: { transactionID, amount, currency: 'EUR' } });
  assert.equal((await world.after(tip('3.00'))).outcome, 'approved');
  await world.clock.advance(10 * MINUTE);
  isCutOff = true;
  const removal = await tip('0');
  await world.clock.advance(DAYS);
  assert.equal(world.bank.netMoved(), 1300);
  const told = world.told.filter(({ payload }) => payload.operationId === removal);
  assert.ok(told.length > 0 && told.every(({ payload }) => payload.outcome !== 'approved'));
});
