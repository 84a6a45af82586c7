import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../src/core/base/seams.js';
import { persistedResult } from '../../../src/core/journal/persisted.js';
import { RecordWriter } from '../../../src/core/runner/record-writer.js';
import { type Payments, payments } from '../../harness/payments.js';

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

test('a decline whose text cannot be made a string is a decline, sent once', async () => {
  let sent = 0;
  const world = answering('/reversal', () => {
    sent++;
    return JSON.stringify({ finStatus: 'DECLINED', issuerResponseText: THROWS, issuerResponseCode: THROWS });
  });
  const { transactionId: originalGuid } = await world.after(world.sale());
  const { outcome, error } = await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid } }));
  assert.deepEqual([outcome, error?.code, error?.message, sent], ['declined', 'DECLINED', 'declined', 1]);
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
  const writer = new RecordWriter(world.journal, (_level, text) => logged.push(text));
  assert.equal(await writer.save({ ...record, result: loop }), true);
  assert.equal(persistedResult(loop), undefined);
  assert.equal((await world.journal.find({ operationId }))[0]?.result, undefined);
  assert.deepEqual(logged, []);
});
