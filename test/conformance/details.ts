import assert from 'node:assert/strict';
import type { TransactionResult } from '../../src/core/api/schema/transaction-result.js';
import type { FaultKind, SimulatorOptions } from '../../src/simulator/index.js';
import { connected, TERMINAL } from '../harness/connected.js';
import { chapter, refused } from './row.js';

/** Smaller facts that are published about the service: defaults, reason codes, where a field is allowed too. */

const EUR = 'EUR';
const sale = { operation: 'sale', amount: '1000', currency: EUR } as const;
const merchantAuth = [{ acquirer: 'TSYS' as const, mid: '1' }];

/** The reason codes of a sale that the terminal took back by itself. */
async function reasonsOf(options: Partial<SimulatorOptions>, fault?: FaultKind, amount = '1000'): Promise<unknown[]> {
  const world = connected(options);
  if (fault !== undefined) world.simulator.faults.arm({ kind: fault });
  const result: TransactionResult = await world.perform({ ...sale, amount });
  assert.equal(world.simulator.bank.netMoved(), 0);
  return result.customFields?.map(({ value }) => value) ?? [];
}

/** The tip screen of a sale that gives nothing but percentages. */
async function tipScreen() {
  const world = connected({ cardholder: 'none' });
  const tipConfiguration = { tipPercentages: [10, 20] };
  await world.client.transactions.start({ ...TERMINAL, ...sale, tipConfiguration });
  return world.terminal;
}

export const DETAILS = chapter('Published details', {
  'tipConfiguration: header Tip, empty footer, own amount and skipping allowed by default': async () => {
    const { screen } = await tipScreen();
    assert.deepEqual(screen.tip, {
      percentages: [10, 20],
      enterAmount: true,
      skip: true,
      header: 'Tip',
      footer: '',
    });
  },
  'tipConfiguration: baseAmount is the amount by default': async () => {
    const tipConfiguration = { tipPercentages: [10] };
    assert.equal((await connected().sold('1000', { tipConfiguration })).result.tipAmount, 100);
    const ofHalf = { tipConfiguration: { ...tipConfiguration, baseAmount: '500' } };
    assert.equal((await connected().sold('1000', ofHalf)).result.tipAmount, 50);
  },
  'printReceipt: HTML, or the URL of a result’s receipt': async () => {
    const { perform, sold } = connected({ variants: { receipts: 'url' } });
    const { merchantReceipt = '' } = (await sold()).result;
    assert.match(merchantReceipt, /^http/);
    assert.equal((await perform({ operation: 'printReceipt', receipt: merchantReceipt })).finStatus, 'PROCESSED');
  },
  'a receipt’s URL can be opened': async () => {
    const { simulator, sold } = connected({ variants: { receipts: 'url' } });
    const { customerReceipt: url = '' } = (await sold()).result;
    const { status, body } = await simulator.send({ method: 'GET', url, headers: {}, timeoutMs: 1000 });
    assert.deepEqual([status, body.includes('10.00')], [200, true]);
  },
  'merchantAuth: on /moto/sale, /moto/refund, /moto/reversal': async () => {
    const { client, stored, simulator } = connected();
    const money = { amount: '5.00', currency: EUR, merchantAuth };
    const { guid: first = '' } = await client.moto.sale({ ...money, cardToken: await stored() });
    const { guid: second = '' } = await client.moto.sale({ ...money, cardToken: await stored() });
    await client.moto.refund({ ...money, originalGuid: first });
    await client.moto.reversal({ ...money, originalGuid: second });
    assert.equal(simulator.bank.netMoved(), 0);
  },
  'merchantAuth: on /preauthorization/capture and /preauthorization/increase': async () => {
    const { client, held, simulator } = connected();
    const { transactionID: originalGuid } = await held('1000');
    await client.preauthorization.increase({ originalGuid, increaseAmount: '5.00', merchantAuth });
    await client.preauthorization.capture({ originalGuid, capturedAmount: '15.00', merchantAuth });
    assert.equal(simulator.bank.netMoved(), 1500);
  },
  '429: TooManyRequestsError': async () => {
    const { client, simulator, newId } = connected();
    simulator.faults.arm({ kind: 'rate-limited' });
    const asked = client.transactions.start({ ...TERMINAL, ...sale, transactionReference: newId() });
    assert.equal((await refused(asked, undefined, 429)).serviceName, 'TooManyRequestsError');
  },
  '429: covers POST /transactions too': async () => {
    const world = connected({ requestsPerSecond: 2 });
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++) statuses.push((await world.post('/transactions', {})).status);
    assert.deepEqual(statuses, [422, 422, 429]);
  },
  '422: VALIDATION_FAILED, details with path, code, message, info': async () => {
    const { json } = await connected().post('/transactions', { ...TERMINAL, ...sale, amount: 1000 });
    const { code, details } = json.error as { code: string; details: Record<string, unknown>[] };
    assert.equal(code, 'VALIDATION_FAILED');
    assert.deepEqual(
      [Object.keys(details[0] ?? {}), details[0]?.path],
      [['path', 'code', 'message', 'info'], '/amount'],
    );
  },
  'reversal by the terminal, 4351: the card was pulled': async () => {
    const reasons = await reasonsOf({ cardholder: { card: { entry: 'ICC' } } }, 'chip-pulled');
    assert.deepEqual(reasons, ['4000', '4351']);
  },
  'reversal by the terminal, 4354: a partial approval was rejected': async () => {
    const reasons = await reasonsOf({ cardholder: { acceptPartial: false } }, undefined, '3757');
    assert.deepEqual(reasons, ['4000', '4354']);
  },
  'reversal by the terminal, 4353: nobody signed': async () => {
    const leaves = {
      cardholder: ({ stage }: { stage: string }) =>
        stage === 'awaiting-card'
          ? { afterMs: 10, act: { do: 'present-card', card: { entry: 'MAG_STRIPE' } } as const }
          : undefined,
    };
    assert.deepEqual(await reasonsOf(leaves), ['4000', '4353']);
  },
  'reversal by the terminal, 4021: the gateway’s answer came too late': async () => {
    assert.deepEqual(await reasonsOf({}, 'gateway-answer-lost-then-reversed'), ['4000', '4021']);
  },
  'capture with a tip: the hold limits capturedAmount alone': async () => {
    const { client, held, simulator } = connected();
    const { transactionID: originalGuid } = await held('10000');
    await client.preauthorization.capture({ originalGuid, capturedAmount: '100.00', tipAmount: '20.00' });
    assert.equal(simulator.bank.netMoved(), 12_000);
  },
  'increase: no currency is sent': async () => {
    const { client, held, lastBody, post } = connected();
    const { transactionID: originalGuid } = await held('1000');
    await client.preauthorization.increase({ originalGuid, increaseAmount: '5.00', currency: EUR });
    assert.deepEqual(lastBody(), { originalGuid, increaseAmount: '5.00' });
    const asked = { originalGuid, increaseAmount: '5.00', currency: EUR };
    assert.equal((await post('/preauthorization/increase', asked)).status, 422);
  },
  'currencies have the decimals of ISO 4217: JPY none, KWD three': async () => {
    const { client, sold, simulator } = connected({ merchants: [{ demo: false }] });
    const yen = await sold('1500', { currency: 'JPY' });
    await client.reversal.reverse({ originalGuid: yen.transactionID, amount: '500', currency: 'JPY' });
    assert.equal(simulator.bank.netMoved(yen.reference), 1000);
    const dinar = await sold('1500', { currency: 'KWD' });
    await client.reversal.reverse({ originalGuid: dinar.transactionID, amount: '0.500', currency: 'KWD' });
    assert.equal(simulator.bank.netMoved(dinar.reference), 1000);
  },
});
