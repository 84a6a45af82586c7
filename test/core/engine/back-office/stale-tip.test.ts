import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** A tip of 3.00 is set, and soon after that it is to be removed: the chain still shows the payment as it was without a tip. */

interface Removal {
  world: Payments;
  operationId: string;
}

/** @param answer instead of the service's to each try of the removal: it never arrives, or is declined */
async function removal(answer: (tries: number) => Promise<HttpAnswer>): Promise<Removal> {
  let tries = 0;
  let isOver = false;
  const world: Payments = payments({
    engine: {
      send: (request) => {
        const isRemoval = isOver && request.url.endsWith('/tip-adjustment');
        return isRemoval ? answer(++tries) : world.simulator.send(request);
      },
    },
  });
  const { transactionId: transactionID } = await world.after(world.sale());
  await world.clock.advance(60_000);
  world.simulator.faults.arm({ kind: 'status-lag', ms: 10_000, times: 10 });
  const tip = (amount: string) =>
    world.backOffice({ operation: 'tip-adjustment', body: { transactionID, amount, currency: 'EUR' } });
  assert.equal((await world.after(tip('3.00'))).outcome, 'approved');
  isOver = true;
  return { world, operationId: await tip('0') };
}

async function staysOpen({ world, operationId }: Removal): Promise<void> {
  const { outcome, moneyMoved }: ResultPayload = await world.after(Promise.resolve(operationId));
  assert.equal(world.bank.netMoved(), 1300, 'the tip is still there');
  assert.deepEqual([outcome, moneyMoved], ['unknown', 'unknown']);
}

test('a removal of a tip that never arrived is not proved by a chain that lags behind the tip', async () => {
  const message = { error: { statusCode: 400, name: 'BadRequestError', code: '3153', message: 'not yet' } };
  const refused = { status: 400, body: JSON.stringify(message) };
  await staysOpen(await removal(async (tries) => (tries === 1 ? { status: 502, body: '' } : refused)));
});

test('nor after a restart', async () => {
  const removed = await removal(() => new Promise(() => {}));
  const { world } = removed;
  await world.clock.advance(4000);
  world.journal.crash();
  world.engine = world.createEngine();
  world.connect(world.engine);
  await world.engine.start();
  await staysOpen(removed);
});

test('nor is one that was declined inside a 200', async () => {
  await staysOpen(
    await removal(async () => ({ status: 200, body: '{"finStatus":"DECLINED","statusMessage":"Declined"}' })),
  );
});
