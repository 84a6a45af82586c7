import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimiterRegistry } from '../../../src/core/api/transport/rate-limiter.js';
import { Transport } from '../../../src/core/api/transport/transport.js';
import { VirtualClock } from '../../harness/virtual-clock.js';

const FIRST = 'first-key-4711';
const SECOND = 'second-key-4711';

/** A service that refuses both keys, and says which. */
function refusedTransport(isSecondProved: boolean): { sentWith: unknown[]; ask: () => Promise<unknown> } {
  const clock = new VirtualClock();
  const sentWith: unknown[] = [];
  const transport = new Transport({
    baseUrl: 'https://a.example',
    statusUrl: 'https://a.example',
    apiKey: FIRST,
    secondApiKey: SECOND,
    isSecondProved: async () => isSecondProved,
    clock,
    rateLimiters: new RateLimiterRegistry(clock),
    send: async ({ headers }) => {
      sentWith.push(headers.ApiKeyCloud);
      const error = { statusCode: 403, name: 'ForbiddenError', message: `no key ${FIRST}, and no ${SECOND}` };
      return { status: 403, body: JSON.stringify({ error }) };
    },
  });
  return { sentWith, ask: () => transport.request({ endpoint: 'read', method: 'GET', path: ['devices'] }) };
}

test('a second key that is not proved to be of the same merchant is never sent', async () => {
  const { sentWith, ask } = refusedTransport(false);
  await assert.rejects(ask());
  assert.deepEqual(sentWith, [FIRST]);
});

test('an answer that names the keys does not carry them further, whether the second is used or not', async () => {
  for (const isSecondProved of [true, false]) {
    const { sentWith, ask } = refusedTransport(isSecondProved);
    await assert.rejects(ask(), ({ message }: Error) => {
      assert.ok(!message.includes(FIRST) && !message.includes(SECOND), message);
      return true;
    });
    assert.equal(sentWith.length, isSecondProved ? 2 : 1);
  }
});
