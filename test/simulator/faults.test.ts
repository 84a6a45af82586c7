import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerLostError, NotSentError } from '../../src/core/base/errors.js';
import { FAULT_KINDS, FAULT_MOMENTS, type FaultKind } from '../../src/simulator/index.js';
import { type Json, resultOf, run, type Simulated, simulate } from '../harness/simulated.js';

/** Sends a sale and moves the clock until its response arrives or is lost. */
async function send(world: Simulated, body: Json): Promise<unknown> {
  const sent = world.post('/transactions', body).catch((error: unknown) => error);
  let settled = false;
  void sent.then(() => {
    settled = true;
  });
  await world.clock.runUntil(() => settled);
  return sent;
}

const BUSY = 'Device busy: another operation is in progress';

const charges = (world: Simulated, body: Json): number =>
  world.simulator.bank.charges(String(body.transactionReference)).length;

test('loses a request: no charge, and the client hears nothing until its deadline', async () => {
  const world = simulate();
  world.simulator.faults.arm({ kind: 'request-lost' });
  const body = world.sale();
  const began = world.clock.now();
  assert.ok((await send(world, body)) instanceof AnswerLostError);
  assert.equal(world.clock.now() - began, 20_000);
  await world.clock.runUntilIdle();
  assert.equal(charges(world, body), 0);
  assert.equal((await world.status(String(body.transactionReference))).status, 404);
});

test('loses an answer: the terminal charges all the same', async () => {
  const world = simulate();
  world.simulator.faults.arm({ kind: 'answer-lost' });
  const body = world.sale();
  assert.ok((await send(world, body)) instanceof AnswerLostError);
  await world.clock.runUntilIdle();
  assert.equal(charges(world, body), 1);
});

test('refuses a connection: certain, and nothing happens', async () => {
  const world = simulate();
  world.simulator.faults.arm({ kind: 'connection-refused' });
  const body = world.sale();
  const error = await send(world, body);
  assert.ok(error instanceof NotSentError);
  await world.clock.runUntilIdle();
  assert.equal(charges(world, body), 0);
});

test('delivers a delayed request at most 20 s late', async () => {
  const world = simulate();
  world.simulator.faults.arm({ kind: 'request-delayed', ms: 3_600_000 });
  const body = world.sale();
  assert.ok((await send(world, body)) instanceof AnswerLostError);
  await world.clock.runUntilIdle(10_000);
  assert.equal(charges(world, body), 1);
});

test('answers 5xx before acting, after acting, and with broken JSON', async () => {
  const world = simulate();
  const answers: [FaultKind, number, number][] = [
    ['server-error-before', 503, 0],
    ['server-error-after', 500, 1],
    ['broken-json', 202, 1],
  ];
  for (const [kind, status, charged] of answers) {
    world.simulator.faults.arm({ kind, ...(kind === 'server-error-before' ? { status } : {}) });
    const body = world.sale({ amount: String(2000 + status) });
    const answer = await send(world, body);
    if (kind === 'broken-json') assert.ok(answer instanceof SyntaxError);
    else assert.equal((answer as { status: number }).status, status);
    await world.clock.runUntilIdle();
    assert.equal(charges(world, body), charged, kind);
  }
});

test('delivers a duplicated request twice: the terminal is busy for the second', async () => {
  const world = simulate();
  world.simulator.faults.arm({ kind: 'request-duplicated' });
  const body = world.sale();
  assert.equal(((await send(world, body)) as { status: number }).status, 202);
  assert.deepEqual(
    world.simulator.requests.latest().map(({ status }) => status),
    [202, 400],
  );
  await world.clock.runUntilIdle();
  assert.equal(charges(world, body), 1);
});

test('gives terminal errors in every shape, and busy and offline without cause', async () => {
  const world = simulate();
  const shapes = [
    ['nested', 400, { statusCode: 400, name: 'BadRequestError', message: { error: 1001, message: BUSY } }],
    [
      'text',
      400,
      { statusCode: 400, name: 'BadRequestError', message: JSON.stringify({ error: 1001, message: BUSY }) },
    ],
    ['status', 409, { statusCode: 409, name: 'ConflictError', message: 'Terminal is busy' }],
  ] as const;
  for (const [variant, status, shape] of shapes) {
    world.simulator.faults.arm({ kind: 'terminal-busy' });
    world.simulator.faults.arm({ kind: 'error-shape', variant });
    const answer = await world.post('/transactions', world.sale());
    assert.equal(answer.status, status);
    assert.deepEqual(answer.json.error, shape);
  }
  world.simulator.faults.arm({ kind: 'terminal-offline' });
  assert.equal((await world.post('/transactions', world.sale())).json.error, 1002);
  world.simulator.faults.arm({ kind: 'rate-limited' });
  assert.equal((await world.post('/transactions', world.sale())).status, 429);
});

test('delivers the callback before the 202', async () => {
  const world = simulate();
  world.simulator.faults.arm({ kind: 'callback-before-answer' });
  const body = world.sale({ callbackUrl: 'https://till.example/cb', token: 't' });
  let answered = false;
  const sent = world.post('/transactions', body).then((reply) => {
    answered = true;
    return reply;
  });
  await world.clock.runUntil(() => world.callbacks.length === 1);
  assert.equal((await sent).status, 202);
  assert.equal(answered, true);
  assert.equal(world.callbacks[0]?.body.finStatus, 'AUTHORISED');
});

test('reports UNDEFINED when the gateway does not hear it, and says later that it has no record', async () => {
  const world = simulate();
  world.simulator.faults.arm({ kind: 'gateway-request-lost' });
  const body = world.sale({ callbackUrl: 'https://till.example/cb' });
  const { json: accepted } = await world.post('/transactions', body);
  await world.clock.runUntil(() => world.callbacks.length === 1);
  const first = await resultOf(world, accepted);
  assert.equal(first.finStatus, 'UNDEFINED');
  assert.equal(first.merchantReceipt, '');
  await world.clock.runUntilIdle();
  const last = await resultOf(world, accepted);
  assert.deepEqual([last.finStatus, last.recoveredTransaction], ['DECLINED', true]);
  assert.equal(charges(world, body), 0);
  assert.equal((await world.status(String(body.transactionReference))).json.finStatus, 'UNDEFINED');
});

test('reports UNDEFINED when it does not hear the gateway, and delivers the approval later', async () => {
  const world = simulate();
  world.simulator.faults.arm({ kind: 'gateway-answer-lost' });
  const body = world.sale({ callbackUrl: 'https://till.example/cb' });
  const { json: accepted } = await world.post('/transactions', body);
  await world.clock.runUntilIdle();
  assert.deepEqual(
    world.callbacks.map((callback) => [callback.body.finStatus, callback.body.recoveredTransaction]),
    [
      ['UNDEFINED', false],
      ['AUTHORISED', true],
    ],
  );
  assert.equal((await resultOf(world, accepted)).finStatus, 'AUTHORISED');
  assert.equal(charges(world, body), 1);
});

test('takes back what it did not hear of, where the fault says so', async () => {
  const world = simulate();
  world.simulator.faults.arm({ kind: 'gateway-answer-lost-then-reversed' });
  const body = world.sale();
  const result = await run(world, body);
  assert.equal(result.finStatus, 'DECLINED');
  assert.equal(charges(world, body), 1);
  assert.equal(world.simulator.bank.netMoved(String(body.transactionReference)), 0);
});

test('forgets a payment when the power goes while it waits for the card', async () => {
  const world = simulate();
  world.simulator.faults.arm({ kind: 'power-cut-awaiting-card', ms: 60_000 });
  const body = world.sale({ callbackUrl: 'https://till.example/cb' });
  const { json: accepted } = await world.post('/transactions', body);
  assert.equal((await world.post('/transactions', world.sale())).json.error, 1002);
  await world.clock.runUntilIdle();
  assert.equal(world.callbacks.length, 0);
  assert.equal((await world.get(`/transaction-result/${String(accepted.transactionResultId)}`)).status, 204);
  assert.equal(charges(world, body), 0);
  assert.equal((await run(world, world.sale())).finStatus, 'AUTHORISED');
});

test('delivers the outcome after a power cut while processing', async () => {
  const world = simulate();
  world.simulator.faults.arm({ kind: 'power-cut-processing', ms: 60_000 });
  const body = world.sale({ callbackUrl: 'https://till.example/cb' });
  const { json: accepted } = await world.post('/transactions', body);
  await world.clock.advance(60_000);
  assert.equal(world.callbacks.length, 0);
  assert.equal((await world.status(String(body.transactionReference))).json.finStatus, 'AUTHORISED');
  await world.clock.runUntilIdle();
  const result = await resultOf(world, accepted);
  assert.deepEqual([result.finStatus, result.recoveredTransaction], ['AUTHORISED', true]);
  assert.equal(world.callbacks.length, 1);
});

test('takes a payment back after a power cut in the middle of its forced reversal', async () => {
  const world = simulate({ cardholder: { card: { entry: 'ICC' } } });
  world.simulator.faults.arm({ kind: 'chip-pulled' });
  const body = world.sale();
  const reference = String(body.transactionReference);
  const { json: accepted } = await world.post('/transactions', body);
  await world.clock.runUntil(() => world.simulator.bank.charges(reference).length === 1);
  await world.clock.advance(500);
  world.terminal.powerCut(10_000);
  await world.clock.runUntilIdle();
  assert.equal((await resultOf(world, accepted)).finStatus, 'DECLINED');
  assert.equal(world.simulator.bank.netMoved(reference), 0);
});

test('reports once, and as recovered, after a power cut shorter than the answer of the gateway', async () => {
  const world = simulate();
  const body = world.sale({ callbackUrl: 'https://till.example/cb' });
  await world.post('/transactions', body);
  await world.clock.runUntil(() => world.terminal.screen.stage === 'processing');
  world.terminal.powerCut(100);
  await world.clock.runUntilIdle();
  assert.deepEqual(
    world.callbacks.map((callback) => [callback.body.finStatus, callback.body.recoveredTransaction]),
    [['AUTHORISED', true]],
  );
  assert.equal(charges(world, body), 1);
});

test('charges nothing when the terminal is offline before the card is read', async () => {
  const world = simulate();
  const body = world.sale();
  const { json: accepted } = await world.post('/transactions', body);
  world.terminal.goOffline();
  await world.clock.advance(60_000);
  world.terminal.goOnline();
  await world.clock.runUntilIdle();
  assert.equal((await resultOf(world, accepted)).finStatus, 'DECLINED');
  assert.equal(charges(world, body), 0);
});

test('marks a result that had to wait for the network as recovered', async () => {
  const world = simulate({ cardholder: 'none' });
  const { json: accepted } = await world.post('/transactions', world.sale());
  world.terminal.goOffline();
  world.terminal.cancel();
  await world.clock.advance(0);
  assert.equal((await world.get(`/transaction-result/${String(accepted.transactionResultId)}`)).status, 204);
  world.terminal.goOnline();
  const result = await resultOf(world, accepted);
  assert.deepEqual([result.finStatus, result.recoveredTransaction], ['CANCELLED', true]);
});

test('keeps a result while the terminal is offline, and delivers it as recovered', async () => {
  const world = simulate();
  const body = world.sale({ callbackUrl: 'https://till.example/cb' });
  const { json: accepted } = await world.post('/transactions', body);
  await world.clock.runUntil(() => world.terminal.screen.stage === 'processing');
  world.terminal.goOffline();
  await world.clock.advance(40_000);
  assert.equal((await world.get(`/transaction-result/${String(accepted.transactionResultId)}`)).status, 204);
  world.terminal.goOnline();
  await world.clock.runUntilIdle();
  const result = await resultOf(world, accepted);
  assert.equal(result.recoveredTransaction, true);
  assert.equal(result.finStatus, 'AUTHORISED');
  assert.equal(charges(world, body), 1);
});

test('never lags more than 10 s in the status service', async () => {
  const world = simulate();
  world.simulator.faults.arm({ kind: 'status-lag', ms: 60_000 });
  const body = world.sale();
  const reference = String(body.transactionReference);
  await world.post('/transactions', body);
  await world.clock.runUntil(() => charges(world, body) === 1);
  await world.clock.advance(9_999);
  assert.equal((await world.status(reference)).json.finStatus, 'UNDEFINED');
  await world.clock.advance(1);
  assert.equal((await world.status(reference)).json.finStatus, 'AUTHORISED');
});

test('says in every way that there is no record yet, and hides none that there is', async () => {
  const world = simulate();
  const { faults } = world.simulator;
  const body = world.sale();
  const reference = String(body.transactionReference);
  await world.post('/transactions', body);
  const ways: [FaultKind, number, unknown][] = [
    ['status-404', 404, undefined],
    ['status-undefined', 200, 'UNDEFINED'],
    ['status-empty', 200, undefined],
  ];
  for (const [kind, status, finStatus] of ways) {
    faults.arm({ kind });
    const answer = await world.status(reference);
    assert.deepEqual([answer.status, answer.json.finStatus], [status, finStatus], kind);
  }
  await world.clock.advance(10_000);
  for (const [kind] of ways) faults.arm({ kind });
  assert.equal((await world.status(reference)).json.finStatus, 'AUTHORISED');
  faults.arm({ kind: 'status-in-progress' });
  assert.equal((await world.status(reference)).json.finStatus, 'IN_PROGRESS');
});

test('fails polls for a while, and answers them unreadably or with 404 when told', async () => {
  const world = simulate();
  const { json } = await world.post('/transactions', world.sale());
  await world.clock.runUntilIdle();
  const path = `/transaction-result/${String(json.transactionResultId)}`;
  world.simulator.faults.arm({ kind: 'poll-fails', forMs: 60_000, status: 502 });
  for (const expected of [502, 502, 502]) {
    assert.equal((await world.get(path)).status, expected);
    await world.clock.advance(20_000);
  }
  assert.equal((await world.get(path)).status, 200);
  world.simulator.faults.arm({ kind: 'poll-404' });
  world.simulator.faults.arm({ kind: 'poll-unreadable' });
  assert.equal((await world.get(path)).status, 404);
  assert.equal((await world.get(path)).json.finStatus, undefined);
});

test('arms faults for what they match, and lets a plan decide the rest', async () => {
  const world = simulate();
  const { faults } = world.simulator;
  faults.arm({ kind: 'server-error-before', match: { endpoint: 'GET /devices' }, times: 2 });
  assert.equal((await world.post('/transactions', world.sale())).status, 202);
  assert.equal((await world.get('/devices')).status, 500);
  assert.equal((await world.get('/devices')).status, 500);
  assert.equal((await world.get('/devices')).status, 200);
  faults.decideBy(({ moment, endpoint }) =>
    moment === 'request' && endpoint === 'GET /devices' ? { kind: 'rate-limited' } : { kind: 'answer-lost' },
  );
  assert.equal((await world.get('/devices')).status, 429);
  faults.clear();
  assert.equal((await world.get('/devices')).status, 200);
  assert.deepEqual(faults.counts(), { 'server-error-before': 2, 'rate-limited': 1 });
});

test('every kind of fault has a moment', () => {
  assert.equal(FAULT_KINDS.length, new Set(FAULT_KINDS).size);
  for (const kind of FAULT_KINDS) assert.equal(typeof FAULT_MOMENTS[kind], 'string');
});
