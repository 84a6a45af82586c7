import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BackOfficeDraft } from '../../../../src/core/operation/back-office-order.js';
import { atOddService, CUT, type Entry, original } from '../../../harness/odd-service.js';
import { NODE } from '../../../harness/payments.js';

/** The mark that the flow gives a payment, such as the number of an order, another point of sale may give its own. */

const customerReference = 'order-4711';

for (const lateApproval of ['reverse', 'report'] as const) {
  test(`a refund on the terminal that never arrived, beside one of another point of sale for the same order, is left to a person: policy "${lateApproval}"`, async () => {
    const world = atOddService({
      answer: ({ url, body = '{}' }) =>
        url.endsWith('/transactions') && JSON.parse(body).operation === 'refund' ? Promise.resolve(CUT) : undefined,
      list: (chain: Entry[]) =>
        chain.map((entry) => (entry.customerReference === 'other-system' ? { ...entry, customerReference } : entry)),
    });
    const originalTransactionId = await original(world);
    assert.ok(world.simulator.other.refund(originalTransactionId, 400));
    await world.clock.advance(3_600_000);
    const request = { operation: 'refund', originalTransactionId, amount: '400', customerReference } as const;
    await world.after(world.sale(request, { lateApproval }));
    await world.clock.advance(72 * 3_600_000);
    assert.equal(world.bank.netMoved(), 600, 'the refund of the other one stands');
    const refund = world.told.filter(({ payload }) => payload.operation === 'refund');
    assert.deepEqual(
      refund.map(({ payload }) => payload.outcome),
      ['provisional', 'unknown'],
    );
  });
}

const AT_GATEWAY: Record<string, (originalGuid: string) => BackOfficeDraft> = {
  refund: (originalGuid) => ({
    operation: 'moto/refund',
    body: { originalGuid, amount: '4.00', currency: 'EUR', customerReference },
  }),
  capture: (originalGuid) => ({
    operation: 'preauthorization/capture',
    body: { originalGuid, capturedAmount: '4.00', currency: 'EUR', customerReference },
  }),
  increase: (originalGuid) => ({
    operation: 'preauthorization/increase',
    body: { originalGuid, increaseAmount: '4.00', currency: 'EUR', customerReference },
  }),
};

for (const [what, orderAbout] of Object.entries(AT_GATEWAY)) {
  test(`beside an equal ${what} that bears the mark of the payment, as ours does, one that never arrived is left to a person`, async () => {
    let id = '';
    const world = atOddService({
      answer: ({ url }) => {
        if (!url.endsWith('/moto/refund') && !url.includes('/preauthorization/')) return undefined;
        const { other } = world.simulator;
        if (what === 'refund') other.refund(id, 400);
        else if (what === 'capture') other.capture(id, 400);
        else other.increase(id, 400);
        return Promise.resolve(CUT);
      },
      list: (chain: Entry[]) =>
        chain.map((entry) => (entry.customerReference === 'other-system' ? { ...entry, customerReference } : entry)),
    });
    const operation = what === 'refund' ? 'sale' : 'preAuthorization';
    id = (await world.after(world.sale({ operation, customerReference }))).transactionId;
    await world.clock.advance(20_000);
    await world.after(world.engine.submitBackOffice(orderAbout(id), { node: NODE, message: {} }));
    await world.clock.advance(72 * 3_600_000);
    const told = world.told.filter(({ payload }) => payload.operation !== operation);
    assert.deepEqual(
      told.map(({ payload: { outcome, moneyMoved, final } }) => [outcome, moneyMoved, final]),
      [
        ['unknown', 'unknown', false],
        ['unknown', 'unknown', true],
      ],
    );
  });
}
