import assert from 'node:assert/strict';
import { callbackToken } from '../../src/core/base/callback.js';
import type { ResultPayload } from '../../src/core/delivery/payload.js';
import type { BackOfficeOrder } from '../../src/core/operation/back-office-order.js';
import { DEFAULT_KEY } from '../../src/simulator/index.js';
import { connected } from '../harness/connected.js';
import { type Payments, payments } from '../harness/payments.js';
import { chapter } from './row.js';

/** Callbacks, the recovery procedure and the retry policy, by the whole payment client on the simulated service. */

const SECOND = 1000;
const POST = { endpoint: 'POST /transactions' };
const CALLBACK = { callbackUrl: 'https://till.example/cb', token: 'secret-1' };

const requests = (world: Payments, path: string) =>
  world.simulator.requests.latest().filter((request) => request.path.startsWith(path));

async function told(world: Payments): Promise<ResultPayload> {
  return (await world.untilTold()).payload;
}

/** The shortest and the longest time between two requests, ms. */
function pace(times: readonly number[]): [shortest: number, longest: number] {
  const gaps = times.slice(1).map((at, place) => at - (times[place] ?? 0));
  return [Math.min(...gaps), Math.max(...gaps)];
}

export const EVENTS = chapter('Callbacks', {
  'trigger: an operation that carried callbackUrl completes': async () => {
    const world = connected();
    await world.sold('1000', CALLBACK);
    await world.sold('2000');
    assert.equal(world.callbacks.length, 1);
  },
  'request: header auth-token is the token, the body that of a poll': async () => {
    const world = connected();
    const { result } = await world.sold('1000', CALLBACK);
    assert.deepEqual([world.callbacks[0]?.token, world.callbacks[0]?.body], ['secret-1', result.raw]);
  },
  'authenticity: a callback with a wrong token changes nothing, and learns nothing': async () => {
    const world = payments({ simulator: { cardholder: 'none' } });
    const operationId = await world.sale();
    const body = JSON.stringify({ finStatus: 'AUTHORISED', transactionReference: operationId });
    for (const token of ['guess', '', undefined, callbackToken('another secret', operationId)])
      assert.equal(await world.engine.callback(operationId, token, body), 'not-found');
    assert.equal(world.told.length, 0);
  },
  'authenticity: every request has a token of its own': async () => {
    const world = payments();
    for (const amount of ['1000', '2000']) await world.after(world.sale({ amount }));
    const urls = requests(world, '/transactions').map(({ body }) => (body as { callbackUrl: string }).callbackUrl);
    assert.equal(new Set(urls).size, 2);
    assert.notEqual(callbackToken('secret', 'one'), callbackToken('secret', 'two'));
  },
  'acknowledgement: any 2xx stops the retries': async () => {
    const world = connected();
    world.receiver.status = 299;
    await world.sold('1000', CALLBACK);
    await world.clock.advance(3600 * SECOND);
    assert.equal(world.callbacks.length, 1);
  },
  'retries: every 5 s for 100 s, then doubling up to 15 minutes, for 2 days': async () => {
    const world = connected();
    world.receiver.status = 500;
    await world.sold('1000', CALLBACK);
    const gaps = world.callbacks.slice(1).map(({ at }, place) => (at - (world.callbacks[place]?.at ?? 0)) / SECOND);
    assert.deepEqual(gaps.slice(0, 20), new Array(20).fill(5));
    assert.deepEqual(gaps.slice(20, 29), [10, 20, 40, 80, 160, 320, 640, 900, 900]);
    const lasted = (world.callbacks.at(-1)?.at ?? 0) - (world.callbacks[0]?.at ?? 0);
    assert.ok(lasted > 47.5 * 3600 * SECOND && lasted <= 48 * 3600 * SECOND, String(lasted));
  },
  'retries: begin anew when the terminal application restarts': async () => {
    const world = connected();
    world.receiver.status = 500;
    const started = await world.post('/transactions', world.sale(CALLBACK));
    assert.equal(started.status, 202);
    await world.clock.runUntil(() => world.callbacks.length === 25);
    world.terminal.restartApplication();
    await world.clock.runUntil(() => world.callbacks.length === 28);
    const [third, second, first] = world.callbacks.slice(-3).map(({ at }) => at);
    assert.deepEqual([(second ?? 0) - (third ?? 0), (first ?? 0) - (second ?? 0)], [5000, 5000]);
  },
  'marker: retried deliveries carry recoveredTransaction true': async () => {
    const world = connected();
    world.receiver.status = 500;
    await world.post('/transactions', world.sale(CALLBACK));
    await world.clock.runUntil(() => world.callbacks.length === 2);
    world.receiver.status = 200;
    await world.clock.runUntilIdle();
    const marks = world.callbacks.map(({ body }) => body.recoveredTransaction);
    assert.deepEqual(marks, [false, true, true]);
  },
  'idempotency: the same result twice is told once': async () => {
    const world = payments();
    world.simulator.faults.arm({ kind: 'callback-twice' });
    await world.sale();
    await world.clock.runUntilIdle(3600 * SECOND);
    assert.deepEqual([world.told.length, world.bank.charges().length], [1, 1]);
  },
  'a later delivery replaces an earlier UNDEFINED': async () => {
    const world = payments();
    world.simulator.faults.arm({ kind: 'gateway-answer-lost' });
    await world.sale();
    assert.equal((await told(world)).outcome, 'approved');
    assert.equal(world.bank.netMoved(), 1000);
  },
  'without callback: the result is readable by polling': async () => {
    const world = payments({ callbacks: false });
    await world.sale();
    const { outcome, source } = await told(world);
    assert.deepEqual([outcome, source], ['approved', 'poll']);
  },
  'callback and polling combined: told once': async () => {
    const world = payments();
    world.simulator.faults.arm({ kind: 'callback-late', ms: 9000 });
    await world.sale();
    await world.clock.runUntilIdle(3600 * SECOND);
    assert.deepEqual([world.told.length, world.told[0]?.payload.source], [1, 'poll']);
  },
  'an untrusted certificate: no delivery and no report, recovered by polling': async () => {
    const world = payments();
    world.simulator.faults.arm({ kind: 'callback-tls-refused', times: 1000 });
    await world.sale();
    assert.equal((await told(world)).source, 'poll');
  },
});

export const RECOVERY = chapter('Recovery procedure', {
  'transactionReference is persisted before the request is sent': async () => {
    const world = payments();
    const found: Promise<number>[] = [];
    world.simulator.faults.decideBy(({ moment, endpoint, reference = '' }) => {
      if (moment === 'request' && endpoint === POST.endpoint)
        found.push(world.journal.find({ reference }).then(({ length }) => length));
      return undefined;
    });
    await world.sale();
    await told(world);
    assert.deepEqual(await Promise.all(found), [1]);
  },
  'the result is polled every 4 seconds': async () => {
    const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
    await world.sale();
    await world.clock.advance(29 * SECOND);
    const polls = requests(world, '/transaction-result').map(({ at }) => at);
    assert.ok(polls.length >= 6, String(polls.length));
    assert.deepEqual(pace(polls), [4000, 4000]);
  },
  'the status is asked every 10 seconds': async () => {
    const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
    // A terminal that answers its polls leaves nothing to ask the status service.
    world.simulator.faults.arm({ kind: 'answer-lost', match: POST });
    await world.sale();
    await world.clock.advance(59 * SECOND);
    const asked = requests(world, '/transactions/').map(({ at }) => at);
    assert.ok(asked.length >= 3, String(asked.length));
    assert.deepEqual(pace(asked), [10_000, 10_000]);
  },
  'UNDEFINED within 90 seconds may be a card not yet presented': async () => {
    const world = payments();
    world.simulator.faults.arm({ kind: 'request-lost', match: POST });
    const began = world.clock.now();
    await world.sale();
    const { outcome, moneyMoved } = await told(world);
    assert.deepEqual([outcome, moneyMoved], ['not-charged', 'no']);
    assert.ok(world.clock.now() - began >= 90 * SECOND, String(world.clock.now() - began));
  },
  'AUTHORISED without a terminal result: a ping would prove nothing, at 360 s it is provisional': async () => {
    const world = payments();
    world.simulator.faults.arm({ kind: 'power-cut-processing', ms: 0 });
    const began = world.clock.now();
    await world.sale();
    const { outcome, final } = await told(world);
    assert.deepEqual([outcome, final], ['provisional', false]);
    assert.ok(world.clock.now() - began >= 360 * SECOND);
  },
  'AUTHORISED without a terminal result: reversed where the flow says so': async () => {
    const world = payments();
    world.simulator.faults.arm({ kind: 'power-cut-processing', ms: 0 });
    await world.sale({}, { lateApproval: 'reverse' });
    const { outcome, moneyMoved } = await told(world);
    assert.deepEqual([outcome, moneyMoved, world.bank.netMoved()], ['cancelled', 'no', 0]);
  },
  'a lost answer: the original is not sent again': async () => {
    const world = payments();
    world.simulator.faults.arm({ kind: 'answer-lost', match: POST });
    await world.sale();
    assert.equal((await told(world)).outcome, 'approved');
    assert.deepEqual([world.started, world.bank.charges().length], [['sale'], 1]);
  },
  'a terminal may take 340 seconds: it is waited for': async () => {
    const world = payments({ simulator: { cardholder: 'none' } });
    world.simulator.faults.arm({ kind: 'gateway-answer-lost' });
    await world.sale();
    await world.clock.advance(25 * SECOND);
    world.terminal.presentCard();
    assert.equal((await told(world)).outcome, 'approved');
  },
  'reversals are retried': async () => {
    const { world, payload } = await retried('POST /reversal', '/reversal', (originalGuid) => {
      return { operation: 'reversal', body: { originalGuid } };
    });
    assert.deepEqual([payload.outcome, payload.moneyMoved, world.bank.netMoved()], ['refunded', 'yes', 0]);
  },
  'captures are retried': async () => {
    const { world, payload } = await retried('POST /preauthorization/capture', '/capture', (originalGuid) => {
      return { operation: 'preauthorization/capture', body: { originalGuid, capturedAmount: '9.00', currency: 'EUR' } };
    });
    assert.deepEqual([payload.outcome, payload.moneyMoved, world.bank.netMoved()], ['approved', 'yes', 900]);
  },
  'tips are retried': async () => {
    const { world, payload } = await retried(
      'POST /transactions/tip-adjustment',
      '/tip-adjustment',
      (transactionID) => {
        return { operation: 'tip-adjustment', body: { transactionID, amount: '2.00', currency: 'EUR' } };
      },
    );
    assert.deepEqual([payload.outcome, payload.moneyMoved, world.bank.netMoved()], ['approved', 'yes', 1200]);
  },
  'a close of the open batch is not retried: it would close the next one': async () => {
    const world = payments({ simulator: { merchants: [{ demo: false, keys: [DEFAULT_KEY] }] } });
    await world.after(world.sale());
    world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /batch/close' } });
    const body = { serialNumber: '10000001', deviceType: 'SIMULATEDT1' };
    const { outcome, result } = await world.after(world.backOffice({ operation: 'batch/close', body }));
    assert.deepEqual([outcome, result.netAmount, requests(world, '/batch/close').length], ['completed', '10.00', 1]);
  },
  'increases add up: compared with the hold, never sent again': async () => {
    const world = payments();
    const hold = world.sale({ operation: 'preAuthorization', amount: '10000' });
    const { transactionId: originalGuid, reference: originalReference } = await world.after(hold);
    world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /preauthorization/increase' } });
    const body = { originalGuid, increaseAmount: '5.00' };
    const asked = world.backOffice({ operation: 'preauthorization/increase', body, originalReference });
    assert.equal((await world.after(asked)).outcome, 'approved');
    assert.deepEqual([requests(world, '/preauthorization').length, world.bank.netHeld()], [1, 10_500]);
  },
});

/** A follow-up whose first answer was lost, and which was sent a second time. */
async function retried(endpoint: string, path: string, order: (original: string) => BackOfficeOrder) {
  const world = payments();
  const operation = path === '/capture' ? 'preAuthorization' : 'sale';
  const { transactionId, reference } = await world.after(world.sale({ operation }));
  // Lost at once: what is sent again begins within a minute of the first sending.
  world.simulator.faults.arm({ kind: 'broken-json', match: { endpoint } });
  const asked = { ...order(transactionId), originalReference: reference };
  const payload = await world.after(world.backOffice(asked));
  assert.equal(world.simulator.requests.latest().filter((request) => request.path.endsWith(path)).length, 2);
  return { world, payload };
}

async function retryOf(amount: string, options: Parameters<typeof payments>[0] = {}): Promise<string> {
  const world = payments(options);
  await world.sale({ amount });
  return (await told(world)).retry;
}

export const RETRIES = chapter('Retry policy', {
  'AUTHORISED: never': async () => assert.equal(await retryOf('1000'), 'never'),
  'PROCESSED: never': async () => {
    const world = payments();
    const money = { amount: undefined, currency: undefined };
    assert.equal((await world.after(world.sale({ operation: 'tokenizeCard', ...money }))).retry, 'never');
  },
  'REFUNDED: never': async () => {
    const world = payments();
    assert.equal((await world.after(world.sale({ operation: 'refund' }))).retry, 'never');
  },
  'CAPTURED: never': async () => {
    const world = payments();
    const hold = await world.after(world.sale({ operation: 'preAuthorization' }));
    const body = { originalGuid: hold.transactionId, capturedAmount: '10.00' };
    assert.equal((await world.after(world.backOffice({ operation: 'preauthorization/capture', body }))).retry, 'never');
  },
  'DECLINED: only after cardholder action': async () => assert.equal(await retryOf('3779'), 'after-cardholder'),
  'DECLINED by the gateway: only after a configuration fix': async () => {
    const world = payments();
    await world.sale({ merchantAuth: [{ externalId: 'NOBODY' }] });
    const { outcome, retry } = await told(world);
    assert.deepEqual([outcome, retry], ['declined', 'after-change']);
  },
  'FAILED: only after recovery has confirmed that nothing was charged': async () => {
    const world = payments({ callbacks: false });
    await world.sale({ amount: '3768' });
    await world.untilTold(2);
    assert.deepEqual(
      world.told.map(({ payload }) => [payload.outcome, payload.moneyMoved, payload.retry]),
      [
        ['failed', 'unknown', 'after-recovery'],
        ['failed', 'no', 'after-change'],
      ],
    );
    assert.ok(requests(world, '/transactions/').length > 0, 'the status service was not asked');
  },
  'UNDEFINED: only after recovery': async () => {
    const world = payments();
    world.simulator.faults.arm({ kind: 'power-cut-processing', ms: 0 });
    await world.sale();
    assert.equal((await told(world)).retry, 'after-recovery');
  },
  'CANCELLED: safe': async () => {
    assert.equal(await retryOf('1000', { simulator: { cardholder: 'none' } }), 'safe');
  },
  'PARTIAL_APPROVAL: never the full amount': async () => assert.equal(await retryOf('3757'), 'remainder-only'),
  'PARTIAL_APPROVAL: the partial is reversed on the basis of totalAmount': async () => {
    const world = payments();
    await world.sale({ amount: '3757' }, { partialApproval: 'reverse' });
    const { outcome, error } = await told(world);
    assert.deepEqual([outcome, error?.code, world.bank.netMoved()], ['cancelled', 'PARTIAL_APPROVAL_REVERSED', 0]);
  },
});
