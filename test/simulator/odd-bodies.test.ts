import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ArmedFault } from '../../src/simulator/index.js';
import { run, simulate } from '../harness/simulated.js';

/** Bodies that no description allows; the payment behind them is an ordinary one. */

async function polled(fault: ArmedFault) {
  const world = simulate();
  const body = world.sale({ callbackUrl: 'https://till.example/cb', token: 'callback-secret' });
  const { json } = await world.post('/transactions', body);
  world.simulator.faults.arm({ ...fault, match: { endpoint: 'callback' } });
  await world.clock.runUntilIdle();
  world.simulator.faults.arm({ ...fault, match: { endpoint: 'GET /transaction-result' } });
  const result = await world.get(`/transaction-result/${String(json.transactionResultId)}`);
  assert.equal(world.simulator.bank.netMoved(String(body.transactionReference)), 1000);
  return { world, result, called: world.callbacks[0]?.body };
}

test('nests a field 5,000 levels deep, in a poll and in a callback', async () => {
  const { result, called } = await polled({ kind: 'body-deep' });
  let depth = 0;
  for (let level: unknown = result.json.customData; typeof level === 'object'; depth++) {
    level = (level as { a: unknown }).a;
  }
  assert.equal(depth, 5000);
  assert.equal(typeof called?.customData, 'object');
});

test('puts objects where texts belong', async () => {
  const { result, called } = await polled({ kind: 'body-objects-for-texts' });
  assert.deepEqual(result.json.issuerResponseText, { toString: 1 });
  assert.deepEqual(called?.statusMessage, { toString: 1 });
  assert.equal(result.json.finStatus, 'AUTHORISED');
});

test('says a status that only a plain object has', async () => {
  for (const word of ['toString', 'constructor', '__proto__']) {
    const { result, called } = await polled({ kind: 'body-strange-status', word });
    assert.deepEqual([result.json.finStatus, called?.finStatus], [word, word]);
  }
});

test('spells numbers as texts, and texts at length', async () => {
  const numbers = await polled({ kind: 'body-numbers-as-texts' });
  assert.deepEqual([numbers.result.json.totalAmount, numbers.called?.totalAmount], ['1000', '1000']);
  const huge = await polled({ kind: 'body-huge-text' });
  assert.equal(String(huge.result.json.statusMessage).length, 100_000);
});

test('names properties by card numbers', async () => {
  const { result } = await polled({ kind: 'body-card-numbers' });
  assert.ok('pan_4111111111111111' in (result.json.customData as object));
});

test('repeats the key of a request, and the token of a callback, in an error text', async () => {
  const { result, called } = await polled({ kind: 'body-echoes-secrets' });
  assert.match(String(result.json.errorMessage), /simulator/);
  assert.match(String(called?.errorMessage), /callback-secret/);
  const world = simulate();
  world.simulator.faults.arm({ kind: 'body-echoes-secrets' });
  const refused = await world.post('/transactions', world.sale({ amount: '0', token: 'callback-secret' }));
  assert.match(JSON.stringify(refused.json.error), /simulator and callback-secret/);
});

test('keeps the number of a terminal that is busy, wherever the answer has it', async () => {
  for (const terminalErrors of ['flat', 'nested', 'text'] as const) {
    const world = simulate({ cardholder: 'none', variants: { terminalErrors } });
    await world.post('/transactions', world.sale());
    world.simulator.faults.arm({ kind: 'body-echoes-secrets' });
    const { text } = await world.post('/transactions', world.sale());
    assert.match(text, /1001/, terminalErrors);
    assert.match(text, /No access with/);
  }
});

test('bends every entry of a chain', async () => {
  const world = simulate();
  const body = world.sale();
  await run(world, body);
  await world.clock.advance(1000);
  world.simulator.faults.arm({ kind: 'body-strange-status', match: { endpoint: 'GET /status' } });
  const { list } = (await world.status(String(body.transactionReference), '/all')).json;
  assert.equal((list as { finStatus: string }[])[0]?.finStatus, '__proto__');
});
