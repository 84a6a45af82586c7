import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../../src/core/base/seams.js';
import { THROTTLED } from '../../../harness/approved-twice.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** Attempts that the status service does not know by a reference of ours: one was answered 429, and began all the same. */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ACCEPTED: HttpAnswer = {
  status: 202,
  body: JSON.stringify({ statusMessage: 'ok', transactionResultId: '10000001-77' }),
};
const AGAIN = { busyWaitMs: 60_000, exclusiveTerminal: false };

const told = ({ told: messages }: Payments) =>
  messages.map(({ exit, payload: { outcome, moneyMoved, final } }) => [exit, outcome, moneyMoved, final]);

interface Refund {
  /** How the latest attempt ended, says its terminal; without it the terminal never says so. */
  second?: 'AUTHORISED' | 'DECLINED';
  /** The chain shows what the first attempt refunded. */
  first: boolean;
  /** How many attempts are answered 429. */
  throttled?: number;
  /** `customerReference` of the flow. */
  mark?: string;
  /** The callback of the first attempt comes once the flow has been told something. */
  isCalledBack?: boolean;
}

/** A refund of 10.00 whose first attempts were answered 429. Everything is polled for. */
async function refunded({ second, first, throttled = 1, mark, isCalledBack = false }: Refund) {
  const sent: string[] = [];
  const reversed: string[] = [];
  const references: string[] = [];
  let original = '';
  const refund = (transactionID: string, finStatus = 'AUTHORISED') => ({
    transactionID,
    type: 'REFUND',
    finStatus,
    totalAmount: 1000,
    currency: 'EUR',
    originalEFTTransactionID: original,
    customerReference: sent[0],
  });
  const answer = async (http: HttpRequest): Promise<HttpAnswer> => {
    const body = JSON.parse(http.body ?? '{}');
    if (body.operation === 'refund') references.push(body.callbackUrl?.split('/').at(-1) ?? '');
    if (body.operation === 'refund') return sent.push(body.customerReference) <= throttled ? THROTTLED : ACCEPTED;
    if (http.url.endsWith('/reversal')) {
      reversed.push(body.originalGuid);
      return { status: 200, body: JSON.stringify({ issuerResponseCode: '00', reversalGuid: 'reversal' }) };
    }
    if (http.url.includes('/transaction-result/10000001-77')) {
      return second === undefined
        ? { status: 404, body: '{}' }
        : { status: 200, body: JSON.stringify(refund('second', second)) };
    }
    if (sent.length === 0 || !http.url.includes('/status')) return world.simulator.send(http);
    const shown = [JSON.parse((await world.simulator.send(http)).body)].flat();
    if (first) shown.push(refund('first'));
    if (second === 'AUTHORISED') shown.push(refund('second'));
    return { status: 200, body: JSON.stringify(shown) };
  };
  const world: Payments = payments({ callbacks: isCalledBack, engine: { send: answer } });
  const sale = await world.after(world.sale());
  original = sale.transactionId ?? '';
  await world.clock.advance(MINUTE);
  world.told.length = 0;
  const order = {
    operation: 'refund',
    originalTransactionId: original,
    ...(mark && { customerReference: mark }),
  } as const;
  await world.sale(order, AGAIN);
  const at = world.clock.now();
  await world.untilTold(1, 10 * MINUTE);
  const toldAfter = world.clock.now() - at;
  if (isCalledBack) await world.callback(references[0] ?? '', refund('first'));
  await world.clock.advance(3 * DAY);
  return { world, sent, reversed, toldAfter };
}

test('a linked refund whose first attempt was done although it was answered 429 is found in the chain, and not told as declined', async () => {
  const { world } = await refunded({ first: true, second: 'DECLINED' });
  assert.deepEqual(told(world), [
    ['needs-attention', 'provisional', 'unknown', false],
    ['done', 'refunded', 'yes', true],
  ]);
  assert.equal(world.told.at(-1)?.payload.transactionId, 'first');
});

test('a linked refund that was declined after a 429 is told as that once the chain shows nothing of the first attempt', async () => {
  const { world, toldAfter } = await refunded({ first: false, second: 'DECLINED' });
  assert.deepEqual(told(world), [['not-done', 'declined', 'no', true]]);
  assert.ok(toldAfter < 45_000, `told after ${toldAfter} ms`);
});

test('a linked refund that was approved after a 429 is told as that once the chain shows nothing of the first attempt', async () => {
  const { world, toldAfter, reversed } = await refunded({ first: false, second: 'AUTHORISED' });
  assert.deepEqual(told(world), [['done', 'refunded', 'yes', true]]);
  assert.deepEqual([reversed, world.late()], [[], []]);
  assert.ok(toldAfter < 45_000, `told after ${toldAfter} ms`);
});

test('of two linked refunds for one message one goes back, and callback-in hears of it', async () => {
  const { world, reversed } = await refunded({ first: true, second: 'AUTHORISED' });
  assert.deepEqual(told(world), [['done', 'refunded', 'yes', true]]);
  assert.deepEqual(reversed, ['first']);
  assert.deepEqual(world.late(), [['done', 'refunded', 'SECOND_ATTEMPT_REVERSED']]);
});

test('two linked refunds with a mark of the flow are left to a person: another system may have made one', async () => {
  const { world, reversed } = await refunded({ first: true, second: 'AUTHORISED', mark: 'invoice 7' });
  assert.deepEqual(reversed, []);
  assert.deepEqual(world.late(), [['needs-attention', 'provisional', 'REVERSAL_UNPROVEN']]);
});

test('where several attempts of a linked refund were answered 429 nobody knows which was done: a person must look', async () => {
  const { world, reversed } = await refunded({ first: true, second: 'DECLINED', throttled: 2 });
  assert.deepEqual(told(world), [
    ['needs-attention', 'unknown', 'unknown', false],
    ['needs-attention', 'unknown', 'unknown', true],
  ]);
  assert.deepEqual(reversed, []);
});

for (const throttled of [1, 2])
  for (const second of [undefined, 'DECLINED'] as const)
    test(`the only refund is not sent back because two witnesses tell of it: ${throttled} after a 429, then ${second ?? 'nothing'}`, async () => {
      const { world, reversed } = await refunded({
        first: true,
        throttled,
        isCalledBack: true,
        ...(second && { second }),
      });
      assert.deepEqual(reversed, []);
      assert.deepEqual(
        world.told.filter(({ payload: { moneyMoved } }) => moneyMoved === 'no'),
        [],
      );
    });

test('a linked refund of which one attempt shows, and whose terminal never says how the latest ended, is told as one', async () => {
  const { world } = await refunded({ first: true });
  const last = told(world).at(-1);
  assert.deepEqual(last, ['done', 'refunded', 'yes', true]);
});

const DONE_ONCE = [
  ['saleReversal', 'sale', 'refunded'],
  ['preAuthorizationCapture', 'preAuthorization', 'approved'],
  ['preAuthorizationReversal', 'preAuthorization', 'completed'],
] as const;
for (const [operation, of, outcome] of DONE_ONCE)
  for (const isLost of [false, true])
    test(`a 429 before a ${operation} delays nothing, and lets nobody look: it is done once. Answer lost: ${isLost}`, async () => {
      let isFirst = false;
      const world: Payments = payments({
        engine: {
          send: async (http) => {
            if (JSON.parse(http.body ?? '{}').operation !== operation) return world.simulator.send(http);
            isFirst = !isFirst;
            return isFirst ? THROTTLED : world.simulator.send(http);
          },
        },
      });
      const { transactionId: originalTransactionId } = await world.after(world.sale({ operation: of }));
      await world.clock.advance(MINUTE);
      const kinds = isLost ? (['answer-lost', 'callback-lost'] as const) : [];
      for (const kind of kinds) world.simulator.faults.arm({ kind, match: {}, times: 1 });
      const askedAt = world.clock.now();
      const hold =
        of === 'preAuthorization' && outcome === 'completed' ? { amount: undefined, currency: undefined } : {};
      const result = await world.after(world.sale({ operation, originalTransactionId, ...hold } as never));
      assert.deepEqual([result.outcome, result.final], [outcome, true]);
      assert.ok(world.clock.now() - askedAt < (isLost ? 30_000 : 5000), `${world.clock.now() - askedAt} ms`);
      await world.clock.advance(3 * DAY);
      assert.deepEqual([world.told.length, world.late()], [2, []]);
    });
