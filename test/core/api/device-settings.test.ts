import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '../../../src/core/api/client.js';
import { RateLimiterRegistry } from '../../../src/core/api/transport/rate-limiter.js';
import { AnswerLostError, RefusedError } from '../../../src/core/base/errors.js';
import { VirtualClock } from '../../harness/virtual-clock.js';

const TERMINAL = { serial_number: '10000001', terminal_type: 'SIMULATEDT1' };

/** Changes the locale of a terminal; the service answers with this. */
async function set(status: number, body: object | string): Promise<void> {
  const clock = new VirtualClock();
  const client = new Client({
    baseUrl: 'https://service.example/api',
    statusUrl: 'https://service.example/status',
    apiKey: 'key',
    send: async () => ({ status, body: typeof body === 'string' ? body : JSON.stringify(body) }),
    clock,
    rateLimiters: new RateLimiterRegistry(clock),
  });
  await client.commands.run(TERMINAL, 'set-locale', { locale: 'en_US' });
}

for (const [what, status, body] of [
  ['202', 202, ''],
  ['202 and a word', 202, 'Accepted'],
  ['200', 200, ''],
  ['204', 204, ''],
  ['200 and a body', 200, { statusMessage: 'ok' }],
] as const) {
  test(`a setting that is answered with ${what} is accepted`, () => set(status, body));
}

for (const [what, status, body] of [
  ['the page of a proxy', 200, '<html>Log in</html>'],
  ['an error in a 200', 200, { error: { statusCode: 400, name: 'BadRequestError', message: 'no such locale' } }],
  ['a terminal error in a 202', 202, { error: 1002, message: 'offline' }],
] as const) {
  test(`a setting that is answered with ${what} may have been accepted, or not`, async () => {
    await assert.rejects(set(status, body), AnswerLostError);
  });
}

test('a setting that is refused is refused', async () => {
  const error = { statusCode: 400, name: 'BadRequestError', message: 'no such locale' };
  await assert.rejects(set(400, { error }), RefusedError);
});
