import { RateLimiterRegistry } from '../../../core/api/transport/rate-limiter.js';
import { TurnQueues } from '../../../core/engine/turns/turn-queues.js';
import { systemClock } from '../../../core/platform/system-clock.js';

/**
 * One queue for each API key, shared by all environments of this process, as the service counts by key. Where they give one
 * key different limits, the lowest counts.
 */
export const rateLimiters = new RateLimiterRegistry(systemClock);

/** One queue for each terminal, shared by all environments of this process but the simulated ones: those have terminals of their own. */
export const turns = new TurnQueues();
