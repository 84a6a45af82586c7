import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimiterRegistry } from '../../../../src/core/api/transport/rate-limiter.js';
import { Transport, type TransportOptions } from '../../../../src/core/api/transport/transport.js';
import { ConfigurationError } from '../../../../src/core/base/errors.js';
import { systemClock } from '../../../../src/core/platform/system-clock.js';

const GOOD = { baseUrl: 'https://service.example/api', statusUrl: 'https://status.example' };
const NOT_BELOW = [
  'https://service.example/api?tenant=s3cret',
  'https://service.example/api?',
  'https://service.example/api#s3cret',
  'https://service.example/#',
  'https://user:s3cret@service.example/api',
  'https://user@service.example/api',
];

const made = (addresses: Pick<TransportOptions, 'baseUrl' | 'statusUrl'>): Transport =>
  new Transport({
    ...addresses,
    apiKey: 'a-key-of-the-merchant',
    send: () => assert.fail('it was sent'),
    clock: systemClock,
    rateLimiters: new RateLimiterRegistry(systemClock),
  });

test('an address below which a path can stand is taken, with slashes at its end too', () => {
  made(GOOD);
  made({ baseUrl: 'http://127.0.0.1:1880/api/v2//', statusUrl: 'https://status.example/' });
});

for (const address of NOT_BELOW) {
  test(`an address below which no path can stand is a mistake of the configuration, which names it: ${address}`, () => {
    for (const [field, name] of [
      ['baseUrl', 'service'],
      ['statusUrl', 'status service'],
    ] as const) {
      assert.throws(
        () => made({ ...GOOD, [field]: address }),
        (error) =>
          error instanceof ConfigurationError &&
          error.message.startsWith(`the address of the ${name} has`) &&
          !error.message.includes('s3cret'),
      );
    }
  });
}
