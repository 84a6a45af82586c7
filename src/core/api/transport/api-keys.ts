import { ConfigurationError } from '../../base/errors.js';
import type { RateLimiter } from './rate-limiter.js';

const NAMES = ['first', 'second'];

/** One key of the merchant, with a rate limit of its own. */
export interface ApiKey {
  readonly text: string;
  readonly rateLimiter: RateLimiter;
  /** Uses its rate limit no longer. */
  readonly leave: () => void;
}

/**
 * The keys of one merchant: all give the same access (spec: Authentication), and one is used until it is refused. The second
 * is not used before it is proved to be of the same merchant.
 */
export class ApiKeys {
  private readonly keys: readonly ApiKey[];
  private place = 0;
  private isProved = false;
  /** Keys that were refused and not accepted since. */
  private readonly refused = new Set<ApiKey>();

  /**
   * @param texts the first is used first; empty and equal ones are left out
   * @param log called once when a key is refused that was not refused before
   * @param prove whether the second key is of the merchant of the first
   * @throws ConfigurationError if a key cannot be the value of a header
   */
  constructor(
    texts: readonly string[],
    joinLimiter: (key: string) => Pick<ApiKey, 'rateLimiter' | 'leave'>,
    private readonly log: (text: string) => void,
    private readonly prove: () => Promise<boolean>,
  ) {
    for (const text of texts) {
      if (!/^[\x21-\x7e]+$/.test(text))
        throw new ConfigurationError('the API key is empty, or has characters that a header cannot hold');
    }
    this.keys = [...new Set(texts)].map((text) => ({ text, ...joinLimiter(text) }));
  }

  /** The key for the next request. */
  get current(): ApiKey {
    const key = this.keys[this.place];
    if (key === undefined) throw new ConfigurationError('API key: none is entered');
    return key;
  }

  /** See {@link RateLimiter.startAfresh}. */
  startAfresh(): void {
    for (const { rateLimiter } of this.keys) rateLimiter.startAfresh();
  }

  /** See {@link Transport.close}. */
  close(): void {
    for (const { leave } of this.keys) leave();
  }

  get texts(): readonly string[] {
    return this.keys.map(({ text }) => text);
  }

  /** The service has refused a key. Resolves with whether there is another one, which is used from now on. */
  async refuse(key: ApiKey): Promise<boolean> {
    const isNews = !this.refused.has(key);
    this.refused.add(key);
    if (this.keys.length === 1) return false;
    this.isProved ||= await this.prove();
    if (this.isProved && this.current === key) this.place = (this.place + 1) % this.keys.length;
    if (isNews) this.log(`the service refuses the ${NAMES[this.keys.indexOf(key)]} API key: ${this.consequence}`);
    return this.isProved;
  }

  accept(key: ApiKey): void {
    this.refused.delete(key);
  }

  private get consequence(): string {
    if (!this.isProved) return 'the second is not used, as nothing shows that it is of the same merchant';
    if (this.keys.every((each) => this.refused.has(each))) return 'both are refused now';
    return `the ${NAMES[this.place]} is used from now on`;
  }
}
