import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TerminalRecord } from '../../../../src/core/journal/record.js';
import { payments } from '../../../harness/payments.js';

/** What a flow is told once more after a crash names the same amount. */

const SECOND = 1000;
const PARTIAL = { finStatus: 'PARTIAL_APPROVAL', transactionID: 'one', totalAmount: 400, dueAmount: 600 };

/** A sale of 10.00 that nobody can say anything of by its deadline, whose process dies before it notes that the flow knows. */
async function toldAgain(learned: Pick<TerminalRecord, 'result'>) {
  const world = payments({
    callbacks: false,
    simulator: { cardholder: 'none' },
    engine: {
      send: async (request) => {
        if (request.method === 'GET') throw new Error('nobody answers');
        return world.simulator.send(request);
      },
    },
  });
  const operationId = await world.sale({}, { deadlineMs: 20 * SECOND });
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

for (const { name, learned } of [
  { name: 'nothing has', learned: {} },
  { name: 'the terminal has approved a part', learned: { result: PARTIAL } },
]) {
  test(`that nobody can say is told with what was asked for, also once more where meanwhile ${name}`, async () => {
    const [first, again] = await toldAgain(learned);
    assert.deepEqual([first?.outcome, first?.redelivered, first?.amount?.total], ['unknown', undefined, '10.00']);
    assert.deepEqual(again, { ...first, redelivered: true });
  });
}
