import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JournalError } from '../../../src/core/base/errors.js';
import { MemoryJournal } from '../../../src/core/journal/memory.js';
import { payments } from '../../harness/payments.js';

/** A journal whose disk does not answer. */
class HangingDisk extends MemoryJournal {
  private held: ((fails: boolean) => void)[] | undefined;

  protected override async commit(write: () => void): Promise<void> {
    const { held } = this;
    if (held !== undefined) {
      const fails = await new Promise<boolean>((resolve) => held.push(resolve));
      if (fails) throw new JournalError('the disk is gone');
    }
    write();
  }

  hang(): void {
    this.held = [];
  }

  goOn({ fails = false } = {}): void {
    const { held = [] } = this;
    this.held = undefined;
    for (const resolve of held) resolve(fails);
  }
}

const told = (world: ReturnType<typeof payments>) =>
  world.told.map(({ payload: { outcome, error, correction } }) => [outcome, error?.code, correction]);

test('a journal that hangs is told after a minute too, and the verdict follows as a correction', async () => {
  const journal = new HangingDisk();
  const world = payments({ journal, simulator: { cardholder: { tapAfterMs: 5000 } } });
  await world.sale();
  await world.clock.advance(1000);
  journal.hang();
  await world.clock.advance(55_000);
  assert.deepEqual(told(world), []);
  await world.clock.advance(20 * 60_000);
  assert.deepEqual(told(world), [['unknown', 'JOURNAL_UNAVAILABLE', undefined]]);
  journal.goOn();
  await world.clock.advance(10_000);
  assert.deepEqual(told(world).slice(1), [['approved', undefined, true]]);
});

test('a journal that hangs before anything was sent is told after a minute, and nothing begins so late', async () => {
  const journal = new HangingDisk();
  const world = payments({ journal });
  journal.hang();
  const submitted = world.sale();
  await world.clock.advance(61_000);
  assert.deepEqual(told(world), [['unknown', 'JOURNAL_UNAVAILABLE', undefined]]);
  journal.goOn();
  await submitted;
  await world.clock.advance(10_000);
  assert.deepEqual(told(world).slice(1), [['not-charged', 'NOT_STARTED', true]]);
  assert.equal(world.started.length, 0);
});

test('a journal that hangs and then fails before anything was sent: nothing was charged', async () => {
  const journal = new HangingDisk();
  const world = payments({ journal });
  journal.hang();
  const submitted = world.sale();
  await world.clock.advance(61_000);
  journal.goOn({ fails: true });
  await submitted;
  await world.clock.advance(1000);
  assert.deepEqual(told(world).slice(1), [['not-charged', 'JOURNAL_UNAVAILABLE', true]]);
  assert.equal(world.started.length, 0);
});

test('an order that a journal refuses after a minute, in which a deploy held everything back, is told so by its error alone', async () => {
  const journal = new HangingDisk();
  const world = payments({ journal });
  journal.hang();
  const submitted = assert.rejects(world.sale(), JournalError);
  world.engine.hold();
  await world.clock.advance(61_000);
  journal.goOn({ fails: true });
  await submitted;
  world.engine.releaseUnclaimed();
  assert.deepEqual(told(world), []);
});

test('an order that the journal refuses after a minute leaves nothing behind', async () => {
  let refuse: (error: Error) => void = () => undefined;
  const refusal = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  const journal = new MemoryJournal();
  journal.record = () => refusal;
  const world = payments({ journal });
  const submitted = world.sale();
  await world.clock.advance(61_000);
  refuse(new JournalError('the disk is gone'));
  await submitted;
  assert.deepEqual(told(world).slice(1), [['not-charged', 'JOURNAL_UNAVAILABLE', true]]);
  await world.clock.advance(5 * 60_000);
  assert.equal(world.clock.pending, 0, 'no lease is renewed, and nothing falls due');
});
