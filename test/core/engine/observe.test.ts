import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OperationRecord } from '../../../src/core/journal/record.js';
import { payments } from '../../harness/payments.js';

describe('observing', () => {
  it('gets an operation from its record to its end', async () => {
    const world = payments();
    const seen: OperationRecord[] = [];
    world.engine.observe((record) => seen.push(record));
    const payload = await world.after(world.sale());
    assert.ok(seen.every(({ operationId }) => operationId === payload.operationId));
    assert.deepEqual(
      seen[0]?.timeline.map(({ event }) => event),
      ['recorded'],
    );
    assert.equal(seen.at(-1)?.state.reported, 'approved');
  });

  it('gets nothing any more once it has stopped observing', async () => {
    const world = payments();
    const seen: OperationRecord[] = [];
    world.engine.observe((record) => seen.push(record))();
    await world.after(world.sale());
    assert.deepEqual(seen, []);
  });

  it('shows what is recent and what is open of its own environment alone', async () => {
    const world = payments();
    const first = await world.after(world.sale());
    const second = await world.sale();
    const other = world.createEngine({ environment: 'other' });
    assert.deepEqual(
      (await world.engine.recent(10)).map(({ operationId }) => operationId),
      [second, first.operationId],
    );
    assert.deepEqual(
      (await world.engine.open()).map(({ operationId }) => operationId),
      [second],
    );
    assert.deepEqual([await other.recent(10), await other.open()], [[], []]);
  });

  it('probes at once on demand, long before it would by itself', async () => {
    const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
    const operationId = await world.sale();
    // Polls come at 4 and 8 s.
    await world.clock.advance(6000);
    const polls = (): number => world.simulator.requests.latest().filter(({ method }) => method === 'GET').length;
    const before = polls();
    assert.equal(world.engine.checkNow(operationId), true);
    await world.clock.advance(1000);
    assert.ok(polls() > before);
  });

  it('does not ask about what is over', async () => {
    const world = payments();
    const { operationId } = await world.after(world.sale());
    await world.clock.advance(1000);
    assert.equal(world.engine.checkNow(operationId), false);
  });
});
