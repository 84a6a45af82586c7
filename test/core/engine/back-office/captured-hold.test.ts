import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../../src/core/base/seams.js';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** A hold and its capture: what is told of the one by its id is true of the other. */

type Body = Record<string, unknown>;

const A_DAY = 86_400_000;
const RELEASE = '4fd6a6a5-8c5e-4c8c-9c9e-2f6f4f0f7a11';

/** @param answer what the service answers to the reversal of a hold, by its id */
function world(
  answer: (hold: string, request: HttpRequest) => Promise<HttpAnswer>,
  chain = (entries: Body[]) => entries,
) {
  const made: Payments = payments({
    engine: {
      send: async (request) => {
        const { originalGuid = '' } = JSON.parse(request.body ?? '{}');
        const isOfHold = request.url.endsWith('/reversal') && originalGuid === hold();
        if (isOfHold) return answer(originalGuid, request);
        const said = await made.simulator.send(request);
        if (request.method !== 'GET' || !said.body.startsWith('[')) return said;
        return { ...said, body: JSON.stringify(chain(JSON.parse(said.body))) };
      },
    },
  });
  const hold = (): string | undefined => made.told[0]?.payload.transactionId;
  return made;
}

/** The service takes the capture back. */
function takingBackCapture(): Payments {
  const made: Payments = world(async (_hold, request) => {
    const [, capture] = made.told;
    const body = JSON.stringify({ originalGuid: capture?.payload.transactionId });
    const said = await made.simulator.send({ ...request, body });
    const { reversalGuid } = JSON.parse(said.body);
    const answer = { httpStatus: 200, finStatus: 'AUTHORISED', type: 'PRE_AUTHORIZATION_REVERSAL', reversalGuid };
    return { ...said, body: JSON.stringify(answer) };
  });
  return made;
}

async function captured(made: Payments, tipAmount?: string): Promise<{ hold: string; capture: string }> {
  const { transactionId: hold } = await made.after(made.sale({ operation: 'preAuthorization', amount: '10000' }));
  const tip = tipAmount === undefined ? {} : { tipAmount };
  const body = { originalGuid: hold, capturedAmount: '60.00', currency: 'EUR', ...tip };
  const { transactionId: capture } = await made.after(made.backOffice({ operation: 'preauthorization/capture', body }));
  await made.clock.advance(60_000);
  return { hold, capture };
}

const reversed = (made: Payments, originalGuid: string): Promise<ResultPayload> =>
  made.after(made.backOffice({ operation: 'reversal', body: { originalGuid } }));

test('a tip set after a capture with a tip replaces it: the journal counts what is charged', async () => {
  const made: Payments = payments({
    engine: {
      send: async (request) =>
        request.url.endsWith('/tip-adjustment')
          ? { status: 200, body: '{"statusMessage":"Tip was adjusted"}' }
          : made.simulator.send(request),
    },
  });
  const { capture } = await captured(made, '5.00');
  assert.equal((await made.engine.balance(capture))?.refundable, 6500n);
  for (const [amount, charged] of [
    ['8.00', 6800n],
    ['0.00', 6000n],
  ] as const) {
    const body = { transactionID: capture, amount, currency: 'EUR' };
    assert.equal((await made.after(made.backOffice({ operation: 'tip-adjustment', body }))).outcome, 'approved');
    const { total, refundable } = (await made.engine.balance(capture)) ?? {};
    assert.deepEqual([total, refundable], [charged, charged]);
  }
});

test('a reversal of a captured hold by its id says how much of the capture went back, and leaves nothing to refund', async () => {
  const made = takingBackCapture();
  const { hold, capture } = await captured(made, '5.00');
  const { outcome, moneyMoved, amount } = await reversed(made, hold);
  assert.deepEqual([outcome, moneyMoved, amount?.total], ['refunded', 'yes', '65.00']);
  assert.equal(made.bank.netMoved(), 0);
  for (const id of [hold, capture]) assert.equal((await made.engine.balance(id))?.refundable, 0n);
});

test('what was refunded of a capture cannot be refunded of its hold again', async () => {
  const made = payments();
  const { hold, capture } = await captured(made);
  const refund = { operation: 'refund', amount: '2000', originalTransactionId: capture } as const;
  await made.after(made.sale(refund));
  for (const id of [hold, capture]) assert.equal((await made.engine.balance(id))?.refundable, 4000n);
});

for (const answers of ['arrives', 'is lost'] as const) {
  test(`a hold is released after its capture has gone back, and the answer ${answers}: no money moved then`, async () => {
    const entries: Body[] = [];
    let isLost = answers === 'is lost';
    const made: Payments = world(
      async (hold) => {
        const reference = made.told[0]?.payload.reference;
        entries.push({
          transactionID: RELEASE,
          originalEFTTransactionID: hold,
          transactionReference: reference,
          type: 'PRE_AUTHORIZATION_REVERSAL',
          finStatus: 'AUTHORISED',
          currency: 'EUR',
          totalAmount: 10_000,
        });
        if (isLost) return { status: 502, body: 'bad gateway' };
        const answer = {
          httpStatus: 200,
          finStatus: 'AUTHORISED',
          type: 'PRE_AUTHORIZATION_REVERSAL',
          reversalGuid: RELEASE,
        };
        return { status: 200, body: JSON.stringify(answer) };
      },
      (chain) => [...chain, ...entries.slice(0, 1)],
    );
    const { hold, capture } = await captured(made);
    assert.deepEqual((await reversed(made, capture)).outcome, 'refunded');
    await made.clock.advance(A_DAY);
    const told = await reversed(made, hold);
    isLost = false;
    assert.equal(made.bank.netMoved(), 0);
    assert.deepEqual([told.outcome, told.moneyMoved, told.amount?.total], ['completed', 'no', '100.00']);
  });
}
