import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** A service that writes the code of the issuer as a number, which has no zeros in front, or with another number of them. */
function withCode(code: unknown, ofDecline?: string) {
  const world: Payments = payments({
    callbacks: false,
    simulator: { variants: { motoDecline: '200' } },
    engine: {
      send: async (request) => {
        const answer = await world.simulator.send(request);
        const isAnswer = /moto|reversal/.test(request.url) && answer.status === 200;
        const body = isAnswer ? JSON.parse(answer.body) : {};
        const isMeant = isAnswer && body.issuerResponseCode === (ofDecline ?? '00');
        return isMeant ? { ...answer, body: JSON.stringify({ ...body, issuerResponseCode: code }) } : answer;
      },
    },
  });
  const token = async (): Promise<string> => {
    const stored = world.sale({ operation: 'tokenizeCard', amount: undefined, currency: undefined });
    return (await world.after(stored)).card.token ?? '';
  };
  const told = (order: BackOfficeOrder): Promise<ResultPayload> => world.after(world.backOffice(order));
  return { world, token, told };
}

const AMOUNT = { amount: '4.00', currency: 'EUR' };

const saidOf = ({ outcome, moneyMoved, final, source }: ResultPayload) => [outcome, moneyMoved, final, source];

for (const code of [0, '0', '000']) {
  const written = JSON.stringify(code);

  test(`a refund whose issuer code is ${written} is told as refunded, as one with "00" is`, async () => {
    const { world, told } = withCode(code);
    const { transactionId: originalGuid = '' } = await world.after(world.sale());
    await world.clock.advance(20_000);
    const payload = await told({ operation: 'moto/refund', body: { originalGuid, ...AMOUNT } });
    assert.deepEqual([...saidOf(payload), payload.issuerCode], ['refunded', 'yes', true, 'answer', '00']);
    assert.equal(world.bank.netMoved(), 600);
  });

  test(`a payment, a refund and a reversal by token whose issuer code is ${written} are told as done`, async () => {
    const { token, told } = withCode(code);
    const body = { ...AMOUNT, cardToken: await token() };
    const paid = await told({ operation: 'moto/sale', body });
    assert.deepEqual(saidOf(paid), ['approved', 'yes', true, 'answer']);
    assert.deepEqual(saidOf(await told({ operation: 'moto/refund', body })), ['refunded', 'yes', true, 'answer']);
    const originalGuid = paid.transactionId ?? '';
    const reversed = await told({ operation: 'reversal', body: { originalGuid } });
    assert.deepEqual(saidOf(reversed), ['refunded', 'yes', true, 'answer']);
  });
}

test('a decline whose issuer code is 5 is told as that of "05"', async () => {
  const { world, token, told } = withCode(5, '05');
  const payload = await told({
    operation: 'moto/sale',
    body: { amount: '37.84', currency: 'EUR', cardToken: await token() },
  });
  assert.equal(world.bank.netMoved(), 0);
  assert.deepEqual([...saidOf(payload), payload.retry], ['declined', 'no', true, 'answer', 'after-cardholder']);
  assert.deepEqual([payload.issuerCode, payload.error?.code], ['05', '05']);
});
