import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** A card is pulled out after the gateway has approved: the terminal takes the payment back, and the status service shows both. */

const SECOND = 1000;
const FLAT = { statusCode: 404, name: 'NotFoundError', message: 'no record' };

const json = (status: number, body: unknown): HttpAnswer => ({ status, body: JSON.stringify(body) });

/** The answers to a sale are lost. @param shown what the status service shows after so many seconds */
async function told(shown: (seconds: number) => object | undefined) {
  const since = { now: 0 };
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async ({ url, body = '{}' }) => {
        const { operation } = JSON.parse(body);
        if (operation === 'stopCurrentTransaction') return json(400, { error: 1005, message: 'nothing runs' });
        if (operation === 'sale') return { status: 502, body: '' };
        const entry = url.includes('/status') ? shown((world.clock.now() - since.now) / SECOND) : undefined;
        return entry === undefined ? json(404, { error: FLAT }) : json(200, [entry]);
      },
    },
  });
  since.now = world.clock.now();
  await world.sale();
  await world.clock.advance(3 * 24 * 3_600_000);
  return world.told.map(({ payload: { outcome, moneyMoved, final } }) => [outcome, moneyMoved, final]);
}

const APPROVED = { transactionID: 'one', finStatus: 'AUTHORISED', type: 'SALE', totalAmount: 1000, currency: 'EUR' };

test('an approval that the terminal has taken back is told as declined once the terminal has ended', async () => {
  for (const transactionID of ['one', 'ONE']) {
    const declined = { ...APPROVED, transactionID, finStatus: 'DECLINED' };
    const said = await told((seconds) => (seconds < 20 ? undefined : seconds < 31 ? APPROVED : declined));
    assert.deepEqual(said, [['declined', 'no', true]]);
  }
});

test('a decline of another transaction is a copy from before the approval, however late it is shown', async () => {
  const first = { ...APPROVED, transactionID: 'first try', finStatus: 'DECLINED' };
  const said = await told((seconds) => (seconds < 20 ? undefined : seconds < 31 ? APPROVED : first));
  assert.ok(!said.some(([, moneyMoved]) => moneyMoved === 'no'), JSON.stringify(said));
});

test('a decline that is shown before the terminal has ended takes no approval back', async () => {
  const declined = { ...APPROVED, finStatus: 'DECLINED' };
  const said = await told((seconds) => {
    if (seconds < 20) return undefined;
    return seconds >= 31 && seconds < 60 ? declined : APPROVED;
  });
  assert.deepEqual(said.at(-1), ['approved', 'yes', true]);
  assert.ok(!said.some(([, moneyMoved]) => moneyMoved === 'no'));
});

test('one answer that says so after the end of the terminal takes no approval back', async () => {
  let denied = 0;
  const said = await told((seconds) => {
    if (seconds < 20) return undefined;
    const isStale = seconds > 200 && denied++ % 3 === 0;
    return isStale ? { ...APPROVED, finStatus: 'DECLINED' } : APPROVED;
  });
  assert.ok(denied > 0);
  assert.ok(!said.some(([, moneyMoved]) => moneyMoved === 'no'), JSON.stringify(said));
});
