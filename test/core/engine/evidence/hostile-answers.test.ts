import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callbackSecret, callbackToken } from '../../../../src/core/base/callback.js';
import type { HttpAnswer, HttpRequest } from '../../../../src/core/base/seams.js';
import { persistedResult } from '../../../../src/core/journal/persisted.js';
import { RecordWriter } from '../../../../src/core/runner/record-writer.js';
import { DEFAULT_KEY } from '../../../../src/simulator/index.js';
import type { Cardholder } from '../../../../src/simulator/terminal/cardholder.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** Whatever the service answers, the flow gets one result, and the process lives. */

/** The simulated service, whose answers at one endpoint read otherwise. */
function answering(endpoint: string, answer: (body: string, request: HttpRequest) => string): Payments {
  const world = payments();
  const send = async (request: HttpRequest): Promise<HttpAnswer> => {
    const given = await world.simulator.send(request);
    if (!request.url.includes(endpoint)) return given;
    return { ...given, body: answer(given.body, request) };
  };
  world.engine = world.createEngine({ send });
  world.connect(world.engine);
  return world;
}

const THROWS = { toString: 1 };

test('a decline whose text cannot be made a string is sent once, and read against the chain', async () => {
  let sent = 0;
  const world = answering('/reversal', () => {
    sent++;
    return JSON.stringify({ finStatus: 'DECLINED', issuerResponseText: THROWS, issuerResponseCode: THROWS });
  });
  const { transactionId: originalGuid } = await world.after(world.sale());
  const { outcome, source } = await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid } }));
  assert.deepEqual([outcome, source, sent], ['refunded', 'status', 1]);
});

/** An answer whose text cannot even be taken out of it. */
const spoilt = (status: number): HttpAnswer => ({
  status,
  get body(): string {
    throw new TypeError('the text is spoilt');
  },
});

/** The first answer at an endpoint is spoilt. What it answers is done. */
function spoiltOnce(endpoint: string): Payments {
  const world = payments();
  let isSpoilt = false;
  const send = async (request: HttpRequest): Promise<HttpAnswer> => {
    const given = await world.simulator.send(request);
    if (isSpoilt || !request.url.endsWith(endpoint)) return given;
    isSpoilt = true;
    return spoilt(given.status);
  };
  world.engine = world.createEngine({ send });
  world.connect(world.engine);
  return world;
}

const SPOILT = /^error: .*the text is spoilt$/;

test('an answer to a sale that throws when it is read is a lost answer, and the flow hears the truth once', async () => {
  const world = spoiltOnce('/transactions');
  const { outcome, moneyMoved, final } = await world.after(world.sale());
  await world.clock.runUntilIdle();
  assert.deepEqual([outcome, moneyMoved, final, world.told.length], ['approved', 'yes', true, 1]);
  assert.ok(world.logged.some((line) => SPOILT.test(line)));
  assert.equal(world.bank.netMoved(), 1000);
});

test('an answer to a reversal that throws when it is read is a lost answer, and the flow hears the truth once', async () => {
  const world = spoiltOnce('/reversal');
  const { transactionId: originalGuid } = await world.after(world.sale());
  const { outcome, moneyMoved } = await world.after(
    world.backOffice({ operation: 'reversal', body: { originalGuid } }),
  );
  await world.clock.runUntilIdle();
  assert.deepEqual([outcome, moneyMoved, world.told.length], ['refunded', 'yes', 2]);
  assert.ok(world.logged.some((line) => SPOILT.test(line)));
  assert.equal(world.bank.netMoved(), 0);
});

/** A flow whose terminals' results say something else, by callback and poll. */
function resultSaying(odd: object): Payments {
  const world = answering('/transaction-result/', (body) => (body === '' ? body : changed(body, odd)));
  const callback = world.engine.callback.bind(world.engine);
  world.engine.callback = (id, token, body) => callback(id, token, changed(body, odd));
  return world;
}

const changed = (body: string, odd: object): string => JSON.stringify({ ...JSON.parse(body), ...odd });

test('a result with a custom field whose key cannot be made a string settles the payment', async () => {
  const world = resultSaying({ customFields: [{ key: THROWS, value: '1' }] });
  const { outcome, source } = await world.after(world.sale());
  assert.deepEqual([outcome, source], ['approved', 'callback']);
});

for (const finStatus of ['constructor', '__proto__', 'toString']) {
  test(`a terminal's status of ${finStatus} is a question`, async () => {
    const world = resultSaying({ finStatus });
    const { outcome, moneyMoved, final, timeline } = await world.after(world.sale());
    assert.deepEqual([outcome, moneyMoved, final], ['provisional', 'unknown', false]);
    assert.equal(timeline.find(({ event }) => event === 'terminal-result')?.meaning, 'undefined');
  });
}

test('a refusal with the code "constructor" has a name that is text', async () => {
  const world = payments();
  const send = async (request: HttpRequest): Promise<HttpAnswer> =>
    request.url.endsWith('/transactions')
      ? { status: 403, body: JSON.stringify({ error: { code: 'constructor', message: 'no', name: 'Odd' } }) }
      : world.simulator.send(request);
  world.engine = world.createEngine({ send });
  world.connect(world.engine);
  const { outcome, error } = await world.after(world.sale());
  assert.deepEqual([outcome, error?.name], ['refused', 'Odd']);
});

test('a result that JSON cannot hold is recorded without it, and told', async () => {
  const world = payments();
  const operationId = await world.sale();
  await world.untilTold();
  const [record] = await world.journal.find({ operationId });
  assert.ok(record !== undefined);
  const loop: Record<string, unknown> = { finStatus: 'AUTHORISED' };
  loop.again = loop;
  const logged: string[] = [];
  const writer = new RecordWriter(
    world.journal,
    world.clock,
    (_level, text) => logged.push(text),
    () => undefined,
  );
  assert.equal(await writer.save({ ...record, result: loop }), true);
  assert.equal(persistedResult(loop), undefined);
  assert.equal((await world.journal.find({ operationId }))[0]?.result, undefined);
  assert.deepEqual(logged, []);
});

const noRecord = (world: Payments): void => {
  world.simulator.faults.arm({ kind: 'status-record-missing', times: 1000 });
};

for (const odd of [{ totalAmount: { minor: 1000 } }, { finStatus: 7 }, { totalAmount: 'ten' }]) {
  test(`a result saying ${JSON.stringify(odd)} is a witness, though there is no record`, async () => {
    const world = resultSaying(odd);
    noRecord(world);
    const { outcome, moneyMoved } = await world.after(world.sale());
    assert.deepEqual([outcome, moneyMoved], ['unknown', 'unknown']);
  });
}

test('what a callback cannot say settles nothing', async () => {
  const world = payments();
  const operationId = await world.sale();
  const token = callbackToken(callbackSecret(DEFAULT_KEY), operationId);
  assert.equal(await world.engine.callback(operationId, token, '{"finStatus":["AUTHORISED"]}'), 'taken');
  assert.equal(await world.engine.callback(operationId, token, 'AUTHORISED'), 'unavailable');
  assert.equal((await world.untilTold()).payload.outcome, 'approved');
});

for (const odd of [{ type: 'REFUND' }, { totalAmount: 0 }, { totalAmount: -1000 }, { currency: 'USD' }]) {
  test(`an approval saying ${JSON.stringify(odd)} is a question`, async () => {
    const world = resultSaying(odd);
    const { outcome, moneyMoved } = await world.after(world.sale());
    assert.deepEqual([outcome, moneyMoved], ['provisional', 'unknown']);
  });
}

for (const odd of [
  { type: '' },
  { type: 'UNDEFINED' },
  { totalAmount: '' },
  { currency: '' },
  { totalAmount: 1100, tipAmount: 100 },
]) {
  test(`an approval saying ${JSON.stringify(odd)} contradicts nothing`, async () => {
    const world = resultSaying(odd);
    await world.sale();
    const { exit, payload } = await world.untilTold();
    assert.deepEqual([exit, payload.outcome, payload.error], ['done', 'approved', undefined]);
  });
}

test('an approval of more than was requested is told at once, to a person', async () => {
  const world = resultSaying({ totalAmount: 10_000 });
  await world.sale();
  const { exit, payload } = await world.untilTold(1, 60_000);
  assert.deepEqual(
    [exit, payload.outcome, payload.moneyMoved, payload.final, payload.error?.code, payload.amount?.total],
    ['needs-attention', 'approved', 'yes', true, 'AMOUNT_DIFFERS', '100.00'],
  );
});

test('a part that was approved in another currency is a question, and not "partial"', async () => {
  const world = resultSaying({ currency: 'USD' });
  await world.sale({ amount: '3757' });
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.outcome, payload.moneyMoved, payload.final], ['provisional', 'unknown', false]);
  assert.ok(world.told.every(({ payload: { retry } }) => retry !== 'remainder-only'));
  assert.equal(world.bank.netMoved(), 1100);
});

test('a decline settles whatever else it says', async () => {
  const world = resultSaying({ finStatus: 'DECLINED', type: 'REFUND', totalAmount: 0 });
  const { outcome } = await world.after(world.sale());
  assert.equal(outcome, 'declined');
});

for (const [operation, limit] of [
  ['printReceipt', 55_000],
  ['cardPan', 115_000],
  ['tokenizeCard', 115_000],
] as const) {
  test(`${operation} with a lost answer moved no money, and frees its terminal`, async () => {
    const world = payments({ callbacks: false });
    world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /transactions' } });
    await world.sale({
      operation,
      amount: undefined,
      currency: undefined,
      ...(operation === 'printReceipt' && { receipt: '<p>Thank you</p>' }),
    });
    const { exit, payload } = await world.untilTold(1, limit);
    const { outcome, moneyMoved, retry, final } = payload;
    assert.deepEqual([exit, outcome, moneyMoved, retry, final], ['needs-attention', 'unknown', 'no', 'safe', true]);
    const next = await world.after(world.sale());
    assert.equal(next.outcome, 'approved');
  });
}

/** Presents a card, and keys none in. */
const keysNothing: Cardholder = ({ stage }) => {
  if (stage === 'awaiting-card') return { afterMs: 1000, act: { do: 'present-card' } };
  return stage === 'remove-card' ? { afterMs: 100, act: { do: 'remove-card' } } : undefined;
};

for (const exclusiveTerminal of [true, false]) {
  const whose = exclusiveTerminal ? 'a terminal of its own' : 'a terminal that others use too';
  test(`a keyed entry that timed out is followed by one stop, so that ${whose} is free for the next payment`, async () => {
    const world = payments({ simulator: { cardholder: keysNothing } });
    const { outcome, retry } = await world.after(world.sale({ operation: 'moToSale' }, { exclusiveTerminal }));
    assert.deepEqual([outcome, retry, world.started], ['cancelled', 'safe', ['moToSale', 'stopCurrentTransaction']]);
    const next = await world.after(world.sale({}, { exclusiveTerminal }));
    assert.equal(next.outcome, 'approved');
  });
}
