import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, resultOf, run, type Simulated, simulate } from '../harness/simulated.js';

async function start(world: Simulated, more: Json = {}): Promise<Json> {
  const { json, status, text } = await world.post('/transactions', world.sale(more));
  assert.equal(status, 202, text);
  return json;
}

const moved = (world: Simulated): number => world.simulator.bank.netMoved();

test('cancels when nobody presents a card within 30 s', async () => {
  const world = simulate({ cardholder: 'none' });
  const accepted = await start(world);
  assert.equal(world.terminal.screen.stage, 'awaiting-card');
  await world.clock.advance(29_999);
  assert.equal(world.terminal.screen.stage, 'awaiting-card');
  await world.clock.advance(1);
  assert.equal((await resultOf(world, accepted)).finStatus, 'CANCELLED');
  assert.equal(world.terminal.screen.stage, 'idle');
  assert.equal(world.clock.pending, 0);
});

test('cancels at the terminal and by a stop, and tells a stop apart that comes too late or for nothing', async () => {
  const world = simulate({ cardholder: 'none' });
  const stop = { operation: 'stopCurrentTransaction', serial_number: '10000001', terminal_type: 'SIMULATEDT1' };
  assert.equal((await world.post('/transactions', stop)).json.error, 1005);

  const first = await start(world);
  assert.equal(world.terminal.cancel(), true);
  await world.clock.advance(0);
  assert.equal((await resultOf(world, first)).finStatus, 'CANCELLED');

  const second = await start(world);
  const stopped = await world.post('/transactions', stop);
  assert.equal(stopped.status, 202);
  await world.clock.advance(0);
  assert.equal((await resultOf(world, second)).finStatus, 'CANCELLED');
  assert.equal((await resultOf(world, stopped.json)).finStatus, 'PROCESSED');

  await start(world);
  world.terminal.presentCard();
  await world.clock.advance(0);
  assert.equal(world.terminal.screen.stage, 'processing');
  assert.equal((await world.post('/transactions', stop)).json.error, 1003);
  assert.equal(world.terminal.cancel(), false);
});

test('lets a contactless card fail three times, then takes the chip, and a wrong PIN three times', async () => {
  const world = simulate({ cardholder: 'none' });
  const accepted = await start(world);
  for (let attempt = 0; attempt < 3; attempt++) {
    assert.equal(world.terminal.presentCard({ unreadable: true }), true);
    await world.clock.advance(0);
  }
  assert.equal(world.terminal.presentCard({ unreadable: true }), false);
  assert.equal(world.terminal.presentCard({ entry: 'ICC' }), true);
  for (let attempt = 0; attempt < 3; attempt++) {
    await world.clock.advance(0);
    assert.equal(world.terminal.screen.stage, 'pin');
    world.terminal.enterPin(false);
  }
  await world.clock.advance(1000);
  const result = await resultOf(world, accepted);
  assert.deepEqual(
    [result.finStatus, result.issuerResponseCode, result.verificationMethod],
    ['DECLINED', '75', 'FAILED'],
  );
  assert.equal(moved(world), 0);
});

test('keeps the busy terminal within its worst case however often the cardholder fails', async () => {
  const world = simulate({ cardholder: 'none', timings: { promptMs: 300_000 } });
  const startedAt = world.clock.now();
  const accepted = await start(world);
  await world.clock.advance(299_000);
  world.terminal.presentCard({ unreadable: true });
  await world.clock.runUntil(() => world.terminal.screen.stage === 'idle', 400_000);
  assert.ok(world.clock.now() - startedAt <= 340_000, String(world.clock.now() - startedAt));
  assert.equal((await resultOf(world, accepted)).finStatus, 'CANCELLED');
});

test('allows the PIN to be skipped only when the request says so', async () => {
  const world = simulate({ cardholder: 'none' });
  await start(world);
  world.terminal.presentCard({ entry: 'ICC' });
  await world.clock.advance(0);
  assert.equal(world.terminal.skipPin(), false);
  world.terminal.cancel();
  await world.clock.advance(0);
  const accepted = await start(world, { bypassOptions: { pinBypass: true, signatureBypass: false } });
  world.terminal.presentCard({ entry: 'ICC' });
  await world.clock.advance(0);
  assert.equal(world.terminal.skipPin(), true);
  await world.clock.runUntilIdle();
  assert.equal((await resultOf(world, accepted)).verificationMethod, 'PIN_BYPASS');
});

test('adds the tip that was chosen, once', async () => {
  const world = simulate({ cardholder: 'none' });
  const accepted = await start(world, { tipConfiguration: { tipPercentages: [10, 15], enterAmountEnabled: false } });
  assert.deepEqual(world.terminal.screen.tip?.percentages, [10, 15]);
  assert.equal(world.terminal.chooseTip({ percentage: 20 }), false);
  assert.equal(world.terminal.chooseTip({ amount: 5 }), false);
  assert.equal(world.terminal.chooseTip({ percentage: 15 }), true);
  await world.clock.advance(0);
  world.terminal.presentCard();
  await world.clock.runUntilIdle();
  const result = await resultOf(world, accepted);
  assert.deepEqual(
    [result.requestedAmount, result.tipAmount, result.totalAmount, result.tipPercentage],
    [1000, 150, 1150, 15],
  );
  assert.equal(moved(world), 1150);
});

test('asks about the same card and amount within five minutes, and not after', async () => {
  const world = simulate({ cardholder: { acceptDuplicate: false } });
  assert.equal((await run(world, world.sale())).finStatus, 'AUTHORISED');
  assert.equal((await run(world, world.sale())).finStatus, 'CANCELLED');
  assert.equal((await run(world, world.sale({ duplicate_check: false }))).finStatus, 'AUTHORISED');
  await world.clock.advance(300_000);
  assert.equal((await run(world, world.sale())).finStatus, 'AUTHORISED');
  assert.equal(moved(world), 3000);
});

test('shows a partial approval to polls while the prompt is open, and keeps the part that is accepted', async () => {
  const world = simulate({ cardholder: 'none' });
  const accepted = await start(world, { amount: '3757', callbackUrl: 'https://till.example/cb', token: 't' });
  world.terminal.presentCard();
  await world.clock.advance(700);
  assert.equal(world.terminal.screen.stage, 'partial');
  assert.equal((await resultOf(world, accepted)).finStatus, 'PARTIAL_APPROVAL');
  assert.equal(world.callbacks.length, 0);
  world.terminal.answerPartial(true);
  await world.clock.runUntilIdle();
  const result = await resultOf(world, accepted);
  assert.deepEqual([result.finStatus, result.totalAmount, result.dueAmount], ['PARTIAL_APPROVAL', 1100, 2657]);
  assert.equal(world.callbacks.length, 1);
  assert.equal(moved(world), 1100);
});

for (const answer of ['refused', 'cancelled', 'left alone']) {
  test(`takes a partial approval back that is ${answer}`, async () => {
    const world = simulate({ cardholder: 'none' });
    const accepted = await start(world, { amount: '3757' });
    world.terminal.presentCard();
    await world.clock.advance(700);
    if (answer === 'refused') world.terminal.answerPartial(false);
    if (answer === 'cancelled') world.terminal.cancel();
    await world.clock.advance(answer === 'left alone' ? 31_000 : 1000);
    const result = await resultOf(world, accepted);
    assert.equal(result.finStatus, 'CANCELLED');
    assert.deepEqual(result.customFields, [
      { key: 'messageReasonCode', value: '4000' },
      { key: 'messageReasonCode', value: '4354' },
    ]);
    assert.equal(moved(world), 0);
  });
}

test('lets the charge stand when a refused partial approval cannot be reversed', async () => {
  const world = simulate({ cardholder: { acceptPartial: false } });
  world.simulator.faults.arm({ kind: 'reversal-fails' });
  assert.equal((await run(world, world.sale({ amount: '3757' }))).finStatus, 'PARTIAL_APPROVAL');
  assert.equal(moved(world), 1100);
});

test('takes a swiped payment back that nobody signs', async () => {
  const world = simulate({ cardholder: 'none' });
  const accepted = await start(world);
  world.terminal.presentCard({ entry: 'MAG_STRIPE' });
  await world.clock.advance(700);
  assert.equal(world.terminal.screen.stage, 'signature');
  assert.equal(moved(world), 1000);
  await world.clock.runUntilIdle();
  assert.equal((await resultOf(world, accepted)).finStatus, 'CANCELLED');
  assert.equal(moved(world), 0);
});

test('reverses when the chip card is pulled while processing: AUTHORISED in the status service, DECLINED in the end', async () => {
  const world = simulate({ cardholder: 'none' });
  const body = world.sale();
  const reference = String(body.transactionReference);
  const { json: accepted } = await world.post('/transactions', body);
  world.terminal.presentCard({ entry: 'ICC' });
  await world.clock.advance(0);
  world.terminal.enterPin(true);
  await world.clock.advance(0);
  assert.equal(world.terminal.removeCard(), true);
  await world.clock.runUntil(() => world.simulator.bank.charges(reference).length === 1);
  await world.clock.runUntilIdle();
  assert.equal((await resultOf(world, accepted)).finStatus, 'DECLINED');
  assert.equal(world.simulator.bank.netMoved(reference), 0);
  await world.clock.advance(5000);
  assert.equal((await world.status(reference)).json.finStatus, 'CANCELLED');
});

test('keeps the terminal busy until an inserted card is removed, though the result is out', async () => {
  const world = simulate({ cardholder: 'none' });
  const accepted = await start(world);
  world.terminal.presentCard({ entry: 'ICC' });
  await world.clock.advance(0);
  world.terminal.enterPin(true);
  await world.clock.advance(700);
  assert.equal((await resultOf(world, accepted)).finStatus, 'AUTHORISED');
  assert.equal((await world.post('/transactions', world.sale())).json.error, 1001);
  assert.equal(world.terminal.removeCard(), true);
  await world.clock.advance(0);
  assert.equal((await world.post('/transactions', world.sale())).status, 202);
});

test('stays busy after an abandoned keyed entry until it is stopped', async () => {
  const world = simulate({ cardholder: 'none' });
  const { transactionReference: _, ...moto } = world.sale({ operation: 'moToSale' });
  const { json: accepted } = await world.post('/transactions', moto);
  await world.clock.advance(30_000);
  assert.equal((await resultOf(world, accepted)).finStatus, 'CANCELLED');
  assert.equal((await world.post('/transactions', world.sale())).json.error, 1001);
  const stop = { operation: 'stopCurrentTransaction', serial_number: '10000001', terminal_type: 'SIMULATEDT1' };
  assert.equal((await world.post('/transactions', stop)).status, 202);
  assert.equal((await world.post('/transactions', world.sale())).status, 202);
});
