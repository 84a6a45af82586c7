import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from '../harness/simulated.js';

test('takes a sale from the request to callback, poll, status service and ledger', async () => {
  const world = simulate();
  const body = world.sale({ callbackUrl: 'https://till.example/cb', token: 'secret-1', customerReference: 'order 7' });
  const reference = String(body.transactionReference);

  const accepted = await world.post('/transactions', body);
  assert.equal(accepted.status, 202);
  assert.equal(accepted.json.transactionReference, reference);
  const resultId = String(accepted.json.transactionResultId);
  assert.match(resultId, /^10000001-\d{13}$/);

  const pending = await world.get(`/transaction-result/${resultId}`);
  assert.deepEqual([pending.status, pending.text], [204, '']);
  assert.equal((await world.status(reference)).json.finStatus, 'UNDEFINED');

  await world.clock.runUntilIdle();

  const polled = await world.get(`/transaction-result/${resultId}`);
  assert.equal(polled.status, 200);
  assert.equal(polled.json.finStatus, 'AUTHORISED');
  assert.equal(polled.json.transactionReference, reference);
  assert.equal(polled.json.requestedAmount, 1000);
  assert.equal(polled.json.totalAmount, 1000);
  assert.equal(polled.json.maskedCardNumber, '************1111');
  assert.equal(polled.json.customerReference, 'order 7');
  assert.match(String(polled.json.authorisationCode), /^\d{6}$/);

  assert.equal(world.callbacks.length, 1);
  assert.equal(world.callbacks[0]?.token, 'secret-1');
  assert.deepEqual(world.callbacks[0]?.body, polled.json);

  await world.clock.advance(1000);
  const status = await world.status(reference);
  assert.equal(status.json.finStatus, 'AUTHORISED');
  assert.equal(status.json.transactionID, polled.json.transactionID);
  assert.equal(world.simulator.bank.charges(reference).length, 1);
  assert.equal(world.simulator.bank.netMoved(reference), 1000);
  assert.equal(world.simulator.bank.netMoved(String(polled.json.transactionID)), 1000);
  assert.equal(world.clock.pending, 0);
});

test('shows the gateway only after the lag of the status service', async () => {
  const world = simulate({ timings: { statusLagMs: 3000 } });
  const body = world.sale();
  const reference = String(body.transactionReference);
  await world.post('/transactions', body);
  await world.clock.runUntil(() => world.simulator.bank.charges(reference).length === 1);
  await world.clock.advance(2999);
  assert.equal((await world.status(reference)).json.finStatus, 'UNDEFINED');
  await world.clock.advance(1);
  assert.equal((await world.status(reference)).json.finStatus, 'AUTHORISED');
});

test('answers 1001 while an operation runs, to a ping too, and lists what it has', async () => {
  const world = simulate();
  await world.post('/transactions', world.sale());
  const busy = await world.post('/transactions', world.sale());
  assert.equal(busy.status, 400);
  assert.equal(busy.json.error, 1001);
  const ping = { operation: 'pingDevice', serial_number: '10000001', terminal_type: 'SIMULATEDT1' };
  assert.equal((await world.post('/transactions', ping)).json.error, 1001);
  await world.clock.runUntilIdle();
  const accepted = await world.post('/transactions', ping);
  await world.clock.runUntilIdle();
  const result = await world.get(`/transaction-result/${String(accepted.json.transactionResultId)}`);
  assert.equal(result.json.finStatus, 'PROCESSED');

  const devices = await world.get('/devices');
  assert.deepEqual(Object.keys((devices.json.list as object[])[0] ?? {}).sort(), [
    'merchant_id_alpha',
    'serial_number',
    'ssk',
    'terminal_type',
  ]);
});

test('does the same again for the same options and calls', async () => {
  const texts: string[] = [];
  for (let round = 0; round < 2; round++) {
    const world = simulate();
    const accepted = await world.post('/transactions', world.sale());
    await world.clock.runUntilIdle();
    texts.push((await world.get(`/transaction-result/${String(accepted.json.transactionResultId)}`)).text);
  }
  assert.equal(texts[0], texts[1]);
});
