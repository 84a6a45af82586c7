import assert from 'node:assert/strict';
import { UnreadableAnswerError } from '../../src/core/base/errors.js';
import type { Variants } from '../../src/simulator/index.js';
import { connected, TERMINAL } from '../harness/connected.js';
import { payments } from '../harness/payments.js';
import { SALE_TRIGGERS } from '../harness/trigger-amounts.js';
import { chapter, type Row, refused } from './row.js';

/** What is known of the service besides its description: trigger amounts, and the variants that deployments answer with. */

const EUR = 'EUR';
const sale = { operation: 'sale', amount: '1000', currency: EUR } as const;

const BY_SALE: Row[] = chapter(
  'Trigger amounts',
  Object.fromEntries(
    SALE_TRIGGERS.map(([amounts, finStatus, code, moved]) => [
      `${amounts.replaceAll(' ', ', ')}: ${finStatus} ${code}`,
      async () => {
        for (const amount of amounts.split(' ')) {
          const { perform, simulator } = connected();
          const result = await perform({ ...sale, amount });
          assert.deepEqual([result.finStatus, result.issuerResponseCode], [finStatus, code], amount);
          assert.equal(simulator.bank.netMoved(), moved, amount);
        }
      },
    ]),
  ),
);

export const TRIGGER_AMOUNTS: Row[] = [
  ...BY_SALE,
  ...chapter('Trigger amounts', {
    '6165: approved with chip and PIN': async () => {
      const { perform } = connected({ cardholder: { insertWhenAsked: true } });
      const { finStatus, verificationMethod } = await perform({ ...sale, amount: '6165' });
      assert.deepEqual([finStatus, verificationMethod], ['AUTHORISED', 'PIN']);
    },
    'tip adjustment 37.84: declined; 37.68: times out': async () => {
      const { client, sold, simulator } = connected();
      const { transactionID } = await sold();
      const tip = (amount: string) => client.tip.adjust({ transactionID, amount, currency: EUR });
      await refused(tip('37.84'), '05');
      await assert.rejects(tip('37.68'), { code: 'UNREADABLE_ANSWER' });
      assert.equal(simulator.bank.netMoved(), 1000);
    },
    '/batch/close of the DEMO merchant wants number 123': async () => {
      const { client, sold } = connected();
      await sold();
      const batch = { serialNumber: '10000001', deviceType: 'SIMULATEDT1' };
      await refused(client.batch.close({ ...batch, batchNumber: '7' }), 'VALIDATION_FAILED', 422);
      assert.equal((await client.batch.close({ ...batch, batchNumber: '123' })).batchStatus, 'CLOSED');
    },
    'any other amount: approved': async () => {
      assert.equal((await connected().perform({ ...sale, amount: '3780' })).finStatus, 'AUTHORISED');
    },
  }),
];

const as = (variants: Partial<Variants>) => connected({ variants });

/** A refusal of `POST /transactions` in one of its shapes. */
function busy(terminalErrors: Variants['terminalErrors']): () => Promise<void> {
  return async () => {
    const world = connected({ variants: { terminalErrors }, cardholder: 'none' });
    await world.client.transactions.start({ ...TERMINAL, ...sale });
    await refused(world.client.transactions.start({ ...TERMINAL, ...sale }), '1001', 400);
    world.terminal.goOffline();
    await refused(world.client.transactions.start({ ...TERMINAL, ...sale }), '1002', 400);
  };
}

/** Without a terminal's number the response may be a proxy's: nothing is certain. */
async function busyByStatus(): Promise<void> {
  const world = connected({ variants: { terminalErrors: 'status' }, cardholder: 'none' });
  await world.client.transactions.start({ ...TERMINAL, ...sale });
  await assert.rejects(world.client.transactions.start({ ...TERMINAL, ...sale }), UnreadableAnswerError);
  world.terminal.goOffline();
  await assert.rejects(world.client.transactions.start({ ...TERMINAL, ...sale }), UnreadableAnswerError);
}

export const VARIANTS = chapter('Variants in answers', {
  'terminal error: flat': busy('flat'),
  'terminal error: nested in the message': busy('nested'),
  'terminal error: JSON inside the message text': busy('text'),
  'terminal error: 409 busy, 404 not connected, without a number: an unknown outcome': busyByStatus,
  '202 without transactionResultId where a callbackUrl was sent': async () => {
    const world = payments({ simulator: { variants: { acceptedWithoutResultId: true } } });
    await world.sale();
    assert.equal((await world.untilTold()).payload.outcome, 'approved');
  },
  'no record yet: 200 UNDEFINED, 404, an empty list': async () => {
    for (const kind of ['status-undefined', 'status-404', 'status-empty'] as const) {
      const { client, simulator, newId } = connected();
      simulator.faults.arm({ kind });
      assert.equal(await client.status.get(newId()), 'no-record', kind);
    }
  },
  'another merchant’s reference: 401': async () => {
    const merchants = [{ keys: ['one'] }, { keys: ['two'], terminals: [] }];
    const world = connected({ merchants }, 'one');
    const { reference } = await world.sold();
    assert.equal((await world.status(reference, '', 'two')).status, 401);
  },
  'efttimestamp: number of ms, or a text': async () => {
    const { result } = await as({ timestamps: 'text' }).sold();
    assert.equal(typeof result.efttimestamp, 'number');
  },
  'finStatus: PARTIALLY_APPROVED is PARTIAL_APPROVAL': async () => {
    const { raw, finStatus } = await as({ partialSpelling: 'PARTIALLY_APPROVED' }).perform({ ...sale, amount: '3757' });
    assert.deepEqual([raw.finStatus, finStatus], ['PARTIALLY_APPROVED', 'PARTIAL_APPROVAL']);
  },
  'a partial approval shown as AUTHORISED with an amount due is no full approval': async () => {
    const world = payments({ callbacks: false, simulator: { variants: { partialInStatus: 'AUTHORISED' } } });
    await world.sale({ amount: '3757' });
    const { outcome, amount } = (await world.untilTold()).payload;
    assert.deepEqual([outcome, amount?.total], ['partial', '11.00']);
  },
  'httpStatus: integer or string': async () => {
    for (const httpStatus of ['number', 'text'] as const) {
      const { client, sold } = as({ httpStatus });
      const answer = await client.reversal.reverse({ originalGuid: (await sold()).transactionID });
      assert.deepEqual(
        [answer.httpStatus, typeof answer.raw.httpStatus === 'number'],
        ['200', httpStatus === 'number'],
      );
    }
  },
  'customFields: array, {entry: []}, flat object': async () => {
    for (const customFields of ['array', 'entry', 'object'] as const) {
      const world = connected({ variants: { customFields }, cardholder: { acceptPartial: false } });
      const { customFields: read = [] } = await world.perform({ ...sale, amount: '3757' });
      assert.deepEqual(read.at(-1), { key: 'messageReasonCode', value: '4354' });
    }
  },
  'ping: a result by polling, or PING_PONG in the reply': async () => {
    assert.equal((await as({ ping: 'result' }).perform({ operation: 'pingDevice' })).finStatus, 'PROCESSED');
    const { result } = await as({ ping: 'reply' }).client.transactions.start({ ...TERMINAL, operation: 'pingDevice' });
    assert.equal(result, 'PING_PONG');
  },
  'a reversed sale: CANCELLED or REFUNDED': async () => {
    for (const reversedSale of ['CANCELLED', 'REFUNDED'] as const) {
      const { client, clock, sold } = as({ reversedSale });
      const { reference, transactionID: originalGuid } = await sold();
      await client.reversal.reverse({ originalGuid });
      await clock.advance(1000);
      const found = await client.status.get(reference);
      assert.equal(found !== 'no-record' && found.finStatus, reversedSale);
    }
  },
  'a forced reversal: DECLINED or CANCELLED, both not charged': async () => {
    for (const forcedReversal of ['DECLINED', 'CANCELLED'] as const) {
      const world = payments({ simulator: { variants: { forcedReversal }, cardholder: { card: { entry: 'ICC' } } } });
      world.simulator.faults.arm({ kind: 'chip-pulled' });
      await world.sale();
      assert.equal((await world.untilTold()).payload.moneyMoved, 'no');
      assert.equal(world.bank.netMoved(), 0);
    }
  },
  'any other 4xx or 5xx on POST /transactions is an unknown outcome': async () => {
    const { client, simulator } = connected();
    simulator.faults.arm({ kind: 'server-error-after' });
    await assert.rejects(client.transactions.start({ ...TERMINAL, ...sale }), { code: 'UNREADABLE_ANSWER' });
  },
  '1001: the next try has a new reference': async () => {
    const world = payments();
    world.simulator.faults.arm({ kind: 'terminal-busy' });
    const operationId = await world.sale({}, { busyWaitMs: 60_000 });
    const { outcome, reference } = (await world.untilTold()).payload;
    assert.equal(outcome, 'approved');
    assert.notEqual(reference, operationId);
  },
  'after a keyed-entry timeout the terminal stays busy until it is stopped': async () => {
    const { client, clock } = connected({ cardholder: 'none' });
    await client.transactions.start({ ...TERMINAL, operation: 'moToSale', amount: '1000', currency: EUR });
    await clock.advance(31_000);
    await refused(client.transactions.start({ ...TERMINAL, ...sale }), '1001');
    await client.transactions.start({ ...TERMINAL, operation: 'stopCurrentTransaction' });
    await client.transactions.start({ ...TERMINAL, ...sale });
  },
});
