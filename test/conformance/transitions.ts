import assert from 'node:assert/strict';
import { connected, TERMINAL } from '../harness/connected.js';
import { payments } from '../harness/payments.js';
import { chapter, refused } from './row.js';
import { ended, pollOf, sale, statusOf, waiting } from './ways.js';

/** The transition table, the rules of holds and of batches. */

const EUR = 'EUR';
const DAY = 24 * 3600 * 1000;

export const TRANSITIONS = chapter('Transitions', {
  'POST /transactions, accepted: IN_PROGRESS, a poll gives 204': async () => {
    assert.equal((await (await waiting()).poll()).state, 'pending');
  },
  'terminal completes, approved: AUTHORISED': async () => {
    const world = await waiting();
    world.terminal.presentCard();
    assert.equal((await pollOf(world)).finStatus, 'AUTHORISED');
  },
  'terminal completes, declined: DECLINED': async () => assert.equal((await ended('3784')).finStatus, 'DECLINED'),
  'cancel at the terminal: CANCELLED': async () => {
    const world = await waiting();
    world.terminal.cancel();
    assert.equal((await pollOf(world)).finStatus, 'CANCELLED');
  },
  'stop: CANCELLED': async () => {
    const world = await waiting();
    await world.client.transactions.start({ ...TERMINAL, operation: 'stopCurrentTransaction' });
    assert.equal((await pollOf(world)).finStatus, 'CANCELLED');
  },
  'declined duplicate prompt: CANCELLED': async () => {
    const { perform } = connected({ cardholder: { acceptDuplicate: false } });
    await perform(sale);
    assert.equal((await perform(sale)).finStatus, 'CANCELLED');
  },
  'technical error: FAILED': async () => assert.equal((await ended('3741')).finStatus, 'FAILED'),
  'no gateway response before the timeout: UNDEFINED, then recovered': async () => {
    const world = await waiting();
    world.simulator.faults.arm({ kind: 'gateway-answer-lost' });
    world.terminal.presentCard();
    await world.clock.advance(31_000);
    const first = await world.poll();
    assert.equal(first.state === 'result' && first.result.finStatus, 'UNDEFINED');
    await world.clock.runUntilIdle();
    const { finStatus, recoveredTransaction } = await pollOf(world);
    assert.deepEqual([finStatus, recoveredTransaction], ['AUTHORISED', true]);
  },
  'chip removed after the gateway approved: DECLINED, and AUTHORISED in the status service is never believed':
    async () => {
      const world = payments({ simulator: { cardholder: { card: { entry: 'ICC' } } } });
      world.simulator.faults.arm({ kind: 'chip-pulled' });
      await world.sale();
      await world.untilTold();
      await world.clock.runUntilIdle(3_600_000);
      assert.deepEqual(
        world.told.map(({ payload }) => payload.outcome),
        ['declined'],
      );
      assert.deepEqual([world.bank.charges().length, world.bank.netMoved()], [1, 0]);
    },
  'tokenization succeeds: PROCESSED': async () => {
    assert.equal((await connected().perform({ operation: 'tokenizeCard' })).finStatus, 'PROCESSED');
  },
  'partial approval accepted: PARTIAL_APPROVAL, the part is charged': async () => {
    const { perform, simulator } = connected();
    assert.equal((await perform({ ...sale, amount: '3757' })).finStatus, 'PARTIAL_APPROVAL');
    assert.equal(simulator.bank.netMoved(), 1100);
  },
  'partial approval declined: CANCELLED, reversed': async () => {
    const { perform, simulator } = connected({ cardholder: { acceptPartial: false } });
    assert.equal((await perform({ ...sale, amount: '3757' })).finStatus, 'CANCELLED');
    assert.equal(simulator.bank.netMoved(), 0);
  },
  'partial approval declined, reversal fails: PARTIAL_APPROVAL, the charge stands': async () => {
    const { perform, simulator } = connected({ cardholder: { acceptPartial: false } });
    simulator.faults.arm({ kind: 'reversal-fails' });
    assert.equal((await perform({ ...sale, amount: '3757' })).finStatus, 'PARTIAL_APPROVAL');
    assert.equal(simulator.bank.netMoved(), 1100);
  },
  'sale refunded: the status of the original is REFUNDED': async () => {
    const world = connected();
    const { reference, transactionID } = await world.sold();
    await world.perform({ ...sale, operation: 'refund', originalTransactionId: transactionID });
    assert.equal((await statusOf(world, reference)).finStatus, 'REFUNDED');
  },
  'hold captured, not above it: the capture AUTHORISED, the status CAPTURED': async () => {
    const world = connected();
    const { reference, transactionID: originalGuid } = await world.held('5000');
    const capture = await world.client.preauthorization.capture({ originalGuid, capturedAmount: '50.00' });
    assert.deepEqual([capture.finStatus, capture.type], ['AUTHORISED', 'PRE_AUTHORIZATION_CAPTURE']);
    assert.equal((await statusOf(world, reference)).finStatus, 'CAPTURED');
  },
  'hold increased or decreased: stays AUTHORISED, holdAmount updated': async () => {
    const world = connected();
    const { reference, transactionID: originalGuid } = await world.held('5000');
    await world.client.preauthorization.increase({ originalGuid, increaseAmount: '10.00' });
    await world.client.preauthorization.increase({ originalGuid, increaseAmount: '5.00', subtract: '1' });
    const { finStatus, holdAmount } = await statusOf(world, reference);
    assert.deepEqual([finStatus, holdAmount], ['AUTHORISED', 5500]);
  },
  'hold adjustment refused: the hold is unchanged': async () => {
    const { client, held, simulator } = connected();
    const { transactionID: originalGuid } = await held('5000');
    const decrease = client.preauthorization.increase({ originalGuid, increaseAmount: '50.00', subtract: '1' });
    await refused(decrease, '3212', 403);
    assert.equal(simulator.bank.netHeld(), 5000);
  },
  'hold reversed before the capture: released': async () => {
    const { client, held, simulator } = connected();
    await client.reversal.reverse({ originalGuid: (await held()).transactionID });
    assert.equal(simulator.bank.netHeld(), 0);
  },
  'no adjustment after the capture or the release': async () => {
    const { client, held } = connected();
    const [captured, released] = [(await held()).transactionID, (await held('200')).transactionID];
    await client.preauthorization.capture({ originalGuid: captured, capturedAmount: '1.00' });
    await client.reversal.reverse({ originalGuid: released });
    const more = (originalGuid: string) => client.preauthorization.increase({ originalGuid, increaseAmount: '1.00' });
    await refused(more(captured), '3052');
    await refused(more(released), '3211');
  },
  'a hold expires after its network’s window': async () => {
    const { client, clock, held, simulator } = connected();
    const { transactionID: originalGuid, reference } = await held();
    await clock.advance(30 * DAY);
    assert.equal(simulator.bank.netHeld(), 0);
    const [hold] = await client.status.all(reference);
    assert.deepEqual([hold?.finStatus, hold?.holdAmount], ['CANCELLED', 0]);
    await refused(client.preauthorization.capture({ originalGuid, capturedAmount: '1.00' }), '3211');
    await refused(client.preauthorization.increase({ originalGuid, increaseAmount: '1.00' }), '3211');
    await refused(client.reversal.reverse({ originalGuid }), '3051');
  },
  'voiding a hold has no same-day cut-off': async () => {
    const { client, clock, held, simulator } = connected();
    const { transactionID: originalGuid } = await held();
    await clock.advance(3 * DAY);
    await client.reversal.reverse({ originalGuid });
    assert.equal(simulator.bank.netHeld(), 0);
  },
  'capture reversed before the batch close: cancelled': async () => {
    const { client, held, simulator } = connected();
    const { transactionID: originalGuid } = await held('5000');
    const capture = await client.preauthorization.capture({ originalGuid, capturedAmount: '50.00' });
    await client.reversal.reverse({ originalGuid: capture.preAuthorizationCaptureGuid ?? '' });
    assert.equal(simulator.bank.netMoved(), 0);
  },
  'capture after settlement: only a refund': async () => {
    const { client, clock, held, simulator } = connected();
    const { transactionID: originalGuid } = await held('5000');
    const capture = await client.preauthorization.capture({ originalGuid, capturedAmount: '50.00' });
    const guid = capture.preAuthorizationCaptureGuid ?? '';
    await clock.advance(DAY);
    await refused(client.reversal.reverse({ originalGuid: guid }), '3153');
    await client.moto.refund({ originalGuid: guid, amount: '50.00', currency: EUR });
    assert.equal(simulator.bank.netMoved(), 0);
  },
  'sale and capture reversals have a same-day cut-off': async () => {
    const { client, clock, sold } = connected();
    const { transactionID: originalGuid } = await sold();
    await clock.advance(DAY);
    await refused(client.reversal.reverse({ originalGuid }), '3153');
  },
  'tip adjustment before the batch close: stays AUTHORISED, tip changed; the last write wins, 0 removes it':
    async () => {
      const world = connected();
      const { reference, transactionID } = await world.sold();
      const tip = (amount: string) => world.client.tip.adjust({ transactionID, amount, currency: EUR });
      await tip('2.00');
      await tip('1.50');
      const { finStatus, tipAmount, totalAmount } = await statusOf(world, reference);
      assert.deepEqual([finStatus, tipAmount, totalAmount], ['AUTHORISED', 150, 1150]);
      await tip('0');
      assert.equal(world.simulator.bank.netMoved(), 1000);
    },
  'batch closed: batchStatus CLOSED': async () => {
    const { client, sold } = connected();
    await sold();
    const batch = { serialNumber: '10000001', deviceType: 'SIMULATEDT1', batchNumber: '123' };
    assert.equal((await client.batch.close(batch)).batchStatus, 'CLOSED');
  },
});
