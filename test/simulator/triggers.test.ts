import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, simulate } from '../harness/simulated.js';
import { SALE_TRIGGERS } from '../harness/trigger-amounts.js';

const SALES = [
  ...SALE_TRIGGERS.flatMap(([amounts, ...ending]) => amounts.split(' ').map((amount) => [amount, ...ending] as const)),
  ['3780', 'AUTHORISED', '00', 3780] as const,
];

for (const [amount, finStatus, code, moved] of SALES) {
  test(`ends a sale of ${amount} as ${finStatus} ${code}, with ${moved} moved`, async () => {
    const world = simulate();
    const body = world.sale({ amount });
    const result = await run(world, body);
    assert.equal(result.finStatus, finStatus);
    assert.equal(result.issuerResponseCode, code);
    assert.equal(world.simulator.bank.netMoved(), moved);
    await world.clock.advance(1000);
    assert.equal((await world.status(String(body.transactionReference))).json.finStatus, finStatus);
  });
}

test('approves 6165 when the card is inserted and the PIN is right, as one record', async () => {
  const world = simulate({ cardholder: { insertWhenAsked: true } });
  const body = world.sale({ amount: '6165' });
  const result = await run(world, body);
  assert.equal(result.finStatus, 'AUTHORISED');
  assert.equal(result.cardEntryType, 'ICC');
  assert.equal(result.verificationMethod, 'PIN');
  await world.clock.advance(1000);
  const all = await world.status(String(body.transactionReference), '/all');
  assert.equal((all.json.list as unknown[]).length, 1);
});

test('approves every amount at a merchant that is not the DEMO one, and declines the card that ends 0002', async () => {
  const world = simulate({ merchants: [{ demo: false }] });
  assert.equal((await run(world, world.sale({ amount: '3779' }))).finStatus, 'AUTHORISED');
  const declining = simulate({ merchants: [{ demo: false }], cardholder: { card: { last4: '0002' } } });
  assert.equal((await run(declining, declining.sale())).issuerResponseCode, '05');
});
