import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AcquirerGroup, FaultKind, Variants } from '../../src/simulator/index.js';
import { connected } from '../harness/connected.js';
import type { Json } from '../harness/simulated.js';

/** The back office where the description can be read in two ways, and answers that prove nothing. */

const EUR = 'EUR';
const DAY = 24 * 60 * 60 * 1000;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

test('knows no pre-authorisation by 3156 or by 5001', async () => {
  for (const [unknownId, uuid, malformed] of [
    ['by-shape', '3156', '5001'],
    ['3156', '3156', '3156'],
    ['5001', '5001', '5001'],
  ] as const) {
    const { post } = connected({ variants: { unknownId } });
    for (const [originalGuid, code] of [
      [UNKNOWN, uuid],
      ['none', malformed],
    ]) {
      const { json } = await post('/preauthorization/capture', { originalGuid, capturedAmount: '1.00' });
      assert.equal((json.error as { code: string }).code, code);
    }
  }
});

test('forbids with 400 or 403', async () => {
  for (const [holdRefusals, tooMuch, tooLittle] of [
    ['by-code', 400, 403],
    ['all-403', 403, 403],
    ['all-400', 400, 400],
  ] as const) {
    const { post, held } = connected({ variants: { holdRefusals } });
    const { transactionID: originalGuid } = await held();
    const capture = await post('/preauthorization/capture', { originalGuid, capturedAmount: '100.01' });
    const decrease = await post('/preauthorization/increase', {
      originalGuid,
      increaseAmount: '100.00',
      subtract: '1',
    });
    assert.deepEqual([capture.status, decrease.status], [tooMuch, tooLittle]);
  }
});

test('takes a currency with an increase, or not', async () => {
  for (const [increaseCurrency, status] of [
    ['refused', 422],
    ['accepted', 200],
  ] as const) {
    const { post, held } = connected({ variants: { increaseCurrency } });
    const { transactionID: originalGuid } = await held();
    const body = { originalGuid, increaseAmount: '1.00', currency: EUR };
    assert.equal((await post('/preauthorization/increase', body)).status, status);
  }
});

test('declines a MOTO sale with 200 or 400, and says so in a status or not', async () => {
  for (const [demo, variants, status, finStatus] of [
    [true, {}, 400, undefined],
    [false, {}, 200, undefined],
    [true, { motoDecline: '200', motoFinStatus: 'present' }, 200, 'DECLINED'],
    [false, { motoDecline: '400' }, 400, undefined],
  ] as const) {
    const merchants = [{ demo }];
    const cardholder = { card: { last4: '0002' } };
    const { post, stored, simulator } = connected({ merchants, cardholder, variants });
    const cardToken = await stored();
    const answer = await post('/moto/sale', { amount: '10.00', currency: EUR, cardToken });
    assert.deepEqual([answer.status, answer.json.finStatus], [status, finStatus]);
    assert.equal(simulator.bank.netMoved(), 0);
  }
});

test('refunds a sale of 91 days ago silently not at all, or does it', async () => {
  for (const [oldRefund, moved] of [
    ['not-done', 1000],
    ['done', 0],
  ] as const) {
    const { client, sold, clock, simulator } = connected({ variants: { oldRefund } });
    const { transactionID: originalGuid } = await sold();
    await clock.advance(91 * DAY);
    assert.equal((await client.moto.refund({ originalGuid, amount: '10.00', currency: EUR })).approved, true);
    assert.equal(simulator.bank.netMoved(), moved);
  }
});

test('takes a reference on a linked refund or reversal, or refuses it', async () => {
  for (const [linkedReference, status] of [
    ['accepted', 200],
    ['refused', 422],
  ] as const) {
    const { post, stored, newId } = connected({ variants: { linkedReference } });
    const money = { amount: '10.00', currency: EUR, transactionReference: newId() };
    const { json } = await post('/moto/sale', { ...money, cardToken: await stored() });
    const linked = { ...money, originalGuid: json.guid, transactionReference: newId() };
    assert.equal((await post('/moto/refund', { ...linked, amount: '1.00' })).status, status);
    const { json: other } = await post('/moto/sale', {
      ...money,
      transactionReference: newId(),
      cardToken: await stored(),
    });
    assert.equal((await post('/moto/reversal', { ...linked, originalGuid: other.guid })).status, status);
  }
});

test('adjusts tips in group S, or not', async () => {
  for (const [groupSTip, status] of [
    ['accepted', 200],
    ['refused', 400],
  ] as const) {
    const { post, sold } = connected({ merchants: [{ group: 'S' }], variants: { groupSTip } });
    const { transactionID } = await sold();
    assert.equal((await post(`/transactions/${transactionID}/tip-adjustment`, { amount: 1 })).status, status);
  }
});

test('voids Canadian debit, or wants a refund', async () => {
  const group: AcquirerGroup = 'S';
  const card = { scheme: 'INTERAC' } as const;
  for (const [canadianDebitVoid, moved] of [
    ['refused', 1000],
    ['accepted', 0],
  ] as const) {
    const world = connected({ merchants: [{ group }], cardholder: { card }, variants: { canadianDebitVoid } });
    const { transactionID: originalGuid } = await world.sold();
    const { status } = await world.post('/reversal', { originalGuid });
    assert.deepEqual([status, world.simulator.bank.netMoved()], [moved === 0 ? 200 : 400, moved]);
  }
});

test('says errors of batches flat or nested', async () => {
  const codeOf = async (variants: Partial<Variants>) => {
    const { post } = connected({ variants });
    const batch = { serialNumber: '10000001', deviceType: 'SIMULATEDT1', batchNumber: '123' };
    const { status, json } = await post('/batch/close', batch);
    assert.equal(status, 400);
    return json.error as { code?: string; details: { body?: { error: { errorCode: string } } } };
  };
  assert.equal((await codeOf({})).code, 'NO_TRANSACTIONS');
  const nested = await codeOf({ batchErrors: 'nested' });
  assert.deepEqual([nested.code, nested.details.body?.error.errorCode], [undefined, 'NO_TRANSACTIONS']);
});

interface OddCase {
  kind: FaultKind;
  path: (id: string) => string;
  body: (id: string, token: string) => Json;
  says: Json;
}

const money = { amount: '3.00', currency: EUR };
const motoSale = { path: () => '/moto/sale', body: (_: string, cardToken: string) => ({ ...money, cardToken }) };
const reversal = { path: () => '/reversal', body: (originalGuid: string) => ({ originalGuid }) };
const tip = { path: (id: string) => `/transactions/${id}/tip-adjustment`, body: () => ({ amount: 3 }) };

const ODD: OddCase[] = [
  { kind: 'moto-authorised-without-code', ...motoSale, says: { finStatus: 'AUTHORISED', approvalCode: '' } },
  {
    kind: 'moto-00-without-code',
    ...motoSale,
    says: { finStatus: undefined, issuerResponseCode: '00', approvalCode: '' },
  },
  { kind: 'moto-undefined-with-00', ...motoSale, says: { finStatus: 'UNDEFINED', issuerResponseCode: '00' } },
  { kind: 'body-empty', ...tip, says: { statusMessage: undefined } },
  { kind: 'body-foreign', ...tip, says: { hello: 1, statusMessage: undefined } },
  {
    kind: 'error-with-200',
    ...tip,
    says: { error: { statusCode: 500, name: 'InternalServerError', message: 'Internal error' } },
  },
  { kind: 'declined-with-200', ...tip, says: { finStatus: 'DECLINED' } },
  { kind: 'code-30-with-200', ...reversal, says: { issuerResponseCode: '30' } },
];

for (const { kind, path, body, says } of ODD) {
  for (const isDone of [true, false]) {
    test(`answers ${path('{id}')} with 200 and ${JSON.stringify(says)}, ${isDone ? 'done' : 'not done'}`, async () => {
      const { post, sold, stored, simulator } = connected();
      const { transactionID } = await sold();
      const token = await stored();
      simulator.faults.arm({ kind, isDone });
      const { status, json } = await post(path(transactionID), body(transactionID, token));
      assert.equal(status, 200);
      for (const [name, value] of Object.entries(says)) assert.deepEqual(json[name], value, name);
      const done = path('') === '/reversal' ? 0 : 1300;
      assert.equal(simulator.bank.netMoved(), isDone ? done : 1000);
    });
  }
}

test('leaves the status out of a capture, and the hold out of an increase, done or not', async () => {
  for (const isDone of [true, false]) {
    const { post, held, simulator } = connected();
    const { transactionID: originalGuid } = await held();
    simulator.faults.arm({ kind: 'increase-without-hold', isDone });
    const increase = await post('/preauthorization/increase', { originalGuid, increaseAmount: '10.00' });
    assert.deepEqual([increase.status, 'holdAmount' in increase.json], [200, false]);
    assert.equal(simulator.bank.netHeld(), isDone ? 11_000 : 10_000);
    simulator.faults.arm({ kind: 'capture-without-status', isDone });
    const capture = await post('/preauthorization/capture', { originalGuid, capturedAmount: '10.00' });
    assert.deepEqual([capture.status, 'finStatus' in capture.json], [200, false]);
    assert.equal(simulator.bank.netMoved(), isDone ? 1000 : 0);
  }
});

test('writes the code of the issuer as a number, which knows no leading zero', async () => {
  const { post, sold } = connected({ variants: { issuerCodes: 'number' } });
  const { transactionID: originalGuid } = await sold();
  assert.equal((await post('/reversal', { originalGuid })).json.issuerResponseCode, 0);
});

test('answers a reversal with what the one before it got, done or not', async () => {
  for (const isDone of [true, false]) {
    const { post, sold, simulator } = connected();
    const [first, second] = [await sold('1100'), await sold('1200')];
    const { json: before } = await post('/reversal', { originalGuid: first.transactionID });
    simulator.faults.arm({ kind: 'answer-of-another', isDone });
    const { json } = await post('/reversal', { originalGuid: second.transactionID });
    assert.deepEqual(json, before);
    assert.equal(simulator.bank.netMoved(), isDone ? 0 : 1200);
  }
});

test('answers the copy of a request: that it is done already, or 429 where it would add up, or the variant says so', async () => {
  const { post, sold, held, simulator } = connected();
  const { transactionID: originalGuid } = await sold('1100');
  simulator.faults.arm({ kind: 'answer-of-copy', times: 2 });
  const { status, json } = await post('/reversal', { originalGuid });
  assert.equal(status, 400);
  assert.match(JSON.stringify(json), /3051/);
  assert.equal(simulator.bank.netMoved(), 0);
  const { transactionID: hold } = await held();
  const increase = await post('/preauthorization/increase', { originalGuid: hold, increaseAmount: '10.00' });
  assert.deepEqual([increase.status, simulator.bank.netHeld()], [429, 11_000]);
  simulator.faults.arm({ kind: 'answer-of-copy', variant: 'status' });
  const reversal = await post('/reversal', { originalGuid: hold });
  assert.deepEqual([reversal.status, simulator.bank.netHeld()], [429, 0]);
});

test('adjusts a tip as ever where answers are mixed up: its answers name nothing', async () => {
  const { post, sold, simulator } = connected();
  const { transactionID } = await sold('1000');
  simulator.faults.arm({ kind: 'answer-of-another', isDone: false, times: 2 });
  for (const amount of [1, 3]) {
    const { json } = await post(`/transactions/${transactionID}/tip-adjustment`, { amount });
    assert.equal(json.statusMessage, 'Tip was adjusted');
  }
  assert.equal(simulator.bank.netMoved(), 1300);
});

test('names another original, or the original as the reversal itself', async () => {
  const { post, sold, simulator } = connected();
  const [first, second] = [await sold('1100'), await sold('1200')];
  simulator.faults.arm({ kind: 'answer-other-original' });
  const other = (await post('/reversal', { originalGuid: first.transactionID })).json;
  assert.notEqual(other.originalGuid, first.transactionID);
  assert.equal(other.authorizationGuid, other.originalGuid);
  simulator.faults.arm({ kind: 'answer-id-of-original' });
  const own = (await post('/reversal', { originalGuid: second.transactionID })).json;
  assert.deepEqual([own.reversalGuid, own.originalGuid], [second.transactionID, second.transactionID]);
  assert.equal(simulator.bank.netMoved(), 0);
});

test('captures half, and changes a hold by half, of what was asked for, and says so', async () => {
  const { post, held, simulator } = connected();
  const { transactionID: originalGuid } = await held();
  simulator.faults.arm({ kind: 'increase-took-less' });
  const increase = await post('/preauthorization/increase', { originalGuid, increaseAmount: '10.00' });
  assert.deepEqual([increase.json.increaseAmount, increase.json.holdAmount], ['5.00', '105.00']);
  simulator.faults.arm({ kind: 'capture-took-less' });
  const capture = await post('/preauthorization/capture', { originalGuid, capturedAmount: '10.00' });
  assert.equal(capture.json.capturedAmount, '5.00');
  assert.equal(simulator.bank.netMoved(), 500);
});

test('calls a batch open that it has closed', async () => {
  const { post, sold, simulator } = connected();
  const { transactionID: originalGuid } = await sold();
  const batch = { serialNumber: '10000001', deviceType: 'SIMULATEDT1', batchNumber: '123' };
  simulator.faults.arm({ kind: 'answer-batch-open' });
  assert.equal((await post('/batch/close', batch)).json.batchStatus, 'OPEN');
  assert.equal((await post('/reversal', { originalGuid })).status, 400);
});

test('leaves the token out of the answer about a stored card', async () => {
  const { get, sold, simulator } = connected();
  const { transactionID } = await sold();
  simulator.faults.arm({ kind: 'body-without-token' });
  const { status, json } = await get(`/transactions/${transactionID}/token`);
  assert.deepEqual([status, json.cardToken], [200, '']);
});

test('closes a batch, or does not, and says nothing of it', async () => {
  for (const isDone of [true, false]) {
    const { post, sold, simulator } = connected();
    const { transactionID: originalGuid } = await sold();
    const batch = { serialNumber: '10000001', deviceType: 'SIMULATEDT1', batchNumber: '123' };
    simulator.faults.arm({ kind: 'body-empty', isDone });
    assert.deepEqual((await post('/batch/close', batch)).json, {});
    assert.equal((await post('/reversal', { originalGuid })).status, isDone ? 400 : 200);
  }
});

test('keeps a refusal that an odd answer meets', async () => {
  const { post, simulator } = connected();
  simulator.faults.arm({ kind: 'body-empty' });
  assert.equal((await post('/reversal', { originalGuid: UNKNOWN })).status, 400);
});
