import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approvedTwice, THROTTLED } from '../../../harness/approved-twice.js';
import { type Payments, payments } from '../../../harness/payments.js';
import { NOT_FOUND } from '../../../harness/two-attempts.js';

/** What was told contradicts what one attempt posts later, and another attempt charges as well: each is heard, once. */

const ACCEPTED = { status: 202, body: JSON.stringify({ statusMessage: 'ok', transactionResultId: '10000001-1' }) };

const codes = (world: Payments) => world.late().map(([, , code]) => code);

/** The terminal takes back what the flow was told of. */
function takeBack(world: Payments) {
  const { reference = '', transactionId } = world.told[0]?.payload ?? {};
  return world.callback(reference, {
    transactionID: transactionId,
    finStatus: 'DECLINED',
    recoveredTransaction: true,
  });
}

test('a told approval that its terminal takes back is one alarm', async () => {
  const { world } = await approvedTwice();
  assert.equal(await takeBack(world), 'taken');
  assert.equal(await takeBack(world), 'taken');
  await world.clock.advance(60_000);
  assert.deepEqual(codes(world), ['CONTRADICTED']);
});

test('a told approval that its terminal takes back is an alarm, also after a second charge went back', async () => {
  const { world, call } = await approvedTwice();
  assert.equal(await call(), 'taken');
  await world.clock.advance(60_000);
  assert.equal(await takeBack(world), 'taken');
  assert.equal(await takeBack(world), 'taken');
  await world.clock.advance(60_000);
  assert.deepEqual(codes(world), ['SECOND_ATTEMPT_REVERSED', 'CONTRADICTED']);
});

test('a told approval that its terminal takes back while a second charge goes back is an alarm', async () => {
  const { world, call } = await approvedTwice({ reversal: 500 });
  assert.equal(await call(), 'taken');
  await world.clock.advance(1000);
  assert.equal(await takeBack(world), 'taken');
  await world.clock.advance(600_000);
  assert.deepEqual(codes(world), ['CONTRADICTED', 'REVERSAL_UNPROVEN']);
});

test('a second charge after a told approval that its terminal took back is left to a person', async () => {
  const { world, reversed, call } = await approvedTwice();
  await takeBack(world);
  assert.equal(await call(), 'taken');
  assert.equal(await call(), 'taken');
  await world.clock.advance(600_000);
  assert.deepEqual(codes(world), ['CONTRADICTED', 'REVERSAL_UNPROVEN']);
  assert.deepEqual(reversed, []);
});

/** The first attempt is answered 429, and the second one is declined: the flow is told so. */
async function declinedTwice() {
  const references: string[] = [];
  const world: Payments = payments({
    simulator: { cardholder: 'none' },
    engine: {
      send: async (request) => {
        const body = JSON.parse(request.body ?? '{}');
        if (body.operation === 'sale') return references.push(body.transactionReference) === 1 ? THROTTLED : ACCEPTED;
        if (request.url.includes('/transaction-result')) return { status: 204, body: '' };
        return request.url.includes('/status') ? NOT_FOUND : world.simulator.send(request);
      },
    },
  });
  await world.sale({}, { busyWaitMs: 60_000 });
  await world.clock.advance(5000);
  const [one = '', two = ''] = references;
  await world.callback(two, { transactionID: 'two', finStatus: 'DECLINED' });
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.outcome, payload.final], ['declined', true]);
  const approve = (reference: string, transactionID: string) =>
    world.callback(reference, { transactionID, finStatus: 'AUTHORISED', totalAmount: 1000 });
  return { world, one, two, approve };
}

test('a second charge after a contradicted "no" is heard too', async () => {
  const { world, one, two, approve } = await declinedTwice();
  await approve(one, 'one');
  await approve(one, 'one');
  await world.clock.advance(60_000);
  assert.deepEqual(codes(world), ['CONTRADICTED']);
  await approve(two, 'two-b');
  await approve(two, 'two-b');
  await approve(one, 'one');
  await world.clock.advance(600_000);
  assert.deepEqual(codes(world), ['CONTRADICTED', 'REVERSAL_UNPROVEN']);
});

test('the charges of a contradicted "no" are heard once, whatever process hears them', async () => {
  const { world, one, two, approve } = await declinedTwice();
  await approve(one, 'one');
  await world.engine.stop();
  world.engine = world.createEngine({ send: async () => NOT_FOUND });
  world.connect(world.engine);
  await world.engine.start();
  await approve(one, 'one');
  await approve(two, 'two-b');
  await world.clock.advance(60_000);
  assert.deepEqual(codes(world).filter(Boolean), ['CONTRADICTED', 'REVERSAL_UNPROVEN']);
});
