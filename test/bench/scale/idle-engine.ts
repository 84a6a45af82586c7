import { RateLimiterRegistry } from '../../../src/core/api/transport/rate-limiter.js';
import { Engine } from '../../../src/core/engine/engine.js';
import type { Journal } from '../../../src/core/journal/journal.js';
import { newId } from '../../../src/core/platform/new-id.js';
import { systemClock } from '../../../src/core/platform/system-clock.js';
import { ACCESS } from './fill.js';

/** An engine whose service never answers. */
export function idleEngine(environment: string, journal: Journal): Engine {
  return new Engine({
    environment,
    ...ACCESS,
    clock: systemClock,
    newId,
    journal,
    rateLimiters: new RateLimiterRegistry(systemClock),
    send: () => new Promise(() => undefined),
    log: (level, text) => {
      if (level === 'error') console.error(text);
    },
  });
}
