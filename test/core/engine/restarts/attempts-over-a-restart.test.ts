import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../../src/core/base/seams.js';
import { THROTTLED } from '../../../harness/approved-twice.js';
import { type Payments, payments } from '../../../harness/payments.js';
import { NOT_FOUND } from '../../../harness/two-attempts.js';

/** What a process does with an attempt that an earlier one saw answered 429. */

/** The sale arrives twice: it begins at the simulator, and the answer is that of its repetition. */
function begun(world: () => Payments, sent: string[]) {
  return async (http: HttpRequest): Promise<HttpAnswer> => {
    const body = JSON.parse(http.body ?? '{}');
    if (body.operation !== 'sale') return world().simulator.send(http);
    sent.push(body.transactionReference);
    const answer = await world().simulator.send(http);
    return sent.length === 1 ? THROTTLED : answer;
  };
}

test('after a 429 nothing is sent to another merchant: the first attempt may have begun with the one before', async () => {
  const sent: string[] = [];
  const world: Payments = payments({ callbacks: false, engine: { send: (http) => begun(() => world, sent)(http) } });
  await world.sale({}, { busyWaitMs: 60_000, exclusiveTerminal: false });
  await world.clock.runUntil(() => sent.length === 1, 5000);
  await world.clock.advance(500);
  const stopped = world.engine.stop();
  await world.clock.advance(100);
  await stopped;
  const [charged] = sent;
  const elsewhere: string[] = [];
  const charge = () => ({
    transactionID: 'elsewhere',
    transactionReference: elsewhere[0],
    type: 'SALE',
    finStatus: 'AUTHORISED',
    totalAmount: 1000,
    currency: 'EUR',
  });
  const another = async (http: HttpRequest): Promise<HttpAnswer> => {
    const body = JSON.parse(http.body ?? '{}');
    if (http.url.includes('/devices'))
      return {
        status: 200,
        body: JSON.stringify([
          { merchant_id_alpha: 'OTHER', serial_number: '10000001', ssk: 'x', terminal_type: 'SIMULATEDT1' },
        ]),
      };
    if (body.operation === 'sale') {
      elsewhere.push(body.transactionReference);
      return { status: 202, body: JSON.stringify({ statusMessage: 'ok', transactionResultId: '10000001-2' }) };
    }
    if (http.url.includes('/transaction-result')) return { status: 200, body: JSON.stringify(charge()) };
    if (http.url.includes('/status'))
      return http.url.includes(elsewhere[0] ?? 'nothing sent')
        ? { status: 200, body: JSON.stringify([charge()]) }
        : NOT_FOUND;
    return { status: 403, body: '{}' };
  };
  world.engine = world.createEngine({ apiKey: 'another-merchant', send: another });
  await world.engine.start();
  world.connect(world.engine);
  await world.clock.advance(3 * 24 * 3_600_000);
  const told = world.told.map(({ exit, payload: { outcome, moneyMoved, final, error } }) => [
    exit,
    outcome,
    moneyMoved,
    final,
    error?.code,
  ]);
  const first = world.bank.netMoved(charged ?? '');
  assert.deepEqual(elsewhere, [], JSON.stringify({ chargedAtTheFirst: first, told, late: world.late() }));
  assert.deepEqual(told, [
    ['needs-attention', 'unknown', 'unknown', false, 'SERVICE_CHANGED'],
    ['needs-attention', 'unknown', 'unknown', true, 'WATCH_ENDED'],
  ]);
});

test('what the flow cancelled while its request met a 429 does not begin after a restart', async () => {
  const sent: string[] = [];
  let answer: ((answer: HttpAnswer) => void) | undefined;
  const send = async (http: HttpRequest): Promise<HttpAnswer> => {
    const body = JSON.parse(http.body ?? '{}');
    if (body.operation !== 'sale') return world.simulator.send(http);
    sent.push(body.transactionReference);
    if (sent.length > 1) return world.simulator.send(http);
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  const world: Payments = payments({ engine: { send } });
  const id = await world.sale({}, { busyWaitMs: 60_000 });
  await world.clock.runUntil(() => sent.length === 1, 5000);
  world.engine.cancel(id);
  await world.clock.advance(100);
  answer?.(THROTTLED);
  await world.clock.advance(300);
  const stopped = world.engine.stop();
  await world.clock.advance(100);
  await stopped;
  world.engine = world.createEngine();
  await world.engine.start();
  world.connect(world.engine);
  await world.clock.advance(600_000);
  const told = world.told.map(({ payload: { outcome, moneyMoved } }) => [outcome, moneyMoved]);
  assert.equal(sent.length, 1, JSON.stringify({ sent: sent.length, told, charges: world.bank.charges().length }));
});
