import assert from 'node:assert/strict';
import { Client } from '../../src/core/api/client.js';
import { RateLimiterRegistry } from '../../src/core/api/transport/rate-limiter.js';
import { type Connected, connected, TERMINAL } from '../harness/connected.js';
import { payments } from '../harness/payments.js';
import { chapter, mistaken, refused } from './row.js';

/** The table of limits. What belongs to the service is measured at it, what binds the client by what leaves it. */

const EUR = 'EUR';
const sale = { operation: 'sale', amount: '1000', currency: EUR } as const;
const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;
const long = (length: number): string => 'x'.repeat(length);

/** A sale that waits in front of a cardholder who does what the test says. */
async function waiting(more: object = {}): Promise<Connected & { result(): Promise<unknown> }> {
  const world = connected({ cardholder: 'none' });
  const { transactionResultId = '' } = await world.client.transactions.start({ ...TERMINAL, ...sale, ...more });
  const result = async (): Promise<unknown> => {
    const polled = await world.client.transactions.result(transactionResultId);
    return polled.state === 'result' ? polled.result.finStatus : polled.state;
  };
  return { ...world, result };
}

/** A prompt is open for 30 seconds, and then ends the sale like this. */
async function lasts30(world: Awaited<ReturnType<typeof waiting>>, open: unknown, ends: unknown): Promise<void> {
  await world.clock.advance(30 * SECOND - 1);
  assert.equal(await world.result(), open);
  await world.clock.advance(2 * SECOND);
  assert.equal(await world.result(), ends);
}

/** Presents the same card until the terminal takes it no more, and counts how often. */
async function attempts(entry: 'CONTACTLESS_ICC' | 'ICC' | 'MAG_STRIPE'): Promise<number> {
  const { terminal, clock } = await waiting();
  for (let taken = 0; ; taken++) {
    if (!terminal.presentCard({ entry, unreadable: true })) return taken;
    await clock.advance(0);
  }
}

export const LIMITS = chapter('Limits', {
  'request rate: 2 per second per key, 429 beyond': async () => {
    const world = connected({ requestsPerSecond: 2 });
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++) statuses.push((await world.post('/reversal', {})).status);
    assert.deepEqual(statuses, [422, 422, 429]);
  },
  'request rate: the client keeps to it, first come first served': async () => {
    const { simulator, clock } = connected({ requestsPerSecond: 2 });
    const { baseUrl, statusUrl, send, requests } = simulator;
    const rateLimiters = new RateLimiterRegistry(clock);
    const client = new Client({ baseUrl, statusUrl, apiKey: 'simulator', send, clock, rateLimiters });
    const asked = Array.from({ length: 7 }, (_, place) =>
      client.token.fetch(`unknown-${place}`).catch((error: { serviceCode?: string }) => error.serviceCode),
    );
    await clock.runUntilIdle();
    assert.deepEqual(new Set(await Promise.all(asked)), new Set(['3112']));
    const log = requests.latest();
    assert.deepEqual(
      log.map(({ path }) => path),
      asked.map((_, place) => `/transactions/unknown-${place}/token`),
    );
    assert.ok(log.every(({ status }) => status !== 429));
  },
  'amount: digits only, at most 12 characters': async () => {
    const { client, sold } = connected();
    assert.equal((await sold('999999999998')).result.totalAmount, 999_999_999_998);
    await mistaken(client.transactions.start({ ...TERMINAL, ...sale, amount: '1000000000000' }), 'amount');
  },
  'originalGuid: at most 64 characters (capture, increase)': async () => {
    const { client, post } = connected();
    const capture = { originalGuid: long(65), capturedAmount: '1.00' };
    await mistaken(client.preauthorization.capture(capture), 'originalGuid');
    assert.equal((await post('/preauthorization/capture', capture)).status, 422);
    const increase = { originalGuid: long(65), increaseAmount: '1.00' };
    await mistaken(client.preauthorization.increase(increase), 'originalGuid');
    assert.equal((await post('/preauthorization/increase', increase)).status, 422);
  },
  'capturedAmount, tipAmount, increaseAmount: at most 32 characters each': async () => {
    const { client, post } = connected();
    const digits = '1'.repeat(33);
    const capture = { originalGuid: 'x', capturedAmount: digits };
    const tip = { originalGuid: 'x', capturedAmount: '1.00', tipAmount: digits };
    const increase = { originalGuid: 'x', increaseAmount: digits };
    await mistaken(client.preauthorization.capture(capture), 'capturedAmount');
    await mistaken(client.preauthorization.capture(tip), 'tipAmount');
    await mistaken(client.preauthorization.increase(increase), 'increaseAmount');
    assert.equal((await post('/preauthorization/capture', capture)).status, 422);
    assert.equal((await post('/preauthorization/capture', tip)).status, 422);
    assert.equal((await post('/preauthorization/increase', increase)).status, 422);
  },
  'customerReference: at most 64 characters (capture, increase)': async () => {
    const { client, post } = connected();
    const capture = { originalGuid: 'x', capturedAmount: '1.00', customerReference: long(65) };
    const increase = { originalGuid: 'x', increaseAmount: '1.00', customerReference: long(65) };
    await mistaken(client.preauthorization.capture(capture), 'customerReference');
    await mistaken(client.preauthorization.increase(increase), 'customerReference');
    assert.equal((await post('/preauthorization/capture', capture)).status, 422);
    assert.equal((await post('/preauthorization/increase', increase)).status, 422);
  },
  'metadata1 to metadata5: 250 characters each': async () => {
    const { client, sold } = connected();
    await sold('1000', { metadata: { metadata1: long(250), metadata5: long(250) } });
    const asked = { ...TERMINAL, ...sale, metadata: { metadata5: long(251) } };
    await mistaken(client.transactions.start(asked), 'metadata.metadata5');
  },
  'fullName: 30 characters': async () => {
    const remittance = (fullName: string) => ({ moneyRemittanceOptions: { fullName, countryCode: 'ESP' } });
    const { client, sold } = connected();
    await sold('1000', remittance(long(30)));
    const asked = client.transactions.start({ ...TERMINAL, ...sale, ...remittance(long(31)) });
    await mistaken(asked, 'moneyRemittanceOptions.fullName');
  },
  'subtract: only value 1': async () => {
    const { client, post } = connected();
    const asked = { originalGuid: 'x', increaseAmount: '1.00', subtract: '0' };
    await mistaken(client.preauthorization.increase(asked as never), 'subtract');
    assert.equal((await post('/preauthorization/increase', asked)).status, 422);
  },
  'duplicate-check prompt: 30 seconds': async () => {
    const world = await waiting();
    world.terminal.presentCard();
    await world.clock.advance(5000);
    const again = await world.client.transactions.start({ ...TERMINAL, ...sale });
    world.terminal.presentCard();
    await world.clock.advance(0);
    assert.equal(world.terminal.screen.stage, 'duplicate');
    await world.clock.advance(30 * SECOND);
    const polled = await world.client.transactions.result(again.transactionResultId ?? '');
    assert.equal(polled.state === 'result' && polled.result.finStatus, 'CANCELLED');
  },
  'duplicate-check window: 5 minutes for the same card and amount': async () => {
    const { perform, clock } = connected({ cardholder: { acceptDuplicate: false } });
    await perform(sale);
    await clock.advance(290 * SECOND);
    assert.equal((await perform(sale)).finStatus, 'CANCELLED');
    await clock.advance(300 * SECOND);
    assert.equal((await perform(sale)).finStatus, 'AUTHORISED');
  },
  'card read: 30 seconds': async () => lasts30(await waiting(), 'pending', 'CANCELLED'),
  'PIN: 30 seconds': async () => {
    const world = await waiting();
    world.terminal.presentCard({ entry: 'ICC' });
    await lasts30(world, 'pending', 'CANCELLED');
  },
  'signature: 30 seconds, then reversed': async () => {
    const world = await waiting();
    world.terminal.presentCard({ entry: 'MAG_STRIPE' });
    await world.clock.advance(700);
    await lasts30(world, 'pending', 'CANCELLED');
    assert.equal(world.simulator.bank.netMoved(), 0);
  },
  'partial-approval prompt: 30 seconds, then reversed': async () => {
    const world = await waiting({ amount: '3757' });
    world.terminal.presentCard();
    await world.clock.advance(700);
    await lasts30(world, 'PARTIAL_APPROVAL', 'CANCELLED');
    assert.equal(world.simulator.bank.netMoved(), 0);
  },
  'card-read attempts: contactless 3, chip 3, swipe 1': async () => {
    assert.deepEqual(
      [await attempts('CONTACTLESS_ICC'), await attempts('ICC'), await attempts('MAG_STRIPE')],
      [3, 3, 1],
    );
  },
  'PIN attempts: 3': async () => {
    const world = await waiting();
    world.terminal.presentCard({ entry: 'ICC' });
    for (let attempt = 0; attempt < 3; attempt++) {
      await world.clock.advance(0);
      assert.equal(world.terminal.enterPin(false), true);
    }
    await world.clock.advance(1000);
    assert.equal(await world.result(), 'DECLINED');
  },
  'worst-case terminal time: about 340 seconds': async () => {
    const world = connected({ cardholder: 'none', timings: { promptMs: 300 * SECOND } });
    await world.client.transactions.start({ ...TERMINAL, ...sale });
    await world.clock.advance(299 * SECOND);
    world.terminal.presentCard({ unreadable: true });
    await world.clock.advance(41 * SECOND);
    assert.equal(world.terminal.screen.stage, 'idle');
  },
  'active recovery: 360 seconds, then the flow is told': async () => {
    const world = payments();
    world.simulator.faults.arm({ kind: 'power-cut-processing', ms: 0 });
    const began = world.clock.now();
    await world.sale();
    await world.untilTold();
    const took = (world.clock.now() - began) / SECOND;
    assert.ok(took >= 360 && took < 400, String(took));
  },
  'partial approval: at least 60 seconds of polling': async () => {
    const world = payments({ callbacks: false });
    await world.sale({ amount: '3757' });
    const read = (): boolean => world.progress.some(({ stage }) => stage === 'partial');
    await world.clock.runUntil(read);
    const began = world.clock.now();
    assert.equal((await world.untilTold()).payload.outcome, 'partial');
    assert.ok(world.clock.now() - began >= 60 * SECOND, String(world.clock.now() - began));
  },
  'UNDEFINED threshold: 90 seconds': async () => {
    const world = payments();
    world.simulator.faults.arm({ kind: 'request-lost', match: { endpoint: 'POST /transactions' } });
    await world.sale();
    await world.clock.advance(89 * SECOND);
    assert.equal(world.told.length, 0);
    assert.equal((await world.untilTold()).payload.outcome, 'not-charged');
  },
  'refund of a MOTO sale: older than 90 days is silently not refunded': async () => {
    const { client, clock, stored, simulator } = connected();
    const money = { amount: '5.00', currency: EUR };
    const { guid: originalGuid = '' } = await client.moto.sale({ ...money, cardToken: await stored() });
    await clock.advance(91 * DAY);
    assert.equal((await client.moto.refund({ ...money, originalGuid })).httpStatus, '200');
    assert.equal(simulator.bank.netMoved(), 500);
  },
  'refund of a MOTO sale: older than 90 days the flow is told to look': async () => {
    const world = payments();
    const money = { amount: '5.00', currency: EUR };
    const { card } = await world.after(world.sale({ operation: 'saleAndTokenizeCard' }));
    const body = { ...money, cardToken: String(card.token) };
    const { transactionId: originalGuid } = await world.after(world.backOffice({ operation: 'moto/sale', body }));
    await world.clock.advance(91 * DAY);
    const order = { operation: 'moto/refund', body: { ...money, originalGuid } } as const;
    const { outcome, error } = await world.after(world.backOffice(order));
    assert.deepEqual([outcome, error?.code, world.bank.netMoved()], ['unknown', 'REFUND_UNCERTAIN', 1500]);
  },
  'tip adjustment: only before the batch close': async () => {
    const { client, sold } = connected({ merchants: [{ demo: false }] });
    const { transactionID } = await sold();
    await client.batch.close({ serialNumber: '10000001', deviceType: 'SIMULATEDT1' });
    await refused(client.tip.adjust({ transactionID, amount: '1.00', currency: EUR }), '3153');
  },
  'tip adjustment: within 60 s of the sale an approval without effect is noticed': async () => {
    const world = payments({ simulator: { variants: { earlyTip: 'ignored' } } });
    const { transactionId: transactionID = '' } = await world.after(world.sale());
    const order = { operation: 'tip-adjustment', body: { transactionID, amount: '2.00', currency: EUR } } as const;
    const { outcome } = await world.after(world.backOffice(order));
    assert.deepEqual([outcome, world.bank.netMoved()], ['approved', 1200]);
  },
  'pre-auth hold life: at least 7 days': async () => {
    const { client, clock, held, simulator } = connected();
    const { transactionID: originalGuid } = await held();
    await clock.advance(7 * DAY - 60 * SECOND);
    await client.preauthorization.capture({ originalGuid, capturedAmount: '100.00' });
    assert.equal(simulator.bank.netMoved(), 10_000);
  },
  'batch close: automatic around 23:00 Eastern time (04:00 UTC)': async () => {
    const { client, clock, sold } = connected({ merchants: [{ demo: false }] });
    const { transactionID: originalGuid } = await sold();
    const sinceClose = (clock.now() - 4 * 3600 * SECOND) % DAY;
    await clock.advance(DAY - sinceClose - 1);
    await client.reversal.reverse({ originalGuid, amount: '1.00', currency: EUR });
    await clock.advance(1);
    await refused(client.reversal.reverse({ originalGuid }), '3153');
  },
});
