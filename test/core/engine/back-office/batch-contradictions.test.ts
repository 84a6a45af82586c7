import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerLostError } from '../../../../src/core/base/errors.js';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import { DEFAULT_KEY } from '../../../../src/simulator/index.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** Answers about a batch that contradict themselves, are about another batch, or say nothing. */

const TERMINAL = { serialNumber: '10000001', deviceType: 'SIMULATEDT1' };

interface Odd {
  /** What the service answers instead; its own answer where that is given back. Undefined: the answer is lost. */
  close?: (own: object) => object | undefined;
  summary?: (own: object) => object;
  /** Whether a close does what it is asked for. */
  arrives?: boolean;
}

/** A live merchant with one sale in batch 1, at a service that answers so. */
async function sold({ close, summary, arrives = true }: Odd): Promise<Payments> {
  const world: Payments = payments({
    simulator: { merchants: [{ demo: false, keys: [DEFAULT_KEY] }] },
    engine: {
      send: async (request) => {
        const odd = { close, summary }[request.url.split('/batch/')[1] ?? ''];
        if (odd === undefined) return world.simulator.send(request);
        const isLost = odd === close && !arrives;
        const own = isLost ? { status: 200, body: '{}' } : await world.simulator.send(request);
        if (own.status !== 200) return own;
        const body = odd(JSON.parse(own.body));
        if (body === undefined) throw new AnswerLostError('the connection broke');
        return { status: 200, body: JSON.stringify(body) };
      },
    },
  });
  await world.after(world.sale());
  return world;
}

const lost = (): undefined => undefined;

function ask(world: Payments, operation: 'batch/close' | 'batch/summary', batchNumber = '1'): Promise<ResultPayload> {
  const order: BackOfficeOrder = { operation, body: { ...TERMINAL, batchNumber } };
  return world.after(world.backOffice(order));
}

const told = ({ outcome, final, retry, batch, timeline }: ResultPayload) => [
  outcome,
  final,
  retry,
  batch,
  timeline.at(-1)?.event,
];

for (const [name, changes] of [
  ['beside the code of a decline', { issuerResponseCode: '05' }],
  ['beside the word that it is open', { batchStatus: 'OPEN' }],
  ['beside a status that cannot be read', { batchStatus: { closed: true } }],
  ['beside another HTTP status', { httpStatus: '500' }],
  ['beside an error', { error: { code: 'X', message: 'no' } }],
  ['with the number of another batch', { batchNumber: '6' }],
] as const) {
  test(`a close that was done, and answered ${name}, is looked up, and told as done`, async () => {
    const world = await sold({ close: (own) => ({ ...own, ...changes }) });
    const [outcome, final, , batch, last] = told(await ask(world, 'batch/close'));
    assert.deepEqual([outcome, final, batch, last], ['completed', true, '1', 'reconciled-done']);
  });

  test(`a close that was not done, and answered as done ${name}, is told as not done`, async () => {
    const closed = { httpStatus: '200', batchNumber: '1', issuerResponseCode: '00', closeBatchGuid: 'guid' };
    const world = await sold({ close: () => ({ ...closed, ...changes }), arrives: false });
    assert.deepEqual(told(await ask(world, 'batch/close')).slice(0, 3), ['not-charged', true, 'safe']);
  });
}

for (const [name, body] of [
  ['its proof alone', { closeBatchGuid: 'guid' }],
  ['its status alone', { batchStatus: 'CLOSED' }],
  [
    'empty fields',
    { httpStatus: '', batchNumber: '', issuerResponseCode: '', batchStatus: '', closeBatchGuid: 'guid', error: null },
  ],
  ['its number with zeros before it', { batchNumber: '0001', batchStatus: 'CLOSED' }],
  ['numbers that are no texts', { httpStatus: 200, batchNumber: 1, batchStatus: 'CLOSED' }],
] as const) {
  test(`a close that is answered with ${name} is done`, async () => {
    const world = await sold({ close: () => body });
    const [outcome, , , , last] = told(await ask(world, 'batch/close'));
    assert.deepEqual([outcome, last], ['completed', 'done']);
  });
}

const OTHER = { httpStatus: '200', batchNumber: '6', batchStatus: 'CLOSED', closedAt: '20260101120000000' };

for (const [name, summary] of [
  ['of another batch', () => OTHER],
  ['that is empty', () => ({})],
  ['that is an error', () => ({ httpStatus: '200', error: { code: 'X' } })],
  ['that is refused by the issuer', (own: object) => ({ ...own, issuerResponseCode: '05' })],
  ['that names no status', ({ batchStatus: _, closedAt: __, ...own }: Record<string, unknown>) => own],
  ['that names no number', ({ batchNumber: _, ...own }: Record<string, unknown>) => ({ ...own, batchStatus: 'OPEN' })],
  ['of an open batch with the time of its end', (own: object) => ({ ...own, batchStatus: 'OPEN', closedAt: '2026' })],
] as const) {
  for (const arrives of [true, false]) {
    test(`after lost answers a summary ${name} does not say whether the batch is closed: ${arrives ? 'it is' : 'it is not'}`, async () => {
      const world = await sold({ close: lost, summary: summary as Odd['summary'], arrives });
      const { outcome, error } = await ask(world, 'batch/close');
      // Where it was done, the close that is sent again says so.
      const expected = arrives ? ['completed', 'TOTALS_UNKNOWN'] : ['unknown', 'OUTCOME_UNKNOWN'];
      assert.deepEqual([outcome, error?.code], expected);
    });
  }
}

test('after a lost answer a summary with nothing but its status says that the batch is closed', async () => {
  const world = await sold({ close: lost, summary: () => ({ batchStatus: 'CLOSED' }) });
  const { outcome, error } = await ask(world, 'batch/close');
  assert.deepEqual([outcome, error], ['completed', undefined]);
});

test('a batch of which nobody can say that it is open is not the one that was closed', async () => {
  let asked = 0;
  // The first question is asked before the close is sent.
  const world = await sold({ close: lost, summary: (own) => (++asked === 1 ? {} : own) });
  const { outcome, error } = await world.after(world.backOffice({ operation: 'batch/close', body: TERMINAL }));
  assert.deepEqual([outcome, error?.code], ['unknown', 'BATCH_CLOSE_UNKNOWN']);
});

for (const [name, body] of [
  ['is empty', {}],
  ['says nothing of a batch', { httpStatus: '200', batchNumber: '', customerReference: {} }],
  ['is an error', { error: { statusCode: 500, code: 'X', message: 'bad' } }],
  ['is about another batch', { ...OTHER, netAmount: '999.00', transactionCount: '9' }],
] as const) {
  test(`a summary that ${name} is no answer`, async () => {
    const world = await sold({ summary: () => body });
    const { outcome, error, result } = await ask(world, 'batch/summary');
    assert.deepEqual([outcome, error?.code, result], ['failed', 'NOT_ANSWERED', {}]);
  });
}

test('a summary with nothing but its totals is an answer', async () => {
  const world = await sold({ summary: () => ({ transactionCount: '1', netAmount: '10.00' }) });
  const { outcome, result } = await ask(world, 'batch/summary');
  assert.deepEqual([outcome, result.netAmount], ['completed', '10.00']);
});
