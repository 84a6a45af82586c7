import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CancelTarget } from '../../../src/core/engine/cancellation.js';
import { type OrderKey, orderKey } from '../../../src/core/operation/order-key.js';
import { HangingJournal } from '../../harness/hanging-journal.js';
import { NODE, type Payments, payments, saleOrder } from '../../harness/payments.js';

/** A cancel while the journal hangs over a message that is being recorded. */

const KEY = orderKey('4711', 'key') as OrderKey;
const ANOTHER_KEY = orderKey('4712', 'key') as OrderKey;
const OTHER = '10000002';

interface Sent {
  message: string;
  serial?: string;
  key?: OrderKey;
  node?: string;
}

const send = (world: Payments, { message, serial = '10000001', key, node = NODE }: Sent): Promise<string> => {
  const origin = { node, message: { _msgid: message }, ...(key && { key }) };
  return world.engine.submit({ ...saleOrder({ serial_number: serial }, { busyWaitMs: 60_000 }), origin });
};

const stops = (world: Payments): number => world.started.filter((one) => one === 'stopCurrentTransaction').length;

const told = (world: Payments) => world.told.map(({ origin, payload }) => [origin.message._msgid, payload.outcome]);

/** The first waits for its card, and the journal hangs over the second. */
async function hanging(second: Sent = { message: 'second', serial: OTHER }) {
  const journal = new HangingJournal();
  const world = payments({ journal, simulator: { cardholder: 'none' } });
  const first = await send(world, { message: 'first', key: KEY });
  await world.clock.advance(5000);
  journal.hangs = true;
  const taken = send(world, second);
  return { journal, world, first, taken };
}

describe('a cancel while the journal hangs over another message', () => {
  const targets: [string, (first: string) => CancelTarget][] = [
    ['its operationId', (operationId) => ({ operationId })],
    ['its key', () => ({ key: KEY })],
    ['its terminal', () => ({ terminal: '10000001' })],
    ['its node', () => ({ node: NODE })],
  ];
  for (const [what, targetOf] of targets) {
    test(`stops at once the payment that is named by ${what}, and is over after a moment`, async () => {
      const { world, first } = await hanging();
      let isKnown: boolean | undefined;
      void world.engine.cancelTarget(targetOf(first)).then((known) => {
        isKnown = known;
      });
      await world.clock.advance(500);
      assert.equal(stops(world), 1);
      await world.clock.advance(1000);
      assert.equal(isKnown, true);
    });
  }

  test('waits a moment for what is recorded by then', async () => {
    const { journal, world } = await hanging();
    const cancelled = world.engine.cancelTarget({ terminal: OTHER });
    await world.clock.advance(500);
    journal.comeBack();
    assert.equal(await cancelled, true);
    await world.untilTold();
    assert.deepEqual(told(world), [['second', 'cancelled']]);
  });

  const late: [string, CancelTarget, Sent][] = [
    ['its terminal', { terminal: OTHER }, { message: 'second', serial: OTHER }],
    ['its key', { key: ANOTHER_KEY }, { message: 'second', serial: OTHER, key: ANOTHER_KEY }],
  ];
  for (const [what, target, second] of late) {
    test(`knows the very message by ${what}, and stops it once it is recorded, but nothing that came later`, async () => {
      const { journal, world } = await hanging(second);
      const cancelled = world.engine.cancelTarget(target);
      await world.clock.advance(1000);
      assert.equal(await cancelled, true);
      const later = send(world, { message: 'later', serial: OTHER });
      await world.clock.advance(10_000);
      journal.comeBack();
      await later;
      await world.untilTold();
      await world.clock.advance(10_000);
      assert.deepEqual(told(world), [['second', 'cancelled']]);
      assert.equal(world.simulator.terminal(OTHER).screen.stage, 'awaiting-card');
    });
  }

  test('stops the first where the message that is being recorded repeats it', async () => {
    const { journal, world, taken: again } = await hanging({ message: 'again', key: KEY, node: 'another' });
    const cancelled = world.engine.cancelTarget({ node: 'another' });
    await world.clock.advance(1000);
    assert.equal(await cancelled, true);
    journal.comeBack();
    await again;
    await world.untilTold();
    assert.deepEqual(told(world)[0], ['first', 'cancelled']);
  });
});
