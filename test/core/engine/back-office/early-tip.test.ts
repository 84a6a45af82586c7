import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import { MemoryJournal } from '../../../../src/core/journal/memory.js';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import { Life } from '../../../harness/life.js';
import { type Payments, payments } from '../../../harness/payments.js';
import { VirtualClock } from '../../../harness/virtual-clock.js';

/** A tip of 2.00 EUR on 10.00, within a minute of the sale: the service may approve it, and not set it. */

interface Early {
  world: Payments;
  transactionId: string;
  life: Life;
  /** Of the sale. */
  reference: string;
  /** When each tip left, ms after the flow knew of the sale. */
  sentAfter: () => number[];
}

interface Service {
  earlyTip?: 'applied' | 'ignored';
  /** Whether the status service can be asked about the payment: about a keyed one it cannot. */
  isTraceable?: boolean;
  /** In the place of the service's answer to a tip, by the number of the request. */
  answer?: (number: number, serve: () => Promise<HttpAnswer>) => Promise<HttpAnswer>;
  /** How the status service answers. */
  list?: (answer: HttpAnswer) => HttpAnswer;
}

async function sold({
  earlyTip = 'ignored',
  isTraceable = true,
  answer = (_number, serve) => serve(),
  list = (one) => one,
}: Service = {}): Promise<Early> {
  const sent: number[] = [];
  const clock = new VirtualClock();
  const life = new Life(clock);
  const world: Payments = payments({
    clock,
    callbacks: isTraceable,
    simulator: { variants: { earlyTip }, merchants: [{ demo: false }] },
    engine: {
      clock: life,
      send: async (request) => {
        const serve = () => world.simulator.send(request);
        if (request.url.endsWith('/status/all')) return list(await serve());
        if (request.url.endsWith('/tip-adjustment')) return answer(sent.push(clock.now()), serve);
        return isTraceable ? serve() : unnamed(await serve());
      },
    },
  });
  const { transactionId, reference } = await world.after(world.sale(isTraceable ? {} : { operation: 'moToSale' }));
  const from = clock.now();
  return { world, life, transactionId, reference, sentAfter: () => sent.map((at) => at - from) };
}

/** A result that names no reference by which the chain could be asked for. */
function unnamed({ status, body }: HttpAnswer): HttpAnswer {
  return { status, body: body.replaceAll('"transactionReference"', '"x"') };
}

function orderOf({ transactionId: transactionID }: Pick<Early, 'transactionId'>): BackOfficeOrder {
  return { operation: 'tip-adjustment', body: { transactionID, amount: '2.00', currency: 'EUR' } };
}

const tip = (sale: Early, more: Partial<BackOfficeOrder> = {}): Promise<string> =>
  sale.world.backOffice({ ...orderOf(sale), ...more } as BackOfficeOrder);

/** All that the flow is told of the tip within a day, and what the bank has of the payment. */
async function toldOf({ world }: Early) {
  const before = 1;
  await world.untilTold(before + 1);
  await world.clock.advance(86_400_000);
  const said = world.told.slice(before).map(({ payload }) => [payload.outcome, payload.error?.code, payload.source]);
  return { said, moved: world.bank.netMoved() };
}

const APPROVED = (source: string) => [['approved', undefined, source]];
const LOOK = [['unknown', 'TIP_UNCERTAIN', 'recovery']];

async function restart({ world, life }: Early): Promise<void> {
  life.die();
  world.journal.crash();
  world.engine = world.createEngine({ clock: world.clock });
  world.connect(world.engine);
  await world.engine.start();
}

test('a tip that is set although the sale is young is told at once, as the chain shows it', async () => {
  const sale = await sold({ earlyTip: 'applied' });
  const { clock } = sale.world;
  const from = clock.now();
  const { outcome, source, amount } = await sale.world.after(tip(sale));
  assert.deepEqual([outcome, source, amount?.total], ['approved', 'status', '2.00']);
  assert.ok(clock.now() - from <= 1000, `told after ${clock.now() - from} ms`);
  assert.deepEqual(await toldOf(sale), { said: APPROVED('status'), moved: 1200 });
  assert.equal(sale.sentAfter().length, 1);
});

test('a tip that replaces one of a moment ago is told as soon, and an equal one once the chain is sure to show that', async () => {
  const sale = await sold({ earlyTip: 'applied' });
  const { world } = sale;
  await world.clock.advance(2000);
  const timeOf = async (amount: string): Promise<number> => {
    const from = world.clock.now();
    const body = { transactionID: sale.transactionId, amount, currency: 'EUR' };
    const { outcome, source } = await world.after(world.backOffice({ operation: 'tip-adjustment', body }));
    assert.deepEqual([outcome, source], ['approved', 'status']);
    return world.clock.now() - from;
  };
  assert.ok((await timeOf('6.00')) <= 1000);
  await world.clock.advance(2000);
  assert.ok((await timeOf('8.00')) <= 1000);
  assert.equal(world.bank.netMoved(), 1800);
  await world.clock.advance(2000);
  assert.ok((await timeOf('8.00')) > 10_000);
});

test('a tip that is approved too early and not set is sent once more when the sale is a minute old', async () => {
  const sale = await sold();
  await tip(sale);
  assert.deepEqual(await toldOf(sale), { said: APPROVED('answer'), moved: 1200 });
  const [first = 0, second = 0, ...more] = sale.sentAfter();
  assert.deepEqual([first < 1000, second >= 60_000 && second < 61_000, more], [true, true, []]);
});

test('of a sale that nobody can be asked about the tip waits for the minute, and is sent once more', async () => {
  for (const earlyTip of ['applied', 'ignored'] as const) {
    const sale = await sold({ earlyTip, isTraceable: false });
    await tip(sale);
    assert.deepEqual(await toldOf(sale), { said: APPROVED('answer'), moved: 1200 });
    const [, second = 0, ...more] = sale.sentAfter();
    assert.deepEqual([second >= 60_000 && second < 61_000, more], [true, []]);
  }
});

test('a tip on a sale that is a minute old is told as it is answered', async () => {
  const sale = await sold();
  await sale.world.clock.advance(60_000);
  await tip(sale);
  assert.deepEqual(await toldOf(sale), { said: APPROVED('answer'), moved: 1200 });
  assert.equal(sale.sentAfter().length, 1);
});

test('what counts is when the tip was sent, not when its answer came', async () => {
  const sale = await sold({
    answer: async (number, serve) => {
      const answer = await serve();
      if (number === 1) await new Promise<void>((done) => void sale.world.clock.after(20_000, done));
      return answer;
    },
  });
  await sale.world.clock.advance(50_000);
  await tip(sale);
  assert.deepEqual(await toldOf(sale), { said: APPROVED('answer'), moved: 1200 });
  assert.equal(sale.sentAfter().length, 2);
});

test('a jump of the wall clock makes no young sale old', async () => {
  const sale = await sold();
  sale.world.clock.jumped = 3_600_000;
  await tip(sale);
  assert.deepEqual(await toldOf(sale), { said: APPROVED('answer'), moved: 1200 });
});

test('nor does one right before the tip is sent, and where no later try is known to be in time a person must look', async () => {
  const sale: Early = await sold({
    list: (answer) => {
      sale.world.clock.jumped = 600_000;
      return answer;
    },
  });
  await tip(sale);
  assert.deepEqual(await toldOf(sale), { said: LOOK, moved: 1000 });
  assert.equal(sale.sentAfter().length, 1);
});

test('a jump between both tries leaves it to the chain, and to a person', async () => {
  const sale = await sold();
  await tip(sale);
  await sale.world.clock.advance(1000);
  sale.world.clock.jumped = 3_600_000;
  assert.deepEqual(await toldOf(sale), { said: LOOK, moved: 1000 });
  assert.equal(sale.sentAfter().length, 1);
});

test('a service that lists no tips, or does not answer, is sent the tip once more', async () => {
  const unlisted = ({ status, body }: HttpAnswer): HttpAnswer => ({
    status,
    body: body.replaceAll('"tipAmount"', '"x"'),
  });
  const down = (): HttpAnswer => ({ status: 503, body: '' });
  for (const [list, by] of [
    [unlisted, 61_000],
    [down, 76_000],
  ] as const) {
    const sale = await sold({ list });
    await tip(sale);
    assert.deepEqual(await toldOf(sale), { said: APPROVED('answer'), moved: 1200 });
    const [, second = 0, ...more] = sale.sentAfter();
    assert.deepEqual([second >= 60_000 && second < by, more], [true, []]);
  }
});

test('the age of a sale that the journal does not know is that of the chain', async () => {
  const sale = await sold();
  const { world, reference: originalReference } = sale;
  world.engine = world.createEngine({ journal: new MemoryJournal(), clock: world.clock });
  world.connect(world.engine);
  await tip(sale, { originalReference });
  assert.deepEqual(await toldOf(sale), { said: APPROVED('answer'), moved: 1200 });
  assert.equal(sale.sentAfter().length, 2);
});

test('where nobody knows the age of the sale the answer counts at once', async () => {
  const sale = await sold({ earlyTip: 'applied' });
  const { world } = sale;
  world.engine = world.createEngine({ journal: new MemoryJournal(), clock: world.clock });
  world.connect(world.engine);
  await tip(sale);
  assert.deepEqual(await toldOf(sale), { said: APPROVED('answer'), moved: 1200 });
  assert.equal(sale.sentAfter().length, 1);
});

test('the limit of when a tip may start does not stop its second try', async () => {
  for (const isTraceable of [true, false]) {
    const sale = await sold({ isTraceable });
    await tip(sale, { startWithinMs: 30_000 });
    assert.deepEqual(await toldOf(sale), { said: APPROVED('answer'), moved: 1200 });
  }
});

test('a second try that meets 429 for half a minute is made in the end', async () => {
  for (const isTraceable of [true, false]) {
    const over = { at: 0 };
    const throttled = { status: 429, body: JSON.stringify({ error: { statusCode: 429, code: '429', message: 'no' } }) };
    const sale: Early = await sold({
      isTraceable,
      answer: async (number, serve) => (number > 1 && sale.world.clock.now() < over.at ? throttled : serve()),
    });
    over.at = sale.world.clock.now() + 90_000;
    await tip(sale);
    assert.deepEqual(await toldOf(sale), { said: APPROVED('answer'), moved: 1200 });
  }
});

test('a second try whose answer is lost is made again', async () => {
  for (const isTraceable of [true, false]) {
    const sale = await sold({
      isTraceable,
      answer: async (number, serve) => (number === 2 ? { status: 502, body: '' } : serve()),
    });
    await tip(sale);
    assert.deepEqual(await toldOf(sale), { said: APPROVED('answer'), moved: 1200 });
    assert.equal(sale.sentAfter().length, 3);
  }
});

for (const isTraceable of [true, false]) {
  const title = isTraceable ? '' : ' that nobody can be asked about';

  test(`a tip${title} whose batch is closed before the second try is left to a person`, async () => {
    const sale = await sold({ isTraceable });
    await tip(sale);
    await sale.world.clock.advance(1000);
    const close = { method: 'POST', url: `${sale.world.simulator.baseUrl}/batch/close` } as const;
    const body = JSON.stringify({ serialNumber: '10000001', deviceType: 'SIMULATEDT1' });
    const headers = { ApiKeyCloud: 'simulator' };
    assert.equal((await sale.world.simulator.send({ ...close, headers, body, timeoutMs: 1000 })).status, 200);
    assert.deepEqual(await toldOf(sale), { said: LOOK, moved: 1000 });
    assert.equal(sale.sentAfter().length, 2);
  });

  test(`a tip${title} that is cancelled before its second try is not sent again, and left to a person`, async () => {
    const sale = await sold({ isTraceable });
    const operationId = await tip(sale);
    await sale.world.clock.advance(1000);
    assert.equal(sale.world.engine.cancel(operationId), true);
    assert.deepEqual(await toldOf(sale), { said: LOOK, moved: 1000 });
    assert.equal(sale.sentAfter().length, 1);
  });

  for (const end of ['crash', 'deploy'] as const) {
    test(`a tip${title} is not sent again after a ${end}, and left to a person`, async () => {
      const sale = await sold({ isTraceable });
      await tip(sale);
      await sale.world.clock.advance(1000);
      if (end === 'deploy') await sale.world.engine.stop();
      await restart(sale);
      assert.deepEqual(await toldOf(sale), { said: LOOK, moved: 1000 });
      assert.equal(sale.sentAfter().length, 1);
    });
  }
}

test('a tip that was set is found in the chain after a crash', async () => {
  let isHidden = true;
  const hidden: HttpAnswer = { status: 503, body: '' };
  const sale = await sold({ earlyTip: 'applied', list: (answer) => (isHidden ? hidden : answer) });
  await tip(sale);
  await sale.world.clock.advance(1000);
  isHidden = false;
  await restart(sale);
  assert.deepEqual(await toldOf(sale), { said: APPROVED('status'), moved: 1200 });
  assert.equal(sale.sentAfter().length, 1);
});
