import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payloadOf, recordedResult } from '../../../src/core/delivery/terminal-payload.js';
import { verdictOf } from '../../../src/core/operation/verdict-of.js';
import { payments } from '../../harness/payments.js';

test('a hold that another system has released is not told as what is held, although a result said so before', async () => {
  const world = payments();
  const { operationId } = await world.after(world.sale({ operation: 'preAuthorization', amount: '6165' }));
  const [record] = await world.engine.find({ operationId }, 1);
  assert.ok(record?.kind === 'terminal');
  const increased = { ...recordedResult(record), holdAmount: 6265 } as ReturnType<typeof recordedResult>;
  const holdAfter = (meaning: 'approved' | 'cancelled' | 'returned'): string | undefined => {
    const state = { ...record.state, gateway: { meaning, askedAt: 0 } };
    const verdict = verdictOf(record.operation, 'approved');
    return payloadOf({ ...record, state }, verdict, 'callback', increased).amount?.hold;
  };
  assert.deepEqual(
    [holdAfter('approved'), holdAfter('cancelled'), holdAfter('returned')],
    ['62.65', undefined, undefined],
  );
});
