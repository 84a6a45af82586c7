import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../../src/core/base/seams.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** A status that is no end, beside what looks like an approval: the code `00` is a placeholder there (spec: results). */

/** `answer` in place of that of the path; the service does nothing. */
function instead(path: string, answer: object): Payments {
  const world: Payments = payments({
    engine: {
      send: async (request: HttpRequest): Promise<HttpAnswer> =>
        request.url.endsWith(path) ? { status: 200, body: JSON.stringify(answer) } : world.simulator.send(request),
    },
  });
  return world;
}

for (const finStatus of ['FAILED', 'UNDEFINED', 'IN_PROGRESS']) {
  test(`a reversal answered ${finStatus} beside the placeholder code 00 is not told as refunded`, async () => {
    const world = instead('/reversal', { httpStatus: 200, finStatus, issuerResponseCode: '00', reversalGuid: 'r-1' });
    const { transactionId } = await world.after(world.sale());
    const { outcome, moneyMoved } = await world.after(
      world.backOffice({ operation: 'reversal', body: { originalGuid: transactionId } }),
    );
    assert.equal(world.bank.netMoved(), 1000, 'nothing went back');
    assert.deepEqual([outcome, moneyMoved], ['not-charged', 'no']);
  });

  test(`a reversal of a payment by token answered ${finStatus} beside 00 is not told as refunded`, async () => {
    const world = instead('/moto/reversal', { httpStatus: 200, finStatus, issuerResponseCode: '00', guid: 'r-1' });
    const { transactionId } = await world.after(world.sale());
    const body = { originalGuid: transactionId, amount: '10.00', currency: 'EUR' };
    const { outcome, moneyMoved } = await world.after(world.backOffice({ operation: 'moto/reversal', body }));
    assert.equal(world.bank.netMoved(), 1000, 'nothing went back');
    assert.deepEqual([outcome, moneyMoved], ['not-charged', 'no']);
  });

  test(`a tip answered ${finStatus} is not told as approved`, async () => {
    const world = instead('/tip-adjustment', { statusMessage: 'No connection to the provider', finStatus });
    const { transactionId: transactionID } = await world.after(world.sale());
    const body = { transactionID, amount: '2.00', currency: 'EUR' };
    const { outcome, moneyMoved } = await world.after(world.backOffice({ operation: 'tip-adjustment', body }));
    assert.equal(world.bank.netMoved(), 1000, 'no tip');
    assert.deepEqual([outcome, moneyMoved], ['not-charged', 'no']);
  });

  test(`an increase answered ${finStatus} is not told as approved, of a hold of another system`, async () => {
    const world = instead('/preauthorization/increase', { finStatus, holdAmount: '10.00', increaseAmount: '5.00' });
    const hold = world.simulator.other.preAuthorise({ amount: 1000 }) ?? '';
    await world.clock.advance(20_000);
    const body = { originalGuid: hold, increaseAmount: '5.00', currency: 'EUR' };
    const { outcome } = await world.after(world.backOffice({ operation: 'preauthorization/increase', body }));
    assert.equal(world.bank.netHeld(), 1000, 'no more is held');
    assert.equal(outcome, 'unknown');
  });
}

test('a reversal that is answered AUTHORISED beside the code 00 is told as refunded', async () => {
  const answer = { httpStatus: 200, finStatus: 'AUTHORISED', issuerResponseCode: '00', reversalGuid: 'r-1' };
  const world = instead('/reversal', answer);
  const { transactionId } = await world.after(world.sale());
  const { outcome, moneyMoved } = await world.after(
    world.backOffice({ operation: 'reversal', body: { originalGuid: transactionId } }),
  );
  assert.deepEqual([outcome, moneyMoved], ['refunded', 'yes']);
});
