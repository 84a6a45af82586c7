import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../src/core/base/seams.js';
import { type Payments, payments } from '../../harness/payments.js';

/** Whatever the service answers, the flow gets one result, and the process lives. */

/** The simulated service, whose answers at one endpoint read otherwise. */
function answering(endpoint: string, answer: (body: string, request: HttpRequest) => string): Payments {
  const world = payments();
  const send = async (request: HttpRequest): Promise<HttpAnswer> => {
    const given = await world.simulator.send(request);
    if (!request.url.includes(endpoint)) return given;
    return { ...given, body: answer(given.body, request) };
  };
  world.engine = world.createEngine({ send });
  world.connect(world.engine);
  return world;
}

const THROWS = { toString: 1 };

test('a decline whose text cannot be made a string is a decline, sent once', async () => {
  let sent = 0;
  const world = answering('/reversal', () => {
    sent++;
    return JSON.stringify({ finStatus: 'DECLINED', issuerResponseText: THROWS, issuerResponseCode: THROWS });
  });
  const { transactionId: originalGuid } = await world.after(world.sale());
  const { outcome, error } = await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid } }));
  assert.deepEqual([outcome, error?.code, error?.message, sent], ['declined', 'DECLINED', 'declined', 1]);
});

test('a result with a custom field whose key cannot be made a string settles the payment', async () => {
  const odd = { customFields: [{ key: THROWS, value: '1' }] };
  const world = payments();
  const callback = world.engine.callback.bind(world.engine);
  world.engine.callback = (id, token, body) => callback(id, token, JSON.stringify({ ...JSON.parse(body), ...odd }));
  const { outcome, source } = await world.after(world.sale());
  assert.deepEqual([outcome, source], ['approved', 'callback']);
});
