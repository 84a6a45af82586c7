import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JournalError } from '../../../../src/core/base/errors.js';
import type { Send } from '../../../../src/core/base/seams.js';
import { MemoryJournal } from '../../../../src/core/journal/memory.js';
import type { OperationRecord } from '../../../../src/core/journal/record.js';
import { NODE, payments } from '../../../harness/payments.js';
import { devicesAnsweredLate, merchantsOf, restart } from '../../../harness/two-keys.js';
import { VirtualClock } from '../../../harness/virtual-clock.js';

/** What happens to an open payment before the engine has taken it up. */

const OTHER_KEY = 'another-key';
const WAITS = { busyWaitMs: 600_000 };
const DAY = 86_400_000;

/** A journal whose claims and lists take a while each, that says late that a record is durable, and cannot read one of them. */
class DistantJournal extends MemoryJournal {
  claimMs = 0;
  listMs = 0;
  findMs = 0;
  unreadable = '';
  failsToRead = 0;
  isLate = false;
  letGo: () => void = () => undefined;

  constructor(private readonly distance: VirtualClock) {
    super();
  }

  override async claim(...claim: Parameters<MemoryJournal['claim']>): Promise<boolean> {
    if (this.claimMs > 0) await new Promise<void>((resolve) => this.distance.after(this.claimMs, resolve));
    return super.claim(...claim);
  }

  override async openIds(environment: string): Promise<string[]> {
    if (this.listMs > 0) await new Promise<void>((resolve) => this.distance.after(this.listMs, resolve));
    return super.openIds(environment);
  }

  override async find(...query: Parameters<MemoryJournal['find']>): Promise<OperationRecord[]> {
    if (this.findMs > 0) await new Promise<void>((resolve) => this.distance.after(this.findMs, resolve));
    const found = await super.find(...query);
    if (this.failsToRead === 0 || !found.some(({ operationId }) => operationId === this.unreadable)) return found;
    this.failsToRead--;
    throw new JournalError('the record cannot be read');
  }

  protected override async commit(write: () => void): Promise<void> {
    write();
    if (!this.isLate) return;
    this.isLate = false;
    await new Promise<void>((resolve) => {
      this.letGo = resolve;
    });
  }
}

test('a payment that is recorded while open ones are taken up is sent once, and told once', async () => {
  const clock = new VirtualClock();
  const journal = new DistantJournal(clock);
  const shop = payments({ journal, clock, callbacks: false, simulator: { cardholder: { tapAfterMs: 3000 } } });
  await shop.engine.start();
  await shop.sale({ serial_number: '10000002' });
  // They use up the rate of the key, so that the payment is recorded before it is sent.
  for (let asked = 0; asked < 12; asked++) shop.engine.client.status.all(`${asked}`, {}).catch(() => undefined);
  journal.isLate = true;
  const ordered = shop.sale({}, WAITS);
  await clock.advance(2);
  await shop.engine.resume();
  journal.letGo();
  const operationId = await ordered;
  await clock.advance(86_400_000);
  assert.deepEqual(shop.started, ['sale', 'sale']);
  const told = shop.told.filter(({ payload }) => payload.operationId === operationId);
  assert.deepEqual(
    told.map(({ payload }) => payload.outcome),
    ['approved'],
  );
});

test('a sale that waits does not stop the one at its terminal, whose merchant is known a moment later', async () => {
  const clock = new VirtualClock();
  const journal = new DistantJournal(clock);
  const simulator = { merchants: merchantsOf(true, OTHER_KEY), cardholder: { tapAfterMs: 20_000 } };
  const shop = payments({ journal, clock, callbacks: false, simulator });
  await shop.engine.start();
  await shop.sale({}, WAITS);
  await shop.sale({ amount: '700' }, WAITS);
  await clock.advance(1000);
  const stopped = shop.engine.stop();
  await clock.advance(10_000);
  await stopped;
  journal.claimMs = 100;
  const send: Send = async (request) => {
    const isAboutMerchant = request.url.endsWith('/devices');
    if (isAboutMerchant) await new Promise<void>((resolve) => clock.after(150, resolve));
    return shop.simulator.send(request);
  };
  const next = shop.createEngine({ apiKey: OTHER_KEY, send });
  const started = next.start();
  await clock.advance(1000);
  await started;
  shop.connect(next);
  await clock.advance(900_000);
  assert.deepEqual(
    shop.bank.charges().map(({ moved }) => moved),
    [1000, 700],
  );
});

for (const target of ['operation', 'terminal', 'node'] as const) {
  test(`a sale whose ${target} is cancelled before it is taken up is never sent`, async () => {
    const simulator = { merchants: merchantsOf(true, OTHER_KEY), cardholder: { tapAfterMs: 20_000 } };
    const shop = payments({ callbacks: false, simulator });
    await shop.engine.start();
    await shop.sale({ serial_number: '10000002' });
    const operationId = await shop.sale({ serial_number: '10000002', amount: '700' }, WAITS);
    await shop.clock.advance(1000);
    await restart(shop, { apiKey: OTHER_KEY, send: devicesAnsweredLate(shop) }, 10_000);
    const targets = { operation: { operationId }, terminal: { terminal: '10000002' }, node: { node: NODE } };
    assert.ok(await shop.engine.cancelTarget(targets[target]));
    await shop.clock.advance(600_000);
    const told = shop.told.filter(({ payload }) => payload.operationId === operationId);
    assert.deepEqual(
      told.map(({ payload }) => payload.outcome),
      ['cancelled'],
    );
    assert.ok(!shop.bank.charges().some(({ moved }) => moved === 700));
  });
}

test('a sale that is cancelled while it is being taken up is never sent', async () => {
  const clock = new VirtualClock();
  const journal = new DistantJournal(clock);
  const shop = payments({ journal, clock, callbacks: false, simulator: { cardholder: { tapAfterMs: 20_000 } } });
  await shop.sale({ serial_number: '10000002' });
  const operationId = await shop.sale({ serial_number: '10000002', amount: '700' }, WAITS);
  await clock.advance(1000);
  const stopped = shop.engine.stop();
  await clock.advance(10_000);
  await stopped;
  shop.engine = shop.createEngine();
  shop.connect(shop.engine);
  journal.listMs = 100;
  const started = shop.engine.start();
  await clock.advance(50);
  const cancelled = shop.engine.cancelTarget({ operationId });
  await clock.advance(300);
  await started;
  assert.ok(await cancelled);
  await clock.advance(600_000);
  const told = shop.told.filter(({ payload }) => payload.operationId === operationId);
  assert.deepEqual(
    told.map(({ payload }) => payload.outcome),
    ['cancelled'],
  );
  assert.equal(shop.bank.netMoved(operationId), 0);
});

test('a sale on its terminal is cancelled before it is taken up, although the clock was set back over the restart', async () => {
  const shop = payments({ callbacks: false, simulator: { cardholder: { tapAfterMs: 25_000 } } });
  const operationId = await shop.sale();
  await shop.clock.advance(1000);
  await shop.engine.stop();
  const { clock } = shop;
  const behind = (ms: number) => ms - 60_000;
  const setBack = { now: () => behind(clock.now()), wall: () => behind(clock.wall()), after: clock.after.bind(clock) };
  shop.engine = shop.createEngine({ clock: setBack });
  shop.connect(shop.engine);
  assert.ok(await shop.engine.cancelTarget({ operationId }));
  await shop.engine.start();
  await clock.advance(900_000);
  assert.deepEqual([shop.told.at(-1)?.payload.outcome, shop.bank.netMoved()], ['cancelled', 0]);
});

test('a keyed entry that timed out frees its terminal for a message that came before it was taken up', async () => {
  const simulator = { cardholder: 'none', variants: { keyedTimeout: 'busy-until-stop' } } as const;
  const shop = payments({ callbacks: false, simulator });
  const operationId = await shop.sale({ operation: 'moToSale' }, { exclusiveTerminal: false });
  await shop.clock.advance(1000);
  await shop.engine.stop();
  shop.engine = shop.createEngine();
  shop.connect(shop.engine);
  const order = { operation: 'tokenizeCard', amount: undefined, currency: undefined } as const;
  await shop.sale(order, { exclusiveTerminal: false, busyWaitMs: 600_000 });
  await shop.clock.advance(1000);
  await shop.engine.resume();
  await shop.clock.advance(60_000);
  const told = shop.told.filter(({ payload }) => payload.operationId === operationId);
  assert.deepEqual(
    told.map(({ payload }) => payload.outcome),
    ['cancelled'],
  );
});

test('one record that cannot be read spares no other one a cancellation', async () => {
  const clock = new VirtualClock();
  const journal = new DistantJournal(clock);
  const simulator = { merchants: merchantsOf(true, OTHER_KEY), cardholder: { tapAfterMs: 20_000 } };
  const shop = payments({ journal, clock, callbacks: false, simulator });
  journal.unreadable = await shop.sale({ serial_number: '10000002' });
  const operationId = await shop.sale({ serial_number: '10000002', amount: '700' }, WAITS);
  await clock.advance(1000);
  await restart(shop, { apiKey: OTHER_KEY, send: devicesAnsweredLate(shop) }, 10_000);
  await shop.sale();
  journal.failsToRead = 1;
  assert.ok(await shop.engine.cancelTarget({ node: NODE }));
  await clock.advance(600_000);
  const told = shop.told.filter(({ payload }) => payload.operationId === operationId);
  assert.deepEqual(
    told.map(({ payload }) => payload.outcome),
    ['cancelled'],
  );
});

for (const [what, target] of [
  ['an operation', { operationId: 'one' }],
  ['a terminal', { terminal: '10000001' }],
  ['a node', { node: NODE }],
] as const) {
  test(`a cancellation of ${what} is answered although the journal hangs`, async () => {
    const clock = new VirtualClock();
    const journal = new DistantJournal(clock);
    const shop = payments({ journal, clock });
    [journal.listMs, journal.findMs] = [DAY, DAY];
    const answered = assert.rejects(shop.engine.cancelTarget(target), JournalError);
    await clock.advance(10_000);
    await answered;
  });
}

test('a cancellation for which the journal hangs is not one of what is ordered later', async () => {
  const clock = new VirtualClock();
  const journal = new DistantJournal(clock);
  const shop = payments({ journal, clock, callbacks: false });
  const standby = shop.createEngine();
  journal.listMs = 2 * DAY;
  const answered = assert.rejects(standby.cancelTarget({ node: NODE }), JournalError);
  await clock.advance(DAY);
  await answered;
  journal.listMs = 0;
  const operationId = await shop.sale();
  await clock.advance(500);
  await shop.engine.stop();
  shop.connect(standby);
  await standby.resume();
  await clock.advance(600_000);
  assert.equal(shop.bank.netMoved(operationId), 1000);
});

/** A sale is on its terminal, whose record cannot be read then, and another one waits for that terminal. */
async function unreadable(failsToRead: number) {
  const clock = new VirtualClock();
  const journal = new DistantJournal(clock);
  const shop = payments({ journal, clock, callbacks: false, simulator: { cardholder: { tapAfterMs: 25_000 } } });
  const sent = await shop.sale({}, WAITS);
  const waits = await shop.sale({ amount: '700' }, WAITS);
  await clock.advance(1000);
  await shop.engine.stop();
  [journal.unreadable, journal.failsToRead] = [sent, failsToRead];
  shop.engine = shop.createEngine();
  shop.connect(shop.engine);
  await assert.rejects(shop.engine.start(), JournalError);
  return { clock, shop, sent, waits };
}

test('what waits is not sent to a terminal while the record of a payment there cannot be read', async () => {
  const { clock, shop, sent, waits } = await unreadable(1);
  await clock.advance(900_000);
  assert.deepEqual([shop.bank.netMoved(sent), shop.bank.netMoved(waits)], [1000, 700]);
});

test('one record that can never be read keeps no payment that waits from being taken up', async () => {
  const { clock, shop, waits } = await unreadable(Number.POSITIVE_INFINITY);
  await clock.advance(900_000);
  const told = shop.told.filter(({ payload }) => payload.operationId === waits);
  assert.equal(told.length, 1);
});
