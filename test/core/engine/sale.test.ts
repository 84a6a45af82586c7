import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Payments, payments } from '../../harness/payments.js';

const MINUTE = 60_000;

/** What the flow got, in short, and what the bank has. */
function truth({ told, bank }: Payments) {
  return {
    told: told.map(({ exit, payload }) => `${exit}: ${payload.outcome}, moved ${payload.moneyMoved}`),
    charges: bank.charges().length,
    net: bank.netMoved(),
  };
}

for (const callbacks of [true, false]) {
  const by = callbacks ? 'callback' : 'poll';

  test(`reports an approval by ${by}, with amounts, card and what the message carried`, async () => {
    const world = payments({ callbacks });
    const operationId = await world.sale();
    const { exit, origin, payload } = await world.untilTold();
    assert.equal(exit, 'done');
    assert.deepEqual(origin.message, { _msgid: 'm1', order: 4711 });
    assert.equal(payload.operationId, operationId);
    assert.equal(payload.outcome, 'approved');
    assert.equal(payload.source, by);
    assert.equal(payload.amount?.total, '10.00');
    assert.equal(payload.amount?.minor.total, 1000);
    assert.match(payload.card.masked, /1111$/);
    assert.equal(world.bank.netMoved(payload.reference), 1000);
    await world.clock.advance(10 * MINUTE);
    assert.deepEqual(truth(world), { told: ['done: approved, moved yes'], charges: 1, net: 1000 });
    assert.equal(world.clock.pending, 0, 'no timer is left');
    assert.deepEqual(await world.journal.open('env'), []);
  });
}

const TRIGGERS: [amount: string, exit: string, outcome: string, moved: string, net: number][] = [
  ['3779', 'not-done', 'declined', 'no', 0],
  ['3784', 'not-done', 'declined', 'no', 0],
  ['3793', 'not-done', 'declined', 'no', 0],
  ['3757', 'needs-attention', 'partial', 'partly', 1100],
  ['3768', 'not-done', 'failed', 'no', 0],
  ['3741', 'not-done', 'failed', 'no', 0],
  ['6165', 'not-done', 'declined', 'no', 0],
];

for (const [amount, exit, outcome, moved, net] of TRIGGERS) {
  for (const callbacks of [true, false]) {
    test(`the trigger amount ${amount} ends as ${outcome}, ${callbacks ? 'called back' : 'polled'}`, async () => {
      const world = payments({ callbacks });
      await world.sale({ amount });
      await world.untilTold();
      await world.clock.advance(10 * MINUTE);
      assert.deepEqual(truth(world), {
        told: [
          // It may still turn into an approval, until the recovery limit has passed.
          ...(outcome === 'failed' ? ['needs-attention: failed, moved unknown'] : []),
          `${exit}: ${outcome}, moved ${moved}`,
        ],
        charges: net === 0 ? 0 : 1,
        net,
      });
      assert.equal(world.clock.pending, 0);
      const { error } = world.told.at(-1)?.payload ?? {};
      assert.equal(Boolean(error?.code && error.message), exit === 'not-done', 'payload.error says why');
    });
  }
}
