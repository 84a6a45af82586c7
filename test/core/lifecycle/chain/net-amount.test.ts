import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTransactionResult } from '../../../../src/core/api/schema/transaction-result.js';
import { meaningOfChain } from '../../../../src/core/lifecycle/chain/chain-meaning.js';
import { netAmount } from '../../../../src/core/lifecycle/chain/net-amount.js';
import { isTooMuchBack } from '../../../../src/core/lifecycle/chain/refunded.js';
import { shownNet } from '../../../../src/core/lifecycle/chain/shown-net.js';
import { connected } from '../../../harness/connected.js';

/** Runs steps on the simulated service, and holds the chain that the status service lists against the bank's ledger. */
async function agrees(steps: (world: ReturnType<typeof connected>) => Promise<string>): Promise<number> {
  const world = connected();
  const reference = await steps(world);
  await world.clock.advance(10_000);
  const chain = await world.client.status.all(reference);
  const net = netAmount(chain);
  assert.equal(net, world.simulator.bank.netMoved(reference));
  assert.equal(shownNet(chain, reference)?.minor, net);
  return net;
}

test('a sale with a tip, reversed in part twice, and refunded in part', async () => {
  const net = await agrees(async ({ client, sold }) => {
    const { reference, transactionID, currency } = await sold('2000');
    await client.tip.adjust({ transactionID, amount: '2.00', currency });
    await client.reversal.reverse({ originalGuid: transactionID, amount: '3.00', currency });
    await client.reversal.reverse({ originalGuid: transactionID, amount: '5.00', currency });
    await client.moto.refund({ originalGuid: transactionID, amount: '4.00', currency });
    return reference;
  });
  assert.equal(net, 2000 + 200 - 500 - 400);
});

test('a capture that was reversed', async () => {
  const net = await agrees(async ({ client, held }) => {
    const { reference, transactionID: originalGuid } = await held('5000');
    const capture = await client.preauthorization.capture({ originalGuid, capturedAmount: '40.00', tipAmount: '4.00' });
    await client.reversal.reverse({ originalGuid: capture.preAuthorizationCaptureGuid ?? '' });
    return reference;
  });
  assert.equal(net, 0);
});

test('a hold that was released, and one that was captured', async () => {
  const released = await agrees(async ({ client, held }) => {
    const { reference, transactionID: originalGuid } = await held('5000');
    await client.reversal.reverse({ originalGuid });
    return reference;
  });
  const captured = await agrees(async ({ client, held }) => {
    const { reference, transactionID: originalGuid } = await held('5000');
    await client.preauthorization.capture({ originalGuid, capturedAmount: '40.00', tipAmount: '4.00' });
    return reference;
  });
  assert.deepEqual([released, captured], [0, 4400]);
});

test('a refund without a sale, and one that was reversed', async () => {
  const refund = { operation: 'refund', amount: '700', currency: 'EUR' } as const;
  const kept = await agrees(async ({ perform, newId }) => {
    const { transactionReference = '' } = await perform({ ...refund, transactionReference: newId() });
    return transactionReference;
  });
  const reversed = await agrees(async ({ client, perform, newId }) => {
    const done = await perform({ ...refund, transactionReference: newId() });
    await client.reversal.reverse({ originalGuid: done.transactionID ?? '' });
    return done.transactionReference ?? '';
  });
  assert.deepEqual([kept, reversed], [-700, 0]);
});

test('a refund of a sale that was reversed again', async () => {
  const net = await agrees(async ({ client, sold }) => {
    const { reference, transactionID, currency } = await sold('2000');
    const refund = await client.moto.refund({ originalGuid: transactionID, amount: '20.00', currency });
    await client.reversal.reverse({ originalGuid: refund.guid ?? '' });
    return reference;
  });
  assert.equal(net, 2000);
});

test('a decline moves nothing', async () => {
  const net = await agrees(async ({ perform, newId }) => {
    const order = { operation: 'sale', amount: '3779', currency: 'EUR', transactionReference: newId() } as const;
    return (await perform(order)).transactionReference ?? '';
  });
  assert.equal(net, 0);
});

interface Entry {
  type: string;
  finStatus: string;
  totalAmount: number;
  transactionID?: string;
  originalEFTTransactionID?: string;
  issuerResponseCode?: string;
}

const sale: Entry = { type: 'SALE', finStatus: 'AUTHORISED', totalAmount: 1000, transactionID: 'a' };
const back = (totalAmount: number, original = 'a'): Entry => {
  return { type: 'REVERSAL', finStatus: 'AUTHORISED', totalAmount, originalEFTTransactionID: original };
};

const hold: Entry = { ...sale, type: 'PRE_AUTHORIZATION', finStatus: 'CAPTURED', transactionID: 'h' };
const capture: Entry = {
  ...sale,
  type: 'PRE_AUTHORIZATION_CAPTURE',
  totalAmount: 400,
  transactionID: 'c',
  originalEFTTransactionID: 'h',
};
const release = (original: string): Entry => ({ ...back(1000, original), type: 'PRE_AUTHORIZATION_REVERSAL' });
const increase: Entry = {
  ...hold,
  type: 'PRE_AUTHORIZATION_INCREASE',
  finStatus: 'AUTHORISED',
  transactionID: 'i',
  originalEFTTransactionID: 'h',
};

const CHAINS: [name: string, net: number, chain: Entry[]][] = [
  ['cancelled before it reached the issuer, whose code is a placeholder', 0, [{ ...sale, finStatus: 'CANCELLED' }]],
  ['cancelled, with the placeholder code sent', 0, [{ ...sale, finStatus: 'CANCELLED', issuerResponseCode: '00' }]],
  ['reversed as a whole', 0, [{ ...sale, finStatus: 'CANCELLED' }, back(1000)]],
  ['reversed as a whole, and called refunded', 0, [{ ...sale, finStatus: 'REFUNDED' }, back(1000)]],
  ['of two parts that were taken back the last counts', 500, [sale, back(300), back(500)]],
  ['a reversal that was declined', 700, [sale, back(300), { ...back(500), finStatus: 'DECLINED' }]],
  ['a forced reversal of what ended as a decline', 0, [{ ...sale, finStatus: 'DECLINED' }, back(1000)]],
  [
    'processed, and declined by the issuer',
    0,
    [{ ...sale, type: 'MOTO_SALE', finStatus: 'PROCESSED', issuerResponseCode: '05' }],
  ],
  [
    'processed, and approved by the issuer',
    1000,
    [{ ...sale, type: 'MOTO_SALE', finStatus: 'PROCESSED', issuerResponseCode: '00' }],
  ],
  [
    'a refund that was reversed reads as it was processed',
    1000,
    [sale, { ...sale, type: 'REFUND', transactionID: 'b', originalEFTTransactionID: 'a' }, back(1000, 'b')],
  ],
  ['a capture', 400, [hold, capture]],
  ['a capture that was cancelled by the id of its hold', 0, [hold, capture, release('h')]],
  ['a capture that was cancelled by the id of an increase', 0, [hold, increase, capture, release('i')]],
  ['a capture that was reversed by the id of its hold', 0, [hold, capture, back(400, 'h')]],
  ['a capture that was reversed by the id of an increase', 0, [hold, increase, capture, back(400, 'i')]],
  ['a reversal by the id of a hold, of another amount than the capture', 400, [hold, capture, back(300, 'h')]],
  ['a reversal that came before the capture is not of it', 400, [hold, release('h'), capture]],
  ['a capture of which a part was taken back', 100, [hold, capture, { ...release('c'), totalAmount: 300 }]],
];

for (const [name, net, chain] of CHAINS) {
  test(`a chain: ${name}`, () => assert.equal(netAmount(chain.map(readTransactionResult)), net));
}

test('of a capture that was reversed by the id of its hold nothing is left to refund', () => {
  const isTooMuch = (...chain: Entry[]) =>
    isTooMuchBack({ what: 'refund', original: 'c', amount: 100 }, chain.map(readTransactionResult));
  assert.equal(isTooMuch(hold, capture), false);
  assert.equal(isTooMuch(hold, capture, back(400, 'h')), true);
  assert.equal(isTooMuch(hold, capture, back(300, 'h')), false, 'nobody says what one of another amount took back');
});

test('a hold that was captured as a whole and reversed by its id has moved nothing', () => {
  const chain = [{ ...hold, finStatus: 'AUTHORISED' }, { ...capture, totalAmount: 1000 }, back(1000, 'h')];
  const told = meaningOfChain('preAuthorization', chain.map(readTransactionResult), {
    amount: '1000',
    currency: 'EUR',
  });
  assert.deepEqual([told?.meaning, told?.net], ['returned', 0]);
});

test('parts of a refund and of a capture that were taken back', async () => {
  const refunded = await agrees(async ({ client, sold }) => {
    const { reference, transactionID, currency } = await sold('2000');
    const { guid = '' } = await client.moto.refund({ originalGuid: transactionID, amount: '20.00', currency });
    await client.reversal.reverse({ originalGuid: guid, amount: '4.00', currency });
    await client.reversal.reverse({ originalGuid: guid, amount: '7.00', currency });
    return reference;
  });
  const captured = await agrees(async ({ client, held }) => {
    const { reference, transactionID: originalGuid, currency } = await held('5000');
    const { preAuthorizationCaptureGuid: capture = '' } = await client.preauthorization.capture({
      originalGuid,
      capturedAmount: '40.00',
    });
    await client.reversal.reverse({ originalGuid: capture, amount: '15.00', currency });
    return reference;
  });
  assert.deepEqual([refunded, captured], [700, 2500]);
});

test('what went back counts the same with a sign', () => {
  const sale = { transactionID: 'sale', type: 'SALE', finStatus: 'AUTHORISED', totalAmount: 1000 };
  const back = { ...sale, transactionID: 'back', type: 'REFUND', originalEFTTransactionID: 'sale' };
  const net = (totalAmount: number) =>
    netAmount([sale, { ...back, totalAmount }].map((entry) => readTransactionResult(entry)));
  assert.deepEqual([net(400), net(-400)], [600, 600]);
});
