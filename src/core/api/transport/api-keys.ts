import { ConfigurationError } from '../../base/errors.js';
import type { RateLimiter } from './rate-limiter.js';

/** One key of the merchant, with a rate limit of its own. */
export interface ApiKey {
  readonly text: string;
  readonly rateLimiter: RateLimiter;
}

/** The keys of one merchant: all give the same access (spec: Authentication), and one is used until it is refused. */
export class ApiKeys {
  private keys: readonly ApiKey[];
  private place = 0;
  /** Keys that were refused and not accepted since. */
  private readonly refused = new Set<ApiKey>();

  /**
   * @param texts the first is used first; empty and equal ones are left out
   * @param log called once when a key is refused that was not refused before
   * @throws ConfigurationError if a key cannot be the value of a header
   */
  constructor(
    texts: readonly string[],
    limiterOf: (key: string) => RateLimiter,
    private readonly log: (text: string) => void,
  ) {
    for (const text of texts) {
      if (!/^[\x21-\x7e]+$/.test(text))
        throw new ConfigurationError('the API key is empty, or has characters that a header cannot hold');
    }
    this.keys = [...new Set(texts)].map((text) => ({ text, rateLimiter: limiterOf(text) }));
  }

  /** The key for the next request. */
  get current(): ApiKey {
    const key = this.keys[this.place];
    if (key === undefined) throw new ConfigurationError('the environment has no API key');
    return key;
  }

  get texts(): readonly string[] {
    return this.keys.map(({ text }) => text);
  }

  /** The service has refused a key. Returns whether there is another one, which is used from now on. */
  refuse(key: ApiKey): boolean {
    const refusedPlace = this.keys.indexOf(key);
    if (refusedPlace === this.place) this.place = (this.place + 1) % this.keys.length;
    if (!this.refused.has(key)) {
      this.refused.add(key);
      if (this.keys.length > 1) {
        const names = ['first', 'second'];
        const next = this.keys.every((each) => this.refused.has(each))
          ? 'both are refused now'
          : `the ${names[this.place]} is used from now on`;
        this.log(`the service refuses the ${names[refusedPlace]} API key: ${next}`);
      }
    }
    return this.keys.length > 1;
  }

  /** The others turned out to be of no use. */
  keepFirst(): void {
    this.keys = this.keys.slice(0, 1);
    this.place = 0;
  }

  accept(key: ApiKey): void {
    this.refused.delete(key);
  }
}
