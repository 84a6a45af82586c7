import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Send } from '../../../../src/core/base/seams.js';
import { MemoryJournal } from '../../../../src/core/journal/memory.js';
import { NODE, payments } from '../../../harness/payments.js';
import { devicesAnsweredLate, merchantsOf, restart } from '../../../harness/two-keys.js';
import { VirtualClock } from '../../../harness/virtual-clock.js';

/** What happens to an open payment before the engine has taken it up. */

const OTHER_KEY = 'another-key';
const WAITS = { busyWaitMs: 600_000 };

/** A journal whose claims take a while each, and that says late that a record is durable. */
class DistantJournal extends MemoryJournal {
  claimMs = 0;
  isLate = false;
  letGo: () => void = () => undefined;

  constructor(private readonly distance: VirtualClock) {
    super();
  }

  override async claim(...claim: Parameters<MemoryJournal['claim']>): Promise<boolean> {
    if (this.claimMs > 0) await new Promise<void>((resolve) => this.distance.after(this.claimMs, resolve));
    return super.claim(...claim);
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
