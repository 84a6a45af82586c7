import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { type RunningNodeRed, startNodeRed } from '../harness/node-red.js';
import { action, type Flow, type Service, startFlow, startService, typed } from './flow.js';
import { pay, webFlow } from './web-flow.js';

describe('an order that is asked for again and again over HTTP', () => {
  let service: Service;
  let nodeRed: RunningNodeRed;

  before(async () => {
    service = await startService();
    nodeRed = await startNodeRed({ flows: webFlow(service), credentials: { environment: { apiKey: 'simulator' } } });
  });
  after(async () => {
    await nodeRed?.stop();
    await rm(nodeRed.userDir, { recursive: true, force: true });
    await service.stop();
  });

  const charges = (): number => service.bank.charges().length;

  test('five at once, one after its end and one after a crash: one charge, and every answer is true', async () => {
    const order = { amount: '12.00', idempotencyKey: 4711 };
    const answers = await Promise.all(Array.from({ length: 5 }, () => pay(nodeRed, order)));
    answers.push(await pay(nodeRed, { amount: 12, idempotencyKey: '4711' }));
    await nodeRed.kill();
    nodeRed = await startNodeRed({ userDir: nodeRed.userDir });
    answers.push(await pay(nodeRed, order));
    const facts = answers.map(({ outcome, moneyMoved, amount, repeated }) =>
      [outcome, moneyMoved, amount?.total, repeated === true].join(' '),
    );
    assert.deepEqual(facts.sort(), [
      'approved yes 12.00 false',
      ...Array.from({ length: 6 }, () => 'approved yes 12.00 true'),
    ]);
    assert.equal(new Set(answers.map(({ transactionId }) => transactionId)).size, 1);
    assert.equal(charges(), 1);
  });

  test('after a decline it is attempted anew, once for several at once', async () => {
    const before = charges();
    const order = { amount: '37.84', idempotencyKey: 'declined' };
    const first = await pay(nodeRed, order);
    assert.deepEqual([first.outcome, first.attempt, first.repeated], ['declined', 1, undefined]);
    const again = await Promise.all([pay(nodeRed, order), pay(nodeRed, order)]);
    assert.deepEqual(
      again.map(({ outcome, attempt, repeated }) => [outcome, attempt, repeated === true].join(' ')).sort(),
      ['declined 2 false', 'declined 2 true'],
    );
    assert.equal(charges(), before);
  });

  test('declined, then approved: one charge, told to five at once, to one after its end and to one after a crash', async () => {
    const before = charges();
    const order = { amount: '14.00', idempotencyKey: 'second-card' };
    service.simulator.faults.arm({ kind: 'bank-declines' });
    const declined = await pay(nodeRed, order);
    assert.deepEqual([declined.outcome, declined.moneyMoved, declined.attempt], ['declined', 'no', 1]);
    assert.equal(charges(), before);

    const answers = await Promise.all(Array.from({ length: 5 }, () => pay(nodeRed, order)));
    answers.push(await pay(nodeRed, order));
    await nodeRed.kill();
    nodeRed = await startNodeRed({ userDir: nodeRed.userDir });
    answers.push(await pay(nodeRed, order));
    const facts = answers.map(({ outcome, moneyMoved, amount, attempt, repeated }) =>
      [outcome, moneyMoved, amount?.total, attempt, repeated === true].join(' '),
    );
    assert.deepEqual(facts.sort(), [
      'approved yes 14.00 2 false',
      ...Array.from({ length: 6 }, () => 'approved yes 14.00 2 true'),
    ]);
    const [operationId, ...others] = new Set(answers.map(({ operationId }) => operationId));
    assert.deepEqual(others, []);
    assert.notEqual(operationId, declined.operationId);
    assert.equal(charges(), before + 1);
  });

  test('another order under its key, and what is no key, go to Catch', async () => {
    const before = charges();
    const other = await pay(nodeRed, { amount: '13.00', idempotencyKey: 4711 });
    assert.equal(other.code, 'IDEMPOTENCY_KEY_REUSED');
    for (const idempotencyKey of ['x'.repeat(256), true, { order: 1 }]) {
      const { code, message } = (await pay(nodeRed, { amount: '13.00', idempotencyKey })) as never as Record<
        string,
        string
      >;
      assert.equal(code, 'INVALID_IDEMPOTENCY_KEY');
      assert.match(String(message), /msg\.payload\.idempotencyKey: expected text of 1 to 255 characters/);
    }
    assert.equal(charges(), before);
  });
});

describe('an order about an earlier payment', () => {
  let service: Service;
  let flow: Flow;

  before(async () => {
    service = await startService();
    flow = await startFlow({
      service,
      more: [
        action('refund', 'payment-refund', typed('operation', 'linked')),
        action('all-of-it', 'payment-reversal', typed('where', 'terminal')),
        action('capture', 'payment-preauth', typed('operation', 'capture')),
        action('hold', 'payment-preauth', typed('operation', 'create')),
        action('patient', 'payment-sale', { repeatUnsuccessful: 'true', repeatUnsuccessfulType: 'bool' }),
      ],
    });
  });
  after(async () => {
    await flow.stop();
    await service.stop();
  });

  const moved = (): number => service.bank.netMoved();

  test('is done once though nothing is left of that payment the second time', async () => {
    const before = moved();
    const { msg } = await flow.run({ payload: { amount: '10.00' } });
    const order = (): object => ({ payload: { ...msg.payload, idempotencyKey: 'refund-1' } });
    const answers = [await flow.run(order(), 'refund'), await flow.run(order(), 'refund')];
    assert.deepEqual(
      answers.map(({ output, msg }) => [output, msg.payload.outcome, msg.payload.repeated === true]),
      [
        ['done', 'refunded', false],
        ['done', 'refunded', true],
      ],
    );
    assert.equal(moved(), before);
    const another = await flow.run({ payload: { ...msg.payload, idempotencyKey: 'refund-2' } }, 'refund');
    assert.equal(another.output, 'mistake', 'a key of its own, and nothing left to refund');
  });

  test('is done once on another node too, and its key is no key for the original', async () => {
    const { msg } = await flow.run({ payload: { amount: '10.00', idempotencyKey: 'sale-1' } });
    const reversal = (): object => ({ payload: { ...msg.payload, idempotencyKey: 'reversal-1' } });
    const answers = [await flow.run(reversal(), 'all-of-it'), await flow.run(reversal(), 'all-of-it')];
    assert.deepEqual(
      answers.map(({ output, msg }) => [output, msg.payload.repeated === true]),
      [
        ['done', false],
        ['done', true],
      ],
    );
    const reused = await flow.run({ payload: { ...msg.payload, idempotencyKey: 'sale-1' } }, 'refund');
    assert.equal((reused.msg.error as { code?: string }).code, 'IDEMPOTENCY_KEY_REUSED');
  });

  test('captures a hold once', async () => {
    const { msg } = await flow.run({ payload: { amount: '20.00', idempotencyKey: 'hold' } }, 'hold');
    const held = await flow.run({ payload: { amount: '20.00', idempotencyKey: 'hold' } }, 'hold');
    assert.equal(held.msg.payload.repeated, true, 'a hold moves no money, and was done all the same');
    const before = moved();
    const capture = { payload: { ...msg.payload, amount: '15.00', currency: 'EUR', idempotencyKey: 'capture' } };
    for (const repeated of [undefined, true]) {
      const { output, msg } = await flow.run({ payload: { ...capture.payload } }, 'capture');
      assert.deepEqual([output, msg.payload.repeated], ['done', repeated]);
    }
    assert.equal(moved() - before, 1500);
  });

  test('is told its decline again where the node says so', async () => {
    const order = { amount: '37.84', idempotencyKey: 'queue' };
    await flow.run({ payload: order });
    const { msg } = await flow.run({ payload: order }, 'patient');
    assert.deepEqual([msg.payload.outcome, msg.payload.attempt, msg.payload.repeated], ['declined', 1, true]);
  });
});
