import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import { orderKey } from '../../../../src/core/operation/order-key.js';
import { THROTTLED } from '../../../harness/approved-twice.js';
import { NODE, type Payments, payments, saleOrder } from '../../../harness/payments.js';
import { NOT_FOUND, shown } from '../../../harness/two-attempts.js';

const SECOND = 1000;
const UNAVAILABLE: HttpAnswer = { status: 503, body: '' };

/**
 * Two attempts were answered 429. The first began all the same and was approved, as its callback says while the second is on its way, or
 * after that was answered. The flow hears so. The callback of the second one, if it begins, is lost.
 * @param second what the status service shows of it, so many ms after the sale was asked for
 * @param restart after the flow has been told
 * @param isRepeated the order comes again while an engine that has died holds it
 */
async function toldOfTheFirst(
  second: (age: number) => HttpAnswer,
  {
    isOnItsWay = false,
    restart = false,
    exclusiveTerminal = false,
    isUnread = false,
    isRepeated = false,
    isContradicted = false,
  } = {},
) {
  const references: string[] = [];
  const reversed: unknown[] = [];
  const call = (id: string, result: object = { finStatus: 'AUTHORISED', totalAmount: 1000 }) =>
    world.callback(references[0] ?? '', { transactionID: id, ...result });
  const send: Payments['simulator']['send'] = async (request) => {
    const body = JSON.parse(request.body ?? '{}');
    if (body.operation === 'sale') {
      if (references.push(body.transactionReference) === 2 && isOnItsWay) await call('one');
      return THROTTLED;
    }
    if (request.url.endsWith('/reversal')) {
      reversed.push(body.originalGuid);
      return { status: 200, body: JSON.stringify({ issuerResponseCode: '00', reversalGuid: 'reversal' }) };
    }
    const place = references.findIndex((reference) => request.url.includes(reference));
    if (place < 0) return world.simulator.send(request);
    return place === 0 ? shown('AUTHORISED') : second(world.clock.now() - began);
  };
  const world: Payments = payments({ engine: { send } });
  const began = world.clock.now();
  const order = (message: string) => {
    const { request, policies } = saleOrder({}, { busyWaitMs: 60_000, exclusiveTerminal });
    return world.engine.submit({
      request,
      policies,
      origin: { node: NODE, message: { _msgid: message }, key: orderKey('order', 'key') },
    });
  };
  const operationId = await order('first');
  await world.clock.runUntil(() => references.length === 2, 10 * SECOND);
  await world.clock.advance(100);
  if (!isOnItsWay) await call('one');
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.outcome, payload.reference, payload.final], ['approved', references[0], true]);
  assert.ok(world.clock.now() - began < 30 * SECOND, 'the flow does not wait for what may come');
  if (restart || isRepeated) {
    await world.engine.stop();
    if (isRepeated) {
      await world.journal.claim(operationId, 'dead', world.clock.now());
      await world.journal.renew('dead', world.clock.now() + 30 * SECOND);
    }
    world.engine = world.createEngine();
    world.connect(world.engine);
    await world.engine.start();
    if (isRepeated) await order('repeat');
  }
  if (isContradicted) await call('one', { finStatus: 'PARTIAL_APPROVAL', totalAmount: 400, dueAmount: 600 });
  if (isUnread) {
    await world.clock.advance(90 * SECOND);
    await world.callback(references[1] ?? '', { transactionID: 'two', finStatus: 'SOMETHING_NEW', totalAmount: 1000 });
  }
  await world.clock.advance(3600 * SECOND);
  const [record] = await world.journal.find({ reference: references[0] ?? '' }, 1);
  assert.deepEqual([record?.closed, world.clock.pending], [true, 0]);
  const told = world.told.map(({ origin, payload: { outcome } }) => [origin.message._msgid, outcome]);
  const each = isRepeated ? ['first', 'repeat'] : ['first'];
  assert.deepEqual(
    told,
    each.map((message) => [message, 'approved']),
  );
  return { reversed, late: world.late() };
}

const chargedAfter =
  (at: number) =>
  (age: number): HttpAnswer =>
    age < at
      ? NOT_FOUND
      : { status: 200, body: JSON.stringify([{ transactionID: 'two', finStatus: 'AUTHORISED', totalAmount: 1000 }]) };

for (const isOnItsWay of [false, true]) {
  const when = isOnItsWay ? 'while it was on its way' : 'after it was answered';
  test(`what an attempt charges after the flow was told of another, ${when}, goes back although its callback is lost`, async () => {
    for (const restart of [false, true]) {
      const { reversed, late } = await toldOfTheFirst(chargedAfter(60 * SECOND), { isOnItsWay, restart });
      assert.deepEqual([reversed, late], [['two'], [['done', 'approved', 'SECOND_ATTEMPT_REVERSED']]]);
    }
  });

  test(`a message that repeats an order of which another attempt is asked for once more is told, ${when}, whoever holds the order`, async () => {
    await toldOfTheFirst(() => NOT_FOUND, { isOnItsWay, isRepeated: true });
  });

  test(`what a person was asked to look at, as nobody can read the result of an attempt, does not go back as well, ${when}`, async () => {
    const { reversed, late } = await toldOfTheFirst(chargedAfter(60 * SECOND), { isOnItsWay, isUnread: true });
    assert.deepEqual([reversed, late], [[], [['needs-attention', 'provisional', 'REVERSAL_UNPROVEN']]]);
  });

  test(`what an attempt charges after what the flow was told of another was contradicted, ${when}, is for a person as well`, async () => {
    const { reversed, late } = await toldOfTheFirst(chargedAfter(60 * SECOND), { isOnItsWay, isContradicted: true });
    assert.deepEqual(reversed, []);
    assert.deepEqual(
      late.map(([, , code]) => code),
      ['CONTRADICTED', 'REVERSAL_UNPROVEN'],
    );
  });

  test(`an attempt that never begins after the flow was told of another, ${when}, is nobody's business`, async () => {
    const { reversed, late } = await toldOfTheFirst(() => NOT_FOUND, { isOnItsWay });
    assert.deepEqual([reversed, late], [[], []]);
  });

  test(`where nobody says what an attempt did after the flow was told of another, ${when}, a person must look`, async () => {
    const silent = (age: number): HttpAnswer => (age < 60 * SECOND ? NOT_FOUND : UNAVAILABLE);
    const { reversed, late } = await toldOfTheFirst(silent, { isOnItsWay });
    assert.deepEqual([reversed, late], [[], [['needs-attention', 'provisional', 'REVERSAL_UNPROVEN']]]);
  });
}
