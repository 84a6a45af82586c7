import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Send } from '../../../../src/core/base/seams.js';
import type { OperationRecord } from '../../../../src/core/journal/record.js';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import { backupOf, restore } from '../../../harness/backup.js';
import { storedCard } from '../../../harness/odd-service.js';
import { type Payments, payments } from '../../../harness/payments.js';

/**
 * A backup that is only minutes old cannot be told from the journal: what needs no terminal, and is unsent in it, is asked for
 * before it is sent.
 */

const MINUTE = 60_000;
const MONEY = { amount: '1.50', currency: 'EUR' };

/** A sale that stores its card, and what is asked for then, by what it is. Each leaves 1.50 less, or more. */
const ORDERS: Record<string, (world: Payments) => Promise<BackOfficeOrder>> = {
  'a refund': async (world) => {
    const { transactionId, reference } = await world.after(world.sale());
    return { operation: 'moto/refund', body: { ...MONEY, originalGuid: transactionId }, originalReference: reference };
  },
  'a refund to a stored card': async (world) => ({
    operation: 'moto/refund',
    body: { ...MONEY, cardToken: await storedCard(world) },
  }),
  'a sale with a stored card': async (world) => ({
    operation: 'moto/sale',
    body: { ...MONEY, cardToken: await storedCard(world) },
  }),
};

const SUMMARY: BackOfficeOrder = {
  operation: 'batch/summary',
  body: { serialNumber: '10000001', deviceType: 'SIMULATEDT1', batchNumber: '1' },
};

/** The order is recorded when the copy is made, and waits for the rate limit, or for the chain. */
async function copiedUnsent(order: (world: Payments) => Promise<BackOfficeOrder>, startWithinMs?: number) {
  const world = payments({ callbacks: false });
  const asked = await order(world);
  await world.clock.advance(20_000);
  for (let others = 0; others < 3; others++) await world.backOffice(SUMMARY);
  const id = await world.backOffice({ ...asked, ...(startWithinMs && { startWithinMs }) });
  await world.clock.advance(10);
  const backup = (await backupOf(world)).filter(({ operationId }) => operationId === id);
  assert.deepEqual(
    backup.map(({ state }) => state.phase),
    ['preparing'],
  );
  return { world, id, backup };
}

/** The status service is away from now on. */
const awayFrom =
  ({ simulator }: Payments): Send =>
  async (request) =>
    request.url.startsWith(simulator.statusUrl) ? { status: 502, body: '' } : simulator.send(request);

const saidOf = (world: Payments, id: string, from: number) =>
  world.told
    .slice(from)
    .filter(({ payload }) => payload.operationId === id)
    .map(({ payload }) => payload.moneyMoved);

/** It is done by the process that goes on; then the next one finds the copy. */
async function takenUpAfterAll(world: Payments, backup: readonly OperationRecord[], send?: Send) {
  await world.clock.advance(10_000);
  const [done, told] = [world.bank.netMoved(), world.told.length];
  await restore(world, backup, 2 * MINUTE, send && { send });
  await world.clock.advance(20 * MINUTE);
  assert.equal(world.bank.netMoved(), done, 'nothing is done a second time');
  return told;
}

/** The process dies, and the next one finds its journal. */
async function restart(world: Payments, send: Send): Promise<void> {
  world.journal.crash();
  await world.engine.stop();
  world.engine = world.createEngine({ send });
  world.connect(world.engine);
  await world.engine.start();
}

for (const [name, order] of Object.entries(ORDERS)) {
  test(`${name} that a young copy of the journal calls unsent is told as done, and not done again`, async () => {
    const { world, id, backup } = await copiedUnsent(order);
    const told = await takenUpAfterAll(world, backup);
    assert.deepEqual(saidOf(world, id, told), ['yes']);
  });

  test(`${name} that a young copy of the journal calls unsent is not done again while the status service is away`, async () => {
    const { world, id, backup } = await copiedUnsent(order);
    const told = await takenUpAfterAll(world, backup, awayFrom(world));
    assert.deepEqual(saidOf(world, id, told), ['unknown']);
  });

  test(`${name} that is too late in a young copy of the journal is told as done by the process that knew of it`, async () => {
    const { world, id, backup } = await copiedUnsent(order, MINUTE);
    const told = await takenUpAfterAll(world, backup);
    assert.deepEqual(saidOf(world, id, told), ['yes']);
  });

  for (const isAway of [false, true]) {
    test(`${name} that is cancelled once a young copy is restored is not told as cancelled${isAway ? ' while the status service is away' : ''}`, async () => {
      const { world, id, backup } = await copiedUnsent(order);
      await world.clock.advance(10_000);
      const told = world.told.length;
      const send = isAway ? awayFrom(world) : world.simulator.send.bind(world.simulator);
      const slow: Send = async (request) => {
        await new Promise<void>((resolve) => world.clock.after(500, resolve));
        return send(request);
      };
      await restore(world, backup, 2 * MINUTE, { send: slow });
      assert.ok(world.engine.cancel(id));
      await world.clock.advance(20 * MINUTE);
      assert.deepEqual(saidOf(world, id, told), [isAway ? 'unknown' : 'yes']);
    });
  }

  test(`${name} that was not sent, and is cancelled after a restart, is told as not done`, async () => {
    const { world, id, backup } = await copiedUnsent(order);
    const before = world.bank.netMoved();
    world.journal.crash();
    await restore(world, backup, 0);
    world.engine.cancel(id);
    await world.clock.advance(MINUTE);
    assert.deepEqual(saidOf(world, id, 0), ['no']);
    assert.equal(world.bank.netMoved(), before);
  });

  test(`${name} whose cancellation waited for the status service when the process died is told as not done`, async () => {
    const { world, id } = await copiedUnsent(order);
    const before = world.bank.netMoved();
    await restart(world, awayFrom(world));
    assert.ok(world.engine.cancel(id));
    await world.clock.advance(1_000);
    await restart(world, world.simulator.send.bind(world.simulator));
    await world.clock.advance(20 * MINUTE);
    assert.deepEqual(saidOf(world, id, 0), ['no']);
    assert.equal(world.bank.netMoved(), before);
  });

  test(`${name} that the process did not send before it died is told as what the next one does about it`, async () => {
    const { world, id, backup } = await copiedUnsent(order);
    const before = world.bank.netMoved();
    world.simulator.faults.arm({ kind: 'status-404', times: 2 });
    world.journal.crash();
    await restore(world, backup, 0);
    await world.clock.advance(MINUTE);
    // The token of a stored card is not in the journal.
    const isSent = name === 'a refund';
    assert.deepEqual(saidOf(world, id, 0), [isSent ? 'yes' : 'no']);
    assert.equal(world.bank.netMoved() - before, isSent ? -150 : 0);
  });
}
