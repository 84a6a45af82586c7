import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../../src/core/base/seams.js';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import type { SimulatorOptions } from '../../../../src/simulator/index.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** An answer of the back office that is about another transaction proves nothing of this one: its chain decides. */

const OTHER = '11111111-1111-4111-8111-111111111111';
const THIRD = '22222222-2222-4222-8222-222222222222';

type Body = Record<string, unknown>;

interface Answering {
  /** Whether the service does what it is asked for. */
  isDone?: boolean;
  variants?: SimulatorOptions['variants'];
}

/** From `bend` on the answers of an endpoint are replaced; `answer` gets the true one. */
function bentAnswers({ isDone = true, variants = {} }: Answering = {}) {
  let bent: { endpoint: string; answer: (body: Body) => Body } | undefined;
  const world: Payments = payments({
    callbacks: false,
    simulator: { variants },
    engine: {
      send: async (request: HttpRequest): Promise<HttpAnswer> => {
        if (bent === undefined || !request.url.endsWith(bent.endpoint)) return world.simulator.send(request);
        const answer = isDone ? JSON.parse((await world.simulator.send(request)).body) : {};
        return 'error' in answer
          ? { status: 400, body: JSON.stringify(answer) }
          : { status: 200, body: JSON.stringify(bent.answer(answer)) };
      },
    },
  });
  const bend = (endpoint: string, answer: (body: Body) => Body): void => {
    bent = { endpoint, answer };
  };
  return { world, bend };
}

const idOf = async (told: Promise<ResultPayload>): Promise<string> => (await told).transactionId ?? '';

async function soldByToken(world: Payments, amount = '10.00'): Promise<string> {
  const { card } = await world.after(world.sale({ operation: 'tokenizeCard', amount: undefined, currency: undefined }));
  const body = { amount, currency: 'EUR', cardToken: card.token ?? '' };
  const id = await idOf(world.after(world.backOffice({ operation: 'moto/sale', body })));
  await world.clock.advance(20_000);
  return id;
}

async function held(world: Payments): Promise<string> {
  const id = await idOf(world.after(world.sale({ operation: 'preAuthorization' })));
  await world.clock.advance(20_000);
  return id;
}

const saidOf = ({ outcome, moneyMoved, source }: ResultPayload) => [outcome, moneyMoved, source];

test('a reversal that is answered with that of another sale, and was not done, is not told as refunded', async () => {
  const { world, bend } = bentAnswers({ isDone: false });
  const original = await idOf(world.after(world.sale()));
  const other = await idOf(world.after(world.sale()));
  await world.clock.advance(20_000);
  const about = { originalGuid: other, authorizationGuid: other, reversalGuid: THIRD };
  bend('/reversal', () => ({ httpStatus: 200, issuerResponseCode: '00', amount: '10.00', currency: 'EUR', ...about }));
  const payload = await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid: original } }));
  assert.deepEqual(saidOf(payload), ['not-charged', 'no', 'status']);
  assert.equal(world.bank.netMoved(), 2000);
});

test('a reversal that names the reference of another sale is not told as refunded, though it names the right payment', async () => {
  const { world, bend } = bentAnswers({ isDone: false });
  const original = await idOf(world.after(world.sale()));
  const { reference } = await world.after(world.sale());
  await world.clock.advance(20_000);
  const about = { originalGuid: original, reversalGuid: THIRD, transactionReference: reference };
  bend('/reversal', () => ({ httpStatus: 200, issuerResponseCode: '00', ...about }));
  const payload = await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid: original } }));
  assert.deepEqual(saidOf(payload), ['not-charged', 'no', 'status']);
});

test('a reversal that is answered about another sale, and was done, is told by its chain', async () => {
  const { world, bend } = bentAnswers();
  const original = await idOf(world.after(world.sale()));
  await world.clock.advance(20_000);
  bend('/reversal', (body) => ({ ...body, originalGuid: OTHER, authorizationGuid: OTHER }));
  const payload = await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid: original } }));
  assert.deepEqual(saidOf(payload), ['refunded', 'yes', 'status']);
  assert.equal(world.bank.netMoved(), 0);
});

const AMOUNT = { amount: '10.00', currency: 'EUR' };
const BY_TOKEN: [endpoint: string, answer: Body, order: (originalGuid: string) => BackOfficeOrder][] = [
  [
    '/moto/refund',
    { guid: THIRD },
    (originalGuid) => ({ operation: 'moto/refund', body: { originalGuid, ...AMOUNT } }),
  ],
  [
    '/moto/reversal',
    { guid: THIRD, issuerResponseCode: '00' },
    (originalGuid) => ({ operation: 'moto/reversal', body: { originalGuid, ...AMOUNT } }),
  ],
];

for (const [endpoint, answer, order] of BY_TOKEN) {
  test(`${endpoint} that is answered about another sale, and did nothing, is not told as refunded`, async () => {
    const { world, bend } = bentAnswers({ isDone: false });
    const original = await soldByToken(world);
    bend(endpoint, () => ({ httpStatus: 200, ...AMOUNT, ...answer, originalGuid: OTHER }));
    const payload = await world.after(world.backOffice(order(original)));
    assert.deepEqual(saidOf(payload), ['not-charged', 'no', 'status']);
    assert.equal(world.bank.netMoved(), 1000);
  });

  test(`${endpoint} that is answered with the id of the sale itself, and did nothing, is not told as refunded`, async () => {
    const { world, bend } = bentAnswers({ isDone: false });
    const original = await soldByToken(world);
    bend(endpoint, () => ({
      httpStatus: 200,
      ...AMOUNT,
      ...answer,
      guid: original.toUpperCase(),
      originalGuid: original,
    }));
    const payload = await world.after(world.backOffice(order(original)));
    assert.deepEqual(saidOf(payload), ['not-charged', 'no', 'status']);
  });

  test(`${endpoint} that is answered about no payment, or in capitals, is told as it is answered`, async () => {
    for (const name of ['', 'upper', '00000000-0000-0000-0000-000000000000']) {
      const { world, bend } = bentAnswers();
      const original = await soldByToken(world);
      bend(endpoint, (body) => ({ ...body, originalGuid: name === 'upper' ? original.toUpperCase() : name }));
      const payload = await world.after(world.backOffice(order(original)));
      assert.deepEqual(saidOf(payload), ['refunded', 'yes', 'answer']);
    }
  });
}

test('a release that is answered with the id of the hold as its own, and was not done, is not told as released', async () => {
  const { world, bend } = bentAnswers({ isDone: false });
  const hold = await held(world);
  bend('/reversal', () => ({ httpStatus: 200, issuerResponseCode: '00', reversalGuid: hold, originalGuid: hold }));
  const payload = await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid: hold } }));
  assert.deepEqual(saidOf(payload), ['not-charged', 'no', 'status']);
  assert.equal(world.bank.netHeld(), 1000);
});

test('a reversal that is answered with the id of the capture of another till proves nothing', async () => {
  const { world, bend } = bentAnswers({ isDone: false });
  const hold = await held(world);
  const captureId = world.simulator.other.capture(hold, 800);
  await world.clock.advance(20_000);
  bend('/reversal', () => ({ httpStatus: 200, issuerResponseCode: '00', reversalGuid: captureId, originalGuid: hold }));
  const { outcome, moneyMoved } = await world.after(
    world.backOffice({ operation: 'reversal', body: { originalGuid: hold } }),
  );
  assert.deepEqual([outcome, moneyMoved], ['unknown', 'unknown']);
  assert.equal(world.bank.netMoved(), 800);
});

const capture = (originalGuid: string): BackOfficeOrder => ({
  operation: 'preauthorization/capture',
  body: { originalGuid, capturedAmount: '8.00', currency: 'EUR' },
});

const AUTHORISED = { httpStatus: 200, finStatus: 'AUTHORISED', transactionID: THIRD };

for (const [what, about] of [
  ['about another hold', { originalEFTTransactionID: OTHER, preAuthorizationGuid: OTHER }],
  ['as an increase', { type: 'PRE_AUTHORIZATION_INCREASE' }],
] as const) {
  test(`a capture that is answered ${what}, and was not done, is not told as approved`, async () => {
    const { world, bend } = bentAnswers({ isDone: false });
    const hold = await held(world);
    bend('/capture', () => ({ ...AUTHORISED, type: 'PRE_AUTHORIZATION_CAPTURE', ...about }));
    const payload = await world.after(world.backOffice(capture(hold)));
    assert.deepEqual(saidOf(payload), ['not-charged', 'no', 'status']);
    assert.equal(world.bank.netHeld(), 1000);
  });
}

test('a change of another hold is not told as that of this one', async () => {
  const { world, bend } = bentAnswers({ isDone: false });
  const hold = await held(world);
  bend('/increase', () => ({ ...AUTHORISED, originalEFTTransactionID: OTHER, holdAmount: '12.00', currency: 'EUR' }));
  const more = { originalGuid: hold, increaseAmount: '2.00', currency: 'EUR' };
  const payload = await world.after(world.backOffice({ operation: 'preauthorization/increase', body: more }));
  assert.deepEqual(saidOf(payload), ['not-charged', 'no', 'status']);
});

test('a capture that names the increase before it, and the reversal of a capture that names its hold, are told as they are answered', async () => {
  const { world, bend } = bentAnswers({ variants: { captureOriginal: 'increase' } });
  const hold = await held(world);
  const more = { originalGuid: hold, increaseAmount: '2.00', currency: 'EUR' };
  await world.after(world.backOffice({ operation: 'preauthorization/increase', body: more }));
  bend('/capture', ({ preAuthorizationGuid: _, ...body }) => body);
  const captured = await world.after(world.backOffice(capture(hold)));
  assert.deepEqual(saidOf(captured), ['approved', 'yes', 'answer']);
  bend('/reversal', (body) => ({ ...body, originalGuid: hold, originalEFTTransactionID: hold }));
  const originalGuid = captured.transactionId ?? '';
  const reversed = await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid } }));
  assert.deepEqual(saidOf(reversed), ['refunded', 'yes', 'answer']);
});

/** A service that gives the first answer of an endpoint again, and does nothing for it. */
function repeating(path: string, change = (body: Record<string, unknown>): object => body): Payments {
  let first: HttpAnswer | undefined;
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async (request: HttpRequest): Promise<HttpAnswer> => {
        if (!request.url.endsWith(path)) return world.simulator.send(request);
        if (first !== undefined) return first;
        const { status, body } = await world.simulator.send(request);
        first = { status, body: JSON.stringify(change(JSON.parse(body))) };
        return first;
      },
    },
  });
  return world;
}

test('a second refund of a part that is answered with the first one, and was not done, is not told as refunded', async () => {
  const world = repeating('/moto/refund');
  const originalGuid = await soldByToken(world);
  const part = { operation: 'moto/refund', body: { originalGuid, amount: '4.00', currency: 'EUR' } } as const;
  assert.deepEqual(saidOf(await world.after(world.backOffice(part))), ['refunded', 'yes', 'answer']);
  await world.clock.advance(20_000);
  assert.deepEqual(saidOf(await world.after(world.backOffice(part))), ['not-charged', 'no', 'status']);
  assert.equal(world.bank.netMoved(), 600);
});

test('a sale by token that is answered with an earlier one, and was not done, is not told as approved', async () => {
  const withoutReference = ({ transactionReference: _, ...body }: Record<string, unknown>): object => body;
  const world = repeating('/moto/sale', withoutReference);
  await soldByToken(world);
  const body = { amount: '10.00', currency: 'EUR', cardToken: 'the same' };
  const payload = await world.after(world.backOffice({ operation: 'moto/sale', body }));
  assert.deepEqual(saidOf(payload), ['not-charged', 'no', 'status']);
});

test('a payment by token that never arrived is not told as approved by the record of another reference', async () => {
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async (request: HttpRequest): Promise<HttpAnswer> => {
        if (request.url.endsWith('/moto/sale')) return { status: 502, body: '' };
        const entry = { transactionID: THIRD, type: 'MOTO_SALE', finStatus: 'AUTHORISED', totalAmount: 1000 };
        return request.url.includes('/status/')
          ? { status: 200, body: JSON.stringify([{ ...entry, currency: 'EUR', transactionReference: OTHER }]) }
          : world.simulator.send(request);
      },
    },
  });
  const body = { amount: '10.00', currency: 'EUR', cardToken: 't' };
  const payload = await world.after(world.backOffice({ operation: 'moto/sale', body }));
  assert.deepEqual([payload.outcome, payload.moneyMoved, payload.final], ['unknown', 'unknown', false]);
});

test('the token of another payment is not handed to the flow', async () => {
  const { world, bend } = bentAnswers();
  const transactionID = await idOf(world.after(world.sale()));
  bend('/token', (body) => ({ ...body, transactionReference: OTHER }));
  const payload = await world.after(world.backOffice({ operation: 'token', body: { transactionID } }));
  assert.deepEqual([payload.outcome, payload.moneyMoved, payload.card.token], ['failed', 'no', undefined]);
});

for (const named of ['its id in capitals', 'the reference of its chain', 'nothing'] as const) {
  test(`a token that names ${named} is handed to the flow`, async () => {
    const { world, bend } = bentAnswers();
    const { transactionId: transactionID = '', reference = '' } = await world.after(world.sale());
    const names = {
      'its id in capitals': transactionID.toUpperCase(),
      'the reference of its chain': reference,
      nothing: '',
    };
    bend('/token', (body) => ({ ...body, transactionReference: names[named] }));
    const payload = await world.after(world.backOffice({ operation: 'token', body: { transactionID } }));
    assert.deepEqual([payload.outcome, typeof payload.card.token], ['completed', 'string']);
  });
}
