import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../../src/core/base/seams.js';
import { BUSY, THROTTLED } from '../../../harness/approved-twice.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** The service answers the first attempts with 429, although it may have begun one of them. */
async function afterRefusals({
  attempts = 1,
  acceptedStop = 'ends' as 'ends' | 'too-late',
  reversal = 200,
  chainOf = (_place: number): unknown[] | undefined => undefined,
} = {}) {
  const references: string[] = [];
  const reversed: unknown[] = [];
  const send = async (request: HttpRequest): Promise<HttpAnswer> => {
    const body = JSON.parse(request.body ?? '{}');
    if (body.operation === 'sale') {
      references.push(body.transactionReference);
      if (references.length <= attempts) return THROTTLED;
    }
    if (request.url.endsWith('/reversal')) {
      reversed.push(body);
      const done = { issuerResponseCode: '00', reversalGuid: 'reversal' };
      return { status: reversal, body: JSON.stringify(reversal === 200 ? done : {}) };
    }
    const place = references.findIndex((reference) => request.url.includes(reference));
    const chain = chainOf(place);
    if (chain !== undefined) return { status: 200, body: JSON.stringify(chain) };
    return world.simulator.send(request);
  };
  const world: Payments = payments({ simulator: { cardholder: 'none', variants: { acceptedStop } }, engine: { send } });
  await world.sale({}, { busyWaitMs: 60_000 });
  return { ...world, references, reversed };
}

function call(
  world: Pick<Payments, 'callback'>,
  reference: string,
  finStatus: string,
  transactionID: string,
  totalAmount = finStatus === 'AUTHORISED' ? 1000 : 0,
) {
  return world.callback(reference, { transactionID, finStatus, totalAmount });
}

test('the callback of an attempt that was refused for now is the result of the operation', async () => {
  const world = await afterRefusals({ attempts: 9 });
  await world.clock.advance(1500);
  const [first = ''] = world.references;
  assert.equal(world.references.length, 2);
  assert.equal(await call(world, first, 'AUTHORISED', 'one'), 'taken');
  await world.clock.advance(60_000);
  assert.deepEqual(
    world.told.map(({ exit, payload }) => [exit, payload.outcome, payload.reference, payload.transactionId]),
    [['done', 'approved', first, 'one']],
  );
  assert.equal(world.references.length, 2, 'no further attempt');
});

test('a later attempt that was charged too is reversed once, and the flow is told so', async () => {
  const world = await afterRefusals({ acceptedStop: 'too-late' });
  await world.clock.advance(10_000);
  const [first = '', second = ''] = world.references;
  assert.equal(await call(world, first, 'AUTHORISED', 'one'), 'taken');
  assert.equal(world.told.length, 0, 'the later attempt may charge as well');
  assert.equal(await call(world, second, 'AUTHORISED', 'two'), 'taken');
  await world.clock.advance(60_000);
  assert.deepEqual(world.reversed, [{ originalGuid: 'two' }]);
  assert.deepEqual(
    world.told.map(({ exit, payload }) => [exit, payload.outcome, payload.error?.code, payload.transactionId]),
    [['done', 'approved', 'SECOND_ATTEMPT_REVERSED', 'one']],
  );
  assert.equal(world.told[0]?.payload.reference, first);
});

const TWO = { transactionID: 'two', type: 'SALE', finStatus: 'AUTHORISED', totalAmount: 1000 };

for (const { name, transactionId, shown, code } of [
  { name: 'is reversed once, and callback-in hears so', transactionId: 'two', code: 'SECOND_ATTEMPT_REVERSED' },
  {
    name: 'and names no transaction is reversed as the status service names it',
    transactionId: '',
    shown: [TWO],
    code: 'SECOND_ATTEMPT_REVERSED',
  },
  { name: 'and nobody names is for a person to look at', transactionId: '', shown: [], code: 'REVERSAL_UNPROVEN' },
]) {
  test(`of two earlier attempts that were charged, the one that the flow is not told of ${name}`, async () => {
    const charged = { isShown: false };
    const chainOf = (place: number): unknown[] | undefined => (charged.isShown && place === 1 ? shown : undefined);
    const world = await afterRefusals({ attempts: 2, chainOf });
    await world.clock.advance(10_000);
    const [first = '', second = ''] = world.references;
    await call(world, first, 'AUTHORISED', 'one');
    await call(world, second, 'AUTHORISED', transactionId);
    charged.isShown = true;
    await world.clock.advance(180_000);
    assert.deepEqual(
      world.told.map(({ exit, payload }) => [exit, payload.outcome, payload.error?.code, payload.transactionId]),
      [['done', 'approved', undefined, 'one']],
    );
    assert.deepEqual(world.reversed, shown?.length === 0 ? [] : [{ originalGuid: 'two' }]);
    assert.deepEqual(
      world.late().map(([, , alarm]) => alarm),
      [code],
    );
  });
}

test('a terminal that cancels what it has approved does not prove that it went back: the reversal does', async () => {
  const world = await afterRefusals({ acceptedStop: 'too-late', reversal: 500 });
  await world.clock.advance(10_000);
  const [first = '', second = ''] = world.references;
  await call(world, first, 'AUTHORISED', 'one');
  await call(world, second, 'AUTHORISED', 'two');
  await world.clock.advance(1000);
  await call(world, second, 'CANCELLED', 'two');
  const { exit, payload } = await world.untilTold();
  assert.ok(world.reversed.length > 1, 'it is asked for until it is answered');
  assert.deepEqual([exit, payload.error?.code], ['needs-attention', 'REVERSAL_UNPROVEN']);
});

test('what a terminal takes back after it did not know the outcome is waited for, before the rest is called charged', async () => {
  const sale = { transactionID: 'two', type: 'SALE', finStatus: 'REFUNDED', totalAmount: 1000 };
  const reversal = { ...sale, transactionID: 'back', type: 'REVERSAL', originalEFTTransactionID: 'two' };
  let chain: unknown[] = [sale];
  const world = await afterRefusals({ chainOf: (place) => (place === 1 ? chain : undefined) });
  await world.clock.advance(10_000);
  const [, second = ''] = world.references;
  await call(world, second, 'UNDEFINED', 'two');
  await world.clock.advance(20_000);
  await call(world, second, 'CANCELLED', 'two');
  await world.clock.advance(14_000);
  assert.deepEqual(world.told, [], 'the status service need not show yet what went back just now');
  chain = [sale, reversal];
  const { exit, payload } = await world.untilTold();
  assert.deepEqual([exit, payload.outcome, payload.moneyMoved], ['not-done', 'cancelled', 'no']);
});

test('an earlier attempt that was approved with ten times the amount needs attention', async () => {
  const world = await afterRefusals();
  await world.clock.advance(10_000);
  const [first = ''] = world.references;
  await call(world, first, 'AUTHORISED', 'one', 10_000);
  await world.clock.advance(60_000);
  assert.deepEqual(
    world.told.map(({ exit, payload }) => [exit, payload.outcome, payload.error?.code, payload.amount?.minor.total]),
    [['needs-attention', 'approved', 'AMOUNT_DIFFERS', 10_000]],
  );
});

test('a later attempt is stopped once an earlier one is approved, and its cancellation leaves the approval', async () => {
  const world = await afterRefusals();
  await world.clock.advance(10_000);
  const [first = ''] = world.references;
  await call(world, first, 'AUTHORISED', 'one');
  await world.clock.advance(60_000);
  assert.deepEqual(
    world.told.map(({ exit, payload }) => [exit, payload.outcome, payload.error?.code, payload.transactionId]),
    [['done', 'approved', undefined, 'one']],
  );
  assert.deepEqual(world.reversed, []);
});

test('a decline of an earlier attempt closes that attempt alone', async () => {
  const world = await afterRefusals();
  await world.clock.advance(10_000);
  const [first = '', second = ''] = world.references;
  assert.equal(await call(world, first, 'DECLINED', 'one'), 'taken');
  assert.equal(world.told.length, 0);
  assert.equal(await call(world, second, 'AUTHORISED', 'two'), 'taken');
  assert.deepEqual(
    world.told.map(({ payload }) => [payload.outcome, payload.transactionId]),
    [['approved', 'two']],
  );
});

const FOUND: HttpAnswer = {
  status: 200,
  body: JSON.stringify([{ transactionID: 'one', finStatus: 'AUTHORISED', totalAmount: 1000 }]),
};

/** Every attempt is refused as busy; the status service answers as given. */
async function alwaysBusy(status: HttpAnswer | undefined, busyWaitMs: number) {
  const sent: string[] = [];
  const asked: string[] = [];
  const world: Payments = payments({
    engine: {
      send: async (request) => {
        const body = JSON.parse(request.body ?? '{}');
        if (body.operation === 'sale') {
          sent.push(body.transactionReference);
          return BUSY;
        }
        const reference = sent.find((one) => request.url.includes(one));
        if (reference === undefined) return world.simulator.send(request);
        asked.push(reference);
        return status ?? world.simulator.send(request);
      },
    },
  });
  await world.sale({}, { busyWaitMs });
  return { ...world, sent, asked };
}

test('an unreadable result of an earlier attempt leaves "not done" an open question', async () => {
  const world = await afterRefusals();
  await world.clock.advance(10_000);
  const [first = '', second = ''] = world.references;
  assert.equal(await call(world, first, 'NO_SUCH_WORD', 'one'), 'taken');
  assert.equal(await call(world, second, 'DECLINED', 'two'), 'taken');
  await world.clock.advance(3 * 24 * 3_600_000);
  assert.ok(world.told.length > 0);
  for (const { payload } of world.told) assert.equal(payload.moneyMoved, 'unknown', payload.outcome);
});

test('an earlier attempt whose outcome is unknown at first, and declined in the end, leaves no question', async () => {
  const world = await afterRefusals();
  await world.clock.advance(10_000);
  const [first = '', second = ''] = world.references;
  await call(world, first, 'UNDEFINED', 'one');
  await call(world, first, 'DECLINED', 'one');
  assert.equal(await call(world, second, 'DECLINED', 'two'), 'taken');
  assert.deepEqual(
    world.told.map(({ payload }) => [payload.outcome, payload.final]),
    [['declined', true]],
  );
});

test('every attempt is asked for before the flow is told that the terminal is busy', async () => {
  const world = await alwaysBusy(undefined, 40_000);
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.outcome, payload.error?.code], ['refused', '1001']);
  assert.ok(world.sent.length > 1);
  assert.deepEqual([...new Set(world.asked)].sort(), [...world.sent].sort());
});

test('no other attempt is sent once the status service knows one that was refused as busy', async () => {
  const world = await alwaysBusy(FOUND, 60_000);
  await world.clock.advance(90_000);
  assert.equal(world.sent.length, 1);
  const { payload } = await world.untilTold();
  assert.notEqual(payload.moneyMoved, 'no');
});

test('a status service that does not answer leaves "busy" an open question', async () => {
  const world = await alwaysBusy({ status: 500, body: '' }, 0);
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.outcome, payload.final], ['unknown', false]);
  assert.equal(world.sent.length, 1);
});

for (const { name, answer } of [
  { name: '429', answer: THROTTLED },
  { name: '1001', answer: BUSY },
]) {
  test(`an attempt whose own approval comes before its answer ${name} has begun: no other follows`, async () => {
    const sent: string[] = [];
    const send = async (request: HttpRequest): Promise<HttpAnswer> => {
      const { operation, transactionReference } = JSON.parse(request.body ?? '{}');
      if (operation !== 'sale') return world.simulator.send(request);
      // After the first 429 what became of that attempt has to be asked before an approval is told.
      if (sent.push(transactionReference) > 1) await call(world, transactionReference, 'AUTHORISED', 'two');
      return sent.length === 1 ? THROTTLED : answer;
    };
    const world: Payments = payments({ engine: { send } });
    await world.sale({}, { busyWaitMs: 60_000 });
    const { payload } = await world.untilTold();
    assert.deepEqual([payload.outcome, payload.reference, payload.transactionId], ['approved', sent[1], 'two']);
    await world.clock.advance(60_000);
    assert.equal(sent.length, 2);
    assert.equal(world.told.length, 1);
  });
}
