import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimiterRegistry } from '../../../src/core/api/transport/rate-limiter.js';
import { Transport } from '../../../src/core/api/transport/transport.js';
import { VirtualClock } from '../../harness/virtual-clock.js';

test('an answer that names the second key, and comes after that was given up, does not carry it further', async () => {
  const clock = new VirtualClock();
  const transport: Transport = new Transport({
    baseUrl: 'https://a.example',
    statusUrl: 'https://a.example',
    apiKey: 'first-key-4711',
    secondApiKey: 'second-key-4711',
    clock,
    rateLimiters: new RateLimiterRegistry(clock),
    send: async ({ headers }) => {
      if (headers.ApiKeyCloud === 'second-key-4711') transport.keepFirstKey();
      const error = { statusCode: 403, name: 'ForbiddenError', message: `no key ${headers.ApiKeyCloud}` };
      return { status: 403, body: JSON.stringify({ error }) };
    },
  });
  await assert.rejects(transport.request({ endpoint: 'read', method: 'GET', path: ['devices'] }), (error: Error) => {
    assert.ok(!error.message.includes('second-key-4711'), error.message);
    return true;
  });
});
