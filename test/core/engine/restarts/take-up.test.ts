import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JournalError } from '../../../../src/core/base/errors.js';
import type { Clock } from '../../../../src/core/base/seams.js';
import { MemoryJournal } from '../../../../src/core/journal/memory.js';
import { payments } from '../../../harness/payments.js';
import { VirtualClock } from '../../../harness/virtual-clock.js';
import { sampleRecord } from '../../journal/sample-record.js';

const OPEN = 450;
const TOLERABLE = 100;

/** A journal whose changes take a while each, or never end. */
class SlowJournal extends MemoryJournal {
  pace: 'quick' | 'slow' | 'hangs' = 'quick';
  waiting = 0;
  mostWaiting = 0;

  constructor(private readonly slowClock: Clock) {
    super();
  }

  protected override async commit(write: () => void): Promise<void> {
    if (this.pace === 'quick') return write();
    this.mostWaiting = Math.max(this.mostWaiting, ++this.waiting);
    await new Promise<void>((resolve) => {
      if (this.pace === 'slow') this.slowClock.after(2, resolve);
    });
    this.waiting--;
    write();
  }

  override async claim(): Promise<boolean> {
    return true;
  }

  override async renew(): Promise<void> {}

  override async noteMerchants(): Promise<void> {}
}

/** A journal whose answer to a claim takes until it is let go. */
class SlowClaim extends MemoryJournal {
  letGo: () => void = () => undefined;
  holding = false;

  override async claim(...claim: Parameters<MemoryJournal['claim']>): Promise<boolean> {
    if (this.holding) {
      await new Promise<void>((resolve) => {
        this.letGo = resolve;
      });
    }
    return super.claim(...claim);
  }
}

/** A journal whose answer to the claim of one operation takes until it is let go. */
class HeldClaims extends SlowClaim {
  held = '';

  override async claim(operationId: string, owner: string, now: number): Promise<boolean> {
    this.holding = operationId === this.held;
    return super.claim(operationId, owner, now);
  }
}

/** The same, and the claim of another one fails. */
class FailingClaims extends HeldClaims {
  failing = '';

  override async claim(operationId: string, owner: string, now: number): Promise<boolean> {
    if (operationId === this.failing) throw new JournalError('the journal cannot be reached');
    return super.claim(operationId, owner, now);
  }
}

async function filled(clock: Clock): Promise<SlowJournal> {
  const journal = new SlowJournal(clock);
  for (let number = 0; number < OPEN; number++) {
    const terminal = { serial_number: `terminal-${number}`, terminal_type: 'A920' };
    await journal.record(sampleRecord({ environment: 'env', createdAt: clock.now(), terminal }));
  }
  journal.crash();
  return journal;
}

test('a sale does not wait until hundreds of open payments that are taken up have been written', async () => {
  const clock = new VirtualClock();
  const journal = await filled(clock);
  const world = payments({ journal, clock });
  journal.pace = 'slow';
  const started = world.engine.start();
  await clock.advance(60_000);
  await started;
  assert.ok(journal.mostWaiting > 0 && journal.mostWaiting <= TOLERABLE, `${journal.mostWaiting} writes at once`);
});

test('every open payment is taken up although the journal hangs', async () => {
  const clock = new VirtualClock();
  const journal = await filled(clock);
  const world = payments({ journal, clock });
  journal.pace = 'hangs';
  const started = world.engine.start();
  await clock.advance(60_000);
  await started;
  assert.equal(journal.mostWaiting, OPEN);
});

test('a payment that an engine was about to take up as it stopped is taken up by the next one at once', async () => {
  const journal = new SlowClaim();
  const world = payments({ journal, callbacks: false });
  await world.sale();
  await world.clock.advance(500);
  await world.engine.stop();
  journal.holding = true;
  const second = world.createEngine();
  const started = second.start();
  await world.clock.advance(100);
  const stopped = second.stop();
  await world.clock.advance(100);
  journal.holding = false;
  journal.letGo();
  await Promise.all([started, stopped]);
  const third = world.createEngine();
  await third.start();
  world.connect(third);
  const { payload } = await world.untilTold(1, 10_000);
  assert.equal(payload.outcome, 'approved');
});

test('a claim that fails leaves no other one behind that nobody holds', async () => {
  const journal = new FailingClaims();
  const world = payments({ journal, simulator: { cardholder: 'none' } });
  journal.failing = await world.sale();
  journal.held = await world.sale({ serial_number: '10000002' });
  await world.clock.advance(5000);
  await world.engine.stop();
  const second = world.createEngine();
  const started = assert.rejects(second.start(), JournalError);
  await world.clock.advance(100);
  const stopped = second.stop();
  await world.clock.advance(100);
  journal.letGo();
  await Promise.all([started, stopped]);
  [journal.failing, journal.held] = ['', ''];
  const third = world.createEngine();
  await third.start();
  assert.equal((await third.open()).length, 2);
  assert.ok(
    (await third.open()).every(({ operationId }) => third.checkNow(operationId)),
    'it works on both',
  );
});

test('what a callback ends while others are still being read is not taken up after that', async () => {
  const journal = new HeldClaims();
  const world = payments({ journal, simulator: { cardholder: 'none' } });
  const first = await world.sale();
  const second = await world.sale({ serial_number: '10000002' });
  await world.clock.advance(5000);
  await world.engine.stop();
  world.engine = world.createEngine();
  world.connect(world.engine);
  journal.held = first;
  const started = world.engine.start();
  await world.clock.advance(100);
  assert.equal(await world.callback(second, { finStatus: 'DECLINED', transactionID: 'one' }), 'taken');
  await world.clock.advance(100);
  journal.letGo();
  await started;
  await world.clock.advance(1000);
  assert.deepEqual(
    (await world.engine.open()).map(({ operationId }) => operationId),
    [first],
  );
  assert.equal(world.engine.checkNow(second), false, 'nobody works on it');
  assert.deepEqual(
    world.told.map(({ payload }) => [payload.operationId, payload.outcome]),
    [[second, 'declined']],
  );
});
