import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callbackSecret, callbackToken } from '../../../src/core/base/callback.js';
import type { HttpAnswer, HttpRequest } from '../../../src/core/base/seams.js';
import { type Payments, payments } from '../../harness/payments.js';

/** What the service should never have sent is neither written down nor told to the flow. */

const KEY = 'a-key-as-long-as-a-real-one';
const CARD = '4111111111111111';

type Fields = Record<string, unknown>;

/** A flow with a long key; the answers at one endpoint say something else, or the callbacks do. */
function saying(endpoint: string, odd: (sent: Fields) => Fields): Payments {
  const world = payments({
    simulator: { merchants: [{ keys: [KEY] }] },
    engine: { apiKey: KEY, callback: { address: 'https://till.example/payments', secret: callbackSecret(KEY) } },
  });
  const { simulator } = world;
  const changed = (body: string): string => JSON.stringify({ ...JSON.parse(body), ...odd(JSON.parse(body)) });
  const send = async (request: HttpRequest): Promise<HttpAnswer> => {
    const answer = await simulator.send(request);
    return request.url.includes(endpoint) && answer.body !== '' ? { ...answer, body: changed(answer.body) } : answer;
  };
  world.engine = world.createEngine({ send });
  const callback = world.engine.callback.bind(world.engine);
  if (endpoint === 'callback') {
    world.engine.callback = (id, token, body) => callback(id, token, changed(body));
  }
  world.connect(world.engine);
  return world;
}

/** All that is written down, and all that is told. */
async function kept(world: Payments): Promise<string> {
  const records = await world.journal.find({ environment: 'env' });
  return JSON.stringify([records, world.logged, world.told, world.noticed]);
}

test('a callback that repeats the key and its own token carries neither any further', async () => {
  const world = saying('callback', ({ transactionReference }) => ({
    statusMessage: `no access with ${KEY} and ${callbackToken(callbackSecret(KEY), String(transactionReference))}`,
  }));
  const { outcome, source, result, operationId } = await world.after(world.sale());
  assert.deepEqual([outcome, source], ['approved', 'callback']);
  assert.equal(result.statusMessage, 'no access with [redacted] and [redacted]');
  const text = await kept(world);
  assert.ok(!text.includes(KEY) && !text.includes(callbackToken(callbackSecret(KEY), operationId)));
});

for (const odd of [
  { customData: { [`pan_${CARD}`]: CARD } },
  { issuerResponseCode: CARD },
  { applicationLabel: '4111 1111 1111 1111' },
  { deviceStatus: { reader: Number(CARD) } },
  { batchNumber: CARD },
  { rrn: '4111%201111%201111%201111' },
]) {
  test(`a result saying ${JSON.stringify(odd)} settles the payment, and its card number stays with the service`, async () => {
    const world = saying('callback', () => odd);
    assert.equal((await world.after(world.sale())).outcome, 'approved');
    assert.doesNotMatch(await kept(world), /4111(?:%20|\D){0,3}1111(?:%20|\D){0,3}1111(?:%20|\D){0,3}1111/);
  });
}

test('a card number in place of the result id is kept nowhere, and the payment is settled by its callback', async () => {
  const world = saying('/transactions', () => ({ transactionResultId: CARD }));
  assert.equal((await world.after(world.sale())).outcome, 'approved');
  assert.ok(!(await kept(world)).includes(CARD));
});

test('a decline of the back office that names a card number tells its last digits', async () => {
  const world = saying('/moto/sale', () => ({
    approvalCode: '',
    finStatus: 'DECLINED',
    issuerResponseCode: CARD,
    issuerResponseText: CARD,
  }));
  const { card } = await world.after(world.sale({ operation: 'saleAndTokenizeCard' }));
  const body = { cardToken: String(card.token), amount: '10.00', currency: 'EUR' };
  const { error } = await world.after(world.backOffice({ operation: 'moto/sale', body }));
  assert.equal(error?.message, '[card ending 1111]');
  assert.ok(!(await kept(world)).includes(CARD));
});

test('a token that looks like a card number reaches the flow, which asked for it, and not the journal', async () => {
  const world = saying('callback', () => ({ cardToken: CARD }));
  const { card } = await world.after(world.sale({ operation: 'saleAndTokenizeCard' }));
  assert.equal(card.token, CARD);
  assert.ok(!JSON.stringify(await world.journal.find({ environment: 'env' })).includes(CARD));
});
