import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimiterRegistry } from '../../../src/core/api/transport/rate-limiter.js';
import { DEFAULT_KEY } from '../../../src/simulator/index.js';
import { payments } from '../../harness/payments.js';

test('of two environments with one key the more careful one counts for both, until it stops', async () => {
  const world = payments();
  const { clock, simulator } = world;
  const rateLimiters = new RateLimiterRegistry(clock);
  world.createEngine({ rateLimiters, requestsPerSecond: 4 });
  const { rateLimiter } = rateLimiters.join(simulator.baseUrl, DEFAULT_KEY, 4);
  const startsAtOnce = async (): Promise<number> => {
    await clock.advance(5000);
    let starts = 0;
    for (let asked = 0; asked < 4; asked++) {
      void rateLimiter.take().then((place) => {
        starts++;
        place.answered();
      });
    }
    await clock.advance(0);
    return starts;
  };
  assert.equal(await startsAtOnce(), 4);
  const careful = world.createEngine({ rateLimiters, requestsPerSecond: 2 });
  assert.equal(await startsAtOnce(), 2);
  await careful.stop();
  assert.equal(await startsAtOnce(), 4);
});
