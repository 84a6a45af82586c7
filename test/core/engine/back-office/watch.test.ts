import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Payments, payments } from '../../../harness/payments.js';

/** The watch over a lost answer of the back office ends on an answer that was asked at its end, and in this life. */

const DAY = 24 * 3_600_000;

/** A reversal whose answer was lost, while the status service cannot be asked. */
async function untilUnknown(): Promise<{ world: Payments; outage: { isOver: boolean } }> {
  const outage = { isOver: true };
  const world: Payments = payments({
    engine: {
      send: (request) => {
        if (request.url.endsWith('/moto/refund')) outage.isOver = false;
        return outage.isOver || request.method === 'POST'
          ? world.simulator.send(request)
          : Promise.resolve({ status: 503, body: '' });
      },
    },
  });
  const sale = await world.after(world.sale());
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /moto/refund' } });
  await world.backOffice({
    operation: 'moto/refund',
    body: { originalGuid: sale.transactionId, amount: '10.00', currency: 'EUR' },
  });
  const { payload } = await world.untilTold(2);
  assert.equal(payload.outcome, 'unknown');
  return { world, outage };
}

test('a watch that a long downtime outlasted asks first, and learns the truth', async () => {
  const { world, outage } = await untilUnknown();
  await world.engine.stop();
  await world.clock.advance(5 * DAY);
  outage.isOver = true;
  world.engine = world.createEngine();
  await world.engine.start();
  world.connect(world.engine);
  const { payload } = await world.untilTold(3);
  assert.deepEqual([payload.outcome, payload.correction, payload.final], ['refunded', true, true]);
});

test('a watch that nobody answers ends with a message that says so', async () => {
  const { world } = await untilUnknown();
  const { payload } = await world.untilTold(3, 3 * DAY);
  assert.deepEqual(
    [payload.outcome, payload.error?.code, payload.final, payload.correction],
    ['unknown', 'WATCH_ENDED', true, true],
  );
  await world.clock.runUntilIdle();
  assert.deepEqual(await world.journal.open('env'), []);
});
