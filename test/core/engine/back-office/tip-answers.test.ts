import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** A tip of 2.00 EUR on 10.00, whose answer says more than that it was adjusted. */

interface Tipping {
  isDone: boolean;
  status?: number;
}

async function tipped(said: object, { isDone, status = 200 }: Tipping): Promise<ResultPayload> {
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async (request) => {
        if (!request.url.endsWith('/tip-adjustment')) return world.simulator.send(request);
        if (isDone) await world.simulator.send(request);
        return { status, body: JSON.stringify({ statusMessage: 'Tip was adjusted', ...said }) };
      },
    },
  });
  const { transactionId: transactionID = '' } = await world.after(world.sale());
  await world.clock.advance(60_000);
  const body = { transactionID, amount: '2.00', currency: 'EUR' };
  const payload = await world.after(world.backOffice({ operation: 'tip-adjustment', body }));
  assert.equal(world.bank.netMoved(), isDone ? 1200 : 1000);
  return payload;
}

const saidOf = ({ outcome, moneyMoved, final, source }: ResultPayload) => [outcome, moneyMoved, final, source];

const CONTRADICTIONS: object[] = [
  { httpStatus: 400 },
  { statusCode: 400, name: 'BadRequestError' },
  { success: false },
  { tipAmount: 900, amount: '9.00' },
  { tipAmount: '9.00' },
  { amount: '9.00' },
  { amount: '2.00', currency: 'USD' },
  { finStatus: 'FAILED' },
  { type: 'REFUND' },
  { originalGuid: '11111111-1111-4111-8111-111111111111' },
];

for (const said of CONTRADICTIONS) {
  const text = JSON.stringify(said);

  test(`a tip that was adjusted by its text, and says ${text}, is told as the chain shows it`, async () => {
    const isNotDone = await tipped(said, { isDone: false });
    assert.deepEqual(saidOf(isNotDone), ['not-charged', 'no', true, 'status']);
    const isDone = await tipped(said, { isDone: true });
    assert.deepEqual([...saidOf(isDone), isDone.amount?.total], ['approved', 'yes', true, 'status', '2.00']);
  });
}

test('a tip whose answer has the code of a decline is told as declined only where the chain does not show it', async () => {
  const said = { issuerResponseCode: '05' };
  assert.deepEqual(saidOf(await tipped(said, { isDone: false })), ['declined', 'no', true, 'status']);
  assert.deepEqual(saidOf(await tipped(said, { isDone: true })), ['approved', 'yes', true, 'status']);
});

test('a tip that is answered with 202 is told as the chain shows it: it is going to be done, or is not', async () => {
  assert.deepEqual(saidOf(await tipped({}, { isDone: false, status: 202 })), ['not-charged', 'no', true, 'status']);
});

const TERSE: object[] = [
  {},
  { httpStatus: '', finStatus: '', errorMessage: '', issuerResponseCode: '', tipAmount: '', amount: null },
  { httpStatus: 200, finStatus: 'AUTHORISED', issuerResponseCode: '00', type: 'TIP_ADJUSTMENT', success: true },
  { tipAmount: '2.00', amount: '12.00', currency: 'eur' },
  { tipAmount: 2 },
  { tipAmount: 200 },
  { amount: '2.00' },
  { amount: '12.00' },
];

for (const said of TERSE) {
  test(`a tip that was adjusted by its text, and says ${JSON.stringify(said)}, is told as it is answered`, async () => {
    const payload = await tipped(said, { isDone: true });
    assert.deepEqual([...saidOf(payload), payload.amount?.total], ['approved', 'yes', true, 'answer', '2.00']);
  });
}
