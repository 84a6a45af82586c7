import assert from 'node:assert/strict';
import { readTransactionResult, type TransactionResult } from '../../src/core/api/schema/transaction-result.js';
import { type Connected, connected, TERMINAL } from '../harness/connected.js';
import { chapter } from './row.js';
import { ended, pollOf, sale, statusOf, waiting } from './ways.js';

/** `finStatus` and `type`: what each value stands for, and how it comes about. */

const EUR = 'EUR';

export const FIN_STATUSES = chapter('finStatus values', {
  'IN_PROGRESS: polls give 204, the status service says so': async () => {
    const world = connected();
    const { transactionResultId = '' } = await world.client.transactions.start({ ...TERMINAL, ...sale });
    assert.equal((await world.client.transactions.result(transactionResultId)).state, 'pending');
    await world.clock.runUntilIdle();
    const { reference } = await world.sold('2000');
    world.simulator.faults.arm({ kind: 'status-in-progress' });
    assert.equal((await statusOf(world, reference)).finStatus, 'IN_PROGRESS');
  },
  'UNDEFINED: the terminal got no response; for the status service there is no record': async () => {
    const world = await waiting();
    world.simulator.faults.arm({ kind: 'gateway-request-lost' });
    world.terminal.presentCard();
    await world.clock.advance(31_000);
    const polled = await world.poll();
    assert.equal(polled.state === 'result' && polled.result.finStatus, 'UNDEFINED');
    assert.equal(await world.client.status.get(world.transactionReference), 'no-record');
  },
  'AUTHORISED: approved': async () => assert.equal((await ended()).finStatus, 'AUTHORISED'),
  'DECLINED: the card is not charged': async () => {
    const { perform, simulator } = connected();
    assert.equal((await perform({ ...sale, amount: '3779' })).finStatus, 'DECLINED');
    assert.equal(simulator.bank.netMoved(), 0);
  },
  'FAILED: technical failure': async () => assert.equal((await ended('3768')).finStatus, 'FAILED'),
  'CANCELLED: at the terminal, no charge': async () => {
    const world = await waiting();
    world.terminal.cancel();
    assert.equal((await pollOf(world)).finStatus, 'CANCELLED');
    assert.equal(world.simulator.bank.netMoved(), 0);
  },
  'PARTIAL_APPROVAL: a part is approved': async () => {
    assert.equal((await ended('3757')).finStatus, 'PARTIAL_APPROVAL');
  },
  'REFUNDED: only from the status service': async () => {
    const world = connected();
    const { reference, transactionID: originalGuid } = await world.sold();
    await world.client.moto.refund({ originalGuid, amount: '10.00', currency: EUR });
    assert.equal((await statusOf(world, reference)).finStatus, 'REFUNDED');
  },
  'PROCESSED: a non-financial operation': async () => {
    assert.equal((await connected().perform({ operation: 'tokenizeCard' })).finStatus, 'PROCESSED');
  },
  'CAPTURED: a pre-authorisation that was captured': async () => {
    const world = connected();
    const { reference, transactionID: originalGuid } = await world.held();
    await world.client.preauthorization.capture({ originalGuid, capturedAmount: '5.00' });
    assert.equal((await statusOf(world, reference)).finStatus, 'CAPTURED');
  },
  'the first of a chain shows its current status, later ones that of their processing': async () => {
    const world = connected();
    const { reference, transactionID: originalGuid } = await world.sold();
    const refund = await world.client.moto.refund({ originalGuid, amount: '10.00', currency: EUR });
    await world.client.reversal.reverse({ originalGuid: refund.guid ?? '' });
    await world.clock.advance(1000);
    const chain = await world.client.status.all(reference);
    assert.deepEqual(
      chain.map(({ type, finStatus }) => [type, finStatus]),
      [
        ['SALE', 'AUTHORISED'],
        ['MOTO_REFUND', 'AUTHORISED'],
        ['MOTO_REVERSAL', 'AUTHORISED'],
      ],
    );
  },
});

const linked = async (world: Connected, operation: 'saleReversal' | 'preAuthorizationIncrease', id: string) =>
  world.perform({ ...sale, operation, originalTransactionId: id });

/** How each type comes about. */
const MADE: Record<string, (world: Connected) => Promise<TransactionResult>> = {
  SALE: ({ perform }) => perform(sale),
  REFUND: ({ perform }) => perform({ ...sale, operation: 'refund' }),
  REVERSAL: async (world) => linked(world, 'saleReversal', (await world.sold()).transactionID),
  PRE_AUTHORIZATION: ({ perform }) => perform({ ...sale, operation: 'preAuthorization' }),
  PRE_AUTHORIZATION_INCREASE: async (world) =>
    linked(world, 'preAuthorizationIncrease', (await world.held()).transactionID),
  PRE_AUTHORIZATION_CAPTURE: async ({ perform, held }) => {
    const { transactionID } = await held();
    return perform({ ...sale, operation: 'preAuthorizationCapture', originalTransactionId: transactionID });
  },
  PRE_AUTHORIZATION_REVERSAL: async ({ perform, held }) => {
    const { transactionID } = await held();
    return perform({ operation: 'preAuthorizationReversal', originalTransactionId: transactionID });
  },
  MOTO_SALE: ({ perform }) => perform({ ...sale, operation: 'moToSale' }),
  MOTO_REFUND: ({ perform }) => perform({ ...sale, operation: 'moToRefund' }),
  MOTO_REVERSAL: async ({ perform }) => {
    const { transactionID = '' } = await perform({ ...sale, operation: 'moToSale' });
    return perform({ ...sale, operation: 'moToReversal', originalTransactionId: transactionID });
  },
  TOKENIZE_CARD: ({ perform }) => perform({ operation: 'tokenizeCard' }),
  SALE_AND_TOKENIZE_CARD: ({ perform }) => perform({ ...sale, operation: 'saleAndTokenizeCard' }),
  TRANSACTION_STATUS: async (world) => {
    const { reference } = await world.sold();
    world.simulator.faults.arm({ kind: 'status-in-progress' });
    return statusOf(world, reference);
  },
  UNDEFINED: ({ perform }) => perform({ operation: 'printReceipt', receipt: '<p>Hello</p>' }),
};

export const TYPES = chapter('type values', {
  ...Object.fromEntries(
    Object.entries(MADE).map(([type, make]) => [type, async () => assert.equal((await make(connected())).type, type)]),
  ),
  'TIP_ADJUSTMENT, VOID_SALE: read as they come': async () => {
    const { result } = await connected().sold();
    for (const type of ['TIP_ADJUSTMENT', 'VOID_SALE']) {
      const read = readTransactionResult({ ...result.raw, type });
      assert.deepEqual([read.type, read.finStatus, read.totalAmount], [type, 'AUTHORISED', 1000]);
    }
  },
});
