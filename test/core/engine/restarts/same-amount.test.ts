import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TerminalRecord } from '../../../../src/core/journal/record.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** What a flow is told once more after a crash names the same amount. */

const SECOND = 1000;
const PARTIAL = { finStatus: 'PARTIAL_APPROVAL', transactionID: 'one', totalAmount: 400, dueAmount: 600 };

const sale = async () => ({});

/** A hold of 10.00 is to be released, which names no amount. */
async function release(world: Payments) {
  const { transactionId: originalTransactionId } = await world.after(world.sale({ operation: 'preAuthorization' }));
  world.told.length = 0;
  const operation = 'preAuthorizationReversal' as const;
  return { operation, originalTransactionId, amount: undefined, currency: undefined };
}

/** An operation of 10.00 that nobody can say anything of by its deadline, whose process dies before it notes that the flow knows. */
async function toldAgain(order: typeof sale | typeof release, learned: Pick<TerminalRecord, 'result'>) {
  let answers = true;
  const world = payments({
    callbacks: false,
    engine: {
      send: async (request) => {
        if (request.method === 'GET' && !answers) throw new Error('nobody answers');
        return world.simulator.send(request);
      },
    },
  });
  const request = await order(world);
  answers = false;
  const operationId = await world.sale(request, { deadlineMs: 20 * SECOND });
  await world.untilTold();
  const [told] = await world.journal.find({ operationId });
  assert.ok(told?.kind === 'terminal' && told.state.latest !== undefined);
  await world.engine.stop();
  world.journal.crash();
  const pending = { ...told.state.latest, correction: false };
  await world.journal.advance({ ...told, ...learned, state: { ...told.state, pending } });
  const next = world.createEngine();
  world.connect(next);
  await next.start();
  await world.untilTold(2);
  return world.told.map(({ payload: { outcome, redelivered, amount } }) => ({ outcome, redelivered, amount }));
}

for (const { name, order, learned } of [
  { name: 'nothing has shown', order: sale, learned: {} },
  { name: 'the terminal has approved a part', order: sale, learned: { result: PARTIAL } },
  { name: 'the terminal has released less than was held', order: release, learned: { result: PARTIAL } },
]) {
  test(`that nobody can say is told with what was asked for, also once more where meanwhile ${name}`, async () => {
    const [first, again] = await toldAgain(order, learned);
    assert.deepEqual([first?.outcome, first?.redelivered, first?.amount?.total], ['unknown', undefined, '10.00']);
    assert.deepEqual(again, { ...first, redelivered: true });
  });
}
