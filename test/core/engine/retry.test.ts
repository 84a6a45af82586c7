import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RECOVERY_LIMIT, SECOND_LOOK, SETTLING_LAG } from '../../../src/core/base/timings.js';
import type { ResultPayload } from '../../../src/core/delivery/payload.js';
import { begin, stepTerminal } from '../../../src/core/lifecycle/terminal/lifecycle.js';
import { DEFAULT_KEY, type SimulatorOptions } from '../../../src/simulator/index.js';
import { DEFAULT_POLICIES, type Payments, payments } from '../../harness/payments.js';

/** What `retry` says once the whole payment client has asked the simulated service. */

type Merchant = NonNullable<SimulatorOptions['merchants']>[number];

function at(merchant: Merchant, options: Partial<SimulatorOptions> = {}): Payments {
  return payments({ simulator: { merchants: [{ keys: [DEFAULT_KEY], ...merchant }], ...options } });
}

const verdict = ({ outcome, moneyMoved, final, retry }: ResultPayload): unknown[] => [
  outcome,
  moneyMoved,
  final,
  retry,
];

async function soldByToken(world: Payments, amount: string): Promise<ResultPayload> {
  const { card } = await world.after(world.sale({ operation: 'saleAndTokenizeCard' }));
  const body = { amount, currency: 'EUR', cardToken: String(card.token) };
  return world.after(world.backOffice({ operation: 'moto/sale', body }));
}

for (const motoDecline of ['400', '200'] as const) {
  test(`a decline by token is not safe to try again (HTTP ${motoDecline})`, async () => {
    const world = payments({ simulator: { variants: { motoDecline } } });
    const payload = await soldByToken(world, '37.84');
    assert.deepEqual(verdict(payload), ['declined', 'no', true, 'after-cardholder']);
    assert.equal(payload.error?.code, '05');
    assert.equal(world.bank.netMoved(), 1000);
  });
}

test('a decline by token whose answer was lost is not safe to try again', async () => {
  const world = payments();
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /moto/sale' } });
  assert.deepEqual(verdict(await soldByToken(world, '37.84')), ['declined', 'no', true, 'after-cardholder']);
});

test('a token that does not work has to be changed first', async () => {
  const world = payments();
  const body = { amount: '1.00', currency: 'EUR', cardToken: 'unknown' };
  const payload = await world.after(world.backOffice({ operation: 'moto/sale', body }));
  assert.deepEqual([...verdict(payload), payload.error?.code], ['refused', 'no', true, 'after-change', '5252']);
});

test('a terminal that is not assigned has to be changed first', async () => {
  const world = payments();
  const payload = await world.after(world.sale({ serial_number: '99999999' }));
  assert.deepEqual([...verdict(payload), payload.error?.code], ['refused', 'no', true, 'after-change', '1004']);
});

test('a payment that was reversed already has to be looked at first', async () => {
  const world = payments();
  const { transactionId: originalGuid } = await world.after(world.sale());
  await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid } }));
  const again = await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid } }));
  assert.deepEqual([...verdict(again), again.error?.code], ['refused', 'no', true, 'after-change', '3051']);
});

test('a hold where holds are not enabled has to be changed first', async () => {
  const world = at({ capabilities: { preAuthAllowed: false } });
  const payload = await world.after(world.sale({ operation: 'preAuthorization' }));
  assert.deepEqual(verdict(payload), ['declined', 'no', true, 'after-change']);
});

test('storing a card where no token is to be had has to be changed first', async () => {
  const world = at({ capabilities: { cardTokenProvider: false } });
  const payload = await world.after(world.sale({ operation: 'saleAndTokenizeCard' }));
  assert.deepEqual(verdict(payload), ['declined', 'no', true, 'after-change']);
});

test('a decline at the terminal is up to the cardholder', async () => {
  const world = payments();
  assert.deepEqual(verdict(await world.after(world.sale({ amount: '3784' }))), [
    'declined',
    'no',
    true,
    'after-cardholder',
  ]);
});

const REMITTANCE = { moneyRemittanceOptions: { fullName: 'A B', countryCode: 'DEU' } };

test('a terminal that is offline is safe to try again; after a remittance its country may be wrong', async () => {
  const world = payments();
  world.terminal.goOffline();
  assert.deepEqual(verdict(await world.after(world.sale())), ['refused', 'no', true, 'safe']);
  const remitted = await world.after(world.sale(REMITTANCE));
  assert.deepEqual([...verdict(remitted), remitted.error?.code], ['refused', 'no', true, 'after-change', '1002']);
});

test('a batch that is closed already is not to be closed again', async () => {
  const world = at({ demo: false });
  await world.after(world.sale());
  const body = { serialNumber: '10000001', deviceType: 'SIMULATEDT1' };
  const { batch: batchNumber } = await world.after(world.backOffice({ operation: 'batch/close', body }));
  const close = world.backOffice({ operation: 'batch/close', body: { ...body, batchNumber } });
  const again = await world.after(close);
  assert.deepEqual([again.error?.code, ...verdict(again)], ['BATCH_ALREADY_CLOSED', 'refused', 'no', true, 'never']);
});

const LATEST = RECOVERY_LIMIT + SETTLING_LAG;

function retryAfter(...events: Parameters<typeof stepTerminal>[1][]): string | undefined {
  const lost = stepTerminal(begin('sale', DEFAULT_POLICIES, true, 0), { type: 'answer-lost' }, 0).state;
  return events.reduce(
    (state, event) => stepTerminal(state, event, 'askedAt' in event ? (event.askedAt ?? 0) : 0).state,
    lost,
  ).pending?.verdict.retry;
}

test('what the status service alone shows of a decline says who declined, too', () => {
  const declined = { type: 'gateway', meaning: 'declined', askedAt: LATEST } as const;
  assert.equal(retryAfter(declined), 'after-cardholder');
  assert.equal(retryAfter({ ...declined, needsChange: true }), 'after-change');
});

test('a failure of which there is no record is safe to try again, unless it needs a change', () => {
  const failed = { type: 'terminal', meaning: 'failed', via: 'poll' } as const;
  const none = { type: 'gateway', meaning: 'none', askedAt: LATEST } as const;
  const stillNone = { ...none, askedAt: LATEST + SECOND_LOOK };
  assert.equal(retryAfter(failed, none), undefined, 'a record may be missing from one answer');
  assert.equal(retryAfter(failed, none, stillNone), 'safe');
  assert.equal(retryAfter({ ...failed, needsChange: true }, none, stillNone), 'after-change');
});
