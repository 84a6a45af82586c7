import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DamagedRecordError } from '../../../src/core/journal/damaged-record.js';
import type { JournalQuery } from '../../../src/core/journal/journal.js';
import { MemoryDisk, MemoryJournal } from '../../../src/core/journal/memory.js';
import type { OperationRecord } from '../../../src/core/journal/record.js';
import { orderKey } from '../../../src/core/operation/order-key.js';
import { NODE, payments, saleOrder } from '../../harness/payments.js';

/** A message repeats an order, its node is away, and the order is over for longer than the journal keeps it. */

const AWAY = 'a-node-that-is-away';

class AgeingJournal extends MemoryJournal {
  age = 0;
  /** Its record is damaged. */
  damaged: string | undefined;
  readonly written: MemoryDisk;

  constructor() {
    const written = new MemoryDisk();
    super(() => this.age, written);
    this.written = written;
  }

  override async find(query: JournalQuery, limit?: number): Promise<OperationRecord[]> {
    if ('operationId' in query && query.operationId === this.damaged)
      throw new DamagedRecordError(1, { is: 'damaged', disk: 'the disk' });
    return super.find(query, limit);
  }
}

async function withMessageLeft() {
  const journal = new AgeingJournal();
  const world = payments({ journal, simulator: { cardholder: 'none' } });
  await world.engine.stop();
  // Without a callback-in.
  const begin = async (...nodes: string[]): Promise<void> => {
    world.engine = world.createEngine();
    for (const node of nodes)
      world.engine.attach(node, { deliver: (telling) => world.told.push(telling), progress: () => undefined });
    world.engine.releaseUnclaimed();
    await world.engine.start();
    await world.clock.advance(0);
  };
  await begin(NODE);
  const send = (node: string) =>
    world.engine.submit({ ...saleOrder(), origin: { node, message: { _msgid: node }, key: orderKey('4711', 'key') } });
  const first = await send(NODE);
  await world.clock.advance(1000);
  const repeat = await send(AWAY);
  world.terminal.presentCard();
  await world.untilTold();
  await world.clock.advance(0);
  const back = async (): Promise<void> => {
    await world.engine.stop();
    await begin(NODE, AWAY);
  };
  return { world, journal, first, repeat, send, back };
}

test('a message whose node was away for longer than payments are kept hears the result, and is charged once', async () => {
  const { world, journal, send, back } = await withMessageLeft();
  journal.age = 1000;
  assert.equal(await journal.prune(100), 0);
  await back();
  const heard = world.told.at(-1);
  assert.deepEqual(
    [heard?.origin.node, heard?.exit, heard?.payload.outcome, heard?.payload.repeated],
    [AWAY, 'done', 'approved', true],
  );
  await send(NODE);
  assert.equal(world.bank.charges().length, 1);
  assert.deepEqual(await journal.repeats('env'), []);
  assert.equal(await journal.prune(100), 1, 'nobody waits for it any more');
});

for (const damage of ['gone', 'damaged'] as const) {
  test(`a message that repeats an order whose record is ${damage} hears that nobody knows, once and for all`, async () => {
    const { world, journal, first, repeat, back } = await withMessageLeft();
    if (damage === 'gone') journal.written.operations.delete(first);
    else journal.damaged = first;
    await back();
    const [, heard] = world.told;
    assert.deepEqual(
      [heard?.id, heard?.exit, heard?.payload.outcome, heard?.payload.moneyMoved, heard?.payload.final],
      [repeat, 'needs-attention', 'unknown', 'unknown', true],
    );
    assert.deepEqual(
      [heard?.payload.operationId, heard?.payload.operation, heard?.payload.error?.code, heard?.payload.repeated],
      [first, 'sale', 'RECORD_LOST', true],
    );
    assert.match(world.logged.join(), new RegExp(`${repeat}: the journal has lost ${first}`));
    assert.deepEqual(await journal.repeats('env'), []);
    await back();
    assert.equal(world.told.length, 2);
  });
}

test('a result that no node takes names the message that it is for', async () => {
  const { world, first, repeat } = await withMessageLeft();
  assert.match(
    world.logged.join('\n'),
    new RegExp(
      `warn: ${first}, for the message ${repeat} that repeats it: approved 10\\.00 EUR; its node no longer exists`,
    ),
  );
});
