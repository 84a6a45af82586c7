import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, simulate } from '../harness/simulated.js';

const rows: [amount: string, finStatus: string, code: string, moved: number][] = [
  ['3779', 'DECLINED', '01', 0],
  ['3784', 'DECLINED', '05', 0],
  ['3793', 'DECLINED', '04', 0],
  ['3757', 'PARTIAL_APPROVAL', '00', 1100],
  ['3768', 'FAILED', '00', 0],
  ['3741', 'FAILED', '00', 0],
  ['6165', 'DECLINED', '61', 0],
  ...['155', '165', '1102', '1104', '1110', '1112', '1114', '1115', '1116', '1117', '1118', '1119'].map(
    (amount): [string, string, string, number] => [amount, 'DECLINED', '65', 0],
  ),
  ...['1101', '1103', '1109', '1111'].map((amount): [string, string, string, number] => [amount, 'DECLINED', '70', 0]),
  ['3780', 'AUTHORISED', '00', 3780],
];

for (const [amount, finStatus, code, moved] of rows) {
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
