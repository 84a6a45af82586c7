import { Client } from '../../api/client.js';
import type { Signal } from '../../base/abort.js';
import { PaymentError, RefusedError } from '../../base/errors.js';
import type { Journal } from '../../journal/journal.js';
import { sleep } from '../../platform/sleep.js';
import type { EngineOptions } from '../options.js';
import { merchantIdOf, serviceOf } from './service-id.js';

/** The pauses between questions that were not answered, ms: they double. */
const FIRST_PAUSE = 10_000;
const LONGEST_PAUSE = 15 * 60_000;
/** A key that was refused may be accepted later, but not at once, ms. */
const ASKED_AGAIN_AFTER = 10_000;
/** After so long without an answer it counts as "no", ms: a flow that relies on a "no" hears within half a minute that it may not. */
const PATIENCE = 15_000;
/** Between two looks at whether it is known by now, ms. */
const LOOK_AGAIN = 250;

type SameMerchantOptions = Omit<EngineOptions, 'journal'> & {
  journal: Pick<Journal, 'merchantsOf' | 'noteMerchants'>;
};
type Merchants = ReadonlySet<string>;

/**
 * Which merchants the keys of an environment open: the journal remembers what `GET /devices` has shown. To the key of another
 * merchant every payment looks as if it had never been made, so nothing is asked or sent with a key that is not proved to
 * open what the first key opens.
 */
export class SameMerchant {
  private readonly first: string;
  private readonly second: string | undefined;
  /** By the id of a key, see `service-id.ts`. */
  private readonly known = new Map<string, Merchants>();
  /** Which of them the journal has. */
  private readonly noted = new Set<string>();
  private readonly begunAt: number;
  private learning: Promise<void> | undefined;
  private asking: Promise<boolean> | undefined;
  private askedAt = Number.NEGATIVE_INFINITY;

  /** @param signal ends every question */
  constructor(
    private readonly options: SameMerchantOptions,
    private readonly signal: Signal,
  ) {
    const { secondApiKey = '', clock } = options;
    this.begunAt = clock.now();
    this.first = serviceOf(options);
    this.second = secondApiKey === '' ? undefined : serviceOf({ ...options, apiKey: secondApiKey });
  }

  /** Asks about every key that the journal does not know, until each was answered or refused, and that is noted. Once. */
  learn(): Promise<void> {
    this.learning ??= this.askUntilKnown();
    return this.learning;
  }

  private async askUntilKnown(): Promise<void> {
    for (let pause = FIRST_PAUSE; !(await this.ask()); pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      await sleep(this.options.clock, pause, this.signal);
      if (this.signal.aborted) return;
    }
  }

  /** Whether the second key may be used. Asks where nobody knows yet. */
  async isSecondProved(): Promise<boolean> {
    if (this.second === undefined) return false;
    const isKnown = this.known.has(this.first) && this.known.has(this.second);
    if (!isKnown && this.options.clock.now() - this.askedAt >= ASKED_AGAIN_AFTER) await this.ask();
    return this.areSame(this.second);
  }

  /**
   * Whether an operation that was sent to `service` can be asked about with the first key. Undefined where that is not known
   * yet: it will be, within a quarter of a minute.
   */
  async isOurs(service: string): Promise<boolean | undefined> {
    if (service === this.first) return true;
    const theirs = await this.recall(service);
    if (theirs === undefined) return false;
    const isOpen = (await this.recall(this.first)) === undefined && !this.signal.aborted;
    if (isOpen && this.options.clock.now() - this.begunAt < PATIENCE) return undefined;
    return this.areSame(service);
  }

  /**
   * Whether an operation goes on here; undefined while nobody knows. What was not sent does, as the settings may have been mended
   * for it; but not where it would charge for another merchant than it was meant for.
   */
  async goesOn(service: string, isUnsent: boolean): Promise<boolean | undefined> {
    if (!isUnsent) return this.isOurs(service);
    const isForeign = await this.isForeign(service);
    return isForeign === undefined ? undefined : !isForeign;
  }

  /** Whether `service` is proved to be another one, or another merchant's. Undefined as in {@link isOurs}. */
  async isForeign(service: string): Promise<boolean | undefined> {
    const isOurs = await this.isOurs(service);
    return isOurs === undefined ? undefined : !isOurs && this.known.has(this.first) && this.known.has(service);
  }

  /** {@link isOurs} for who can wait until it is known. */
  async isProvedOurs(service: string): Promise<boolean> {
    for (;;) {
      const isOurs = await this.isOurs(service);
      if (isOurs !== undefined) return isOurs;
      await sleep(this.options.clock, LOOK_AGAIN, this.signal);
    }
  }

  private areSame(keyId: string): boolean {
    const ours = this.known.get(this.first);
    const theirs = this.known.get(keyId);
    return ours !== undefined && theirs !== undefined && [...theirs].some((merchant) => ours.has(merchant));
  }

  /** Whether every key was answered or refused. */
  private ask(): Promise<boolean> {
    this.asking ??= this.askAll().finally(() => {
      this.asking = undefined;
      this.askedAt = this.options.clock.now();
    });
    return this.asking;
  }

  private async askAll(): Promise<boolean> {
    const { apiKey, secondApiKey = '' } = this.options;
    const isFirstDone = await this.askWith(apiKey, this.first);
    if (this.second === undefined) return isFirstDone;
    const wasOpen = !this.known.has(this.second);
    const isSecondDone = await this.askWith(secondApiKey, this.second);
    const areKnown = this.known.has(this.first) && this.known.has(this.second);
    if (wasOpen && areKnown && !this.areSame(this.second))
      this.options.log?.('error', 'the second API key belongs to another merchant than the first, and is not used');
    return isFirstDone && isSecondDone;
  }

  /** Whether it was answered or refused, and noted. */
  private async askWith(apiKey: string, keyId: string): Promise<boolean> {
    try {
      const merchants = (await this.recall(keyId)) ?? (await this.listed(apiKey));
      if (merchants.size === 0) return true;
      this.known.set(keyId, merchants);
      if (!this.noted.has(keyId)) await this.options.journal.noteMerchants(keyId, [...merchants]);
      this.noted.add(keyId);
      return true;
    } catch (error) {
      if (error instanceof PaymentError) return error instanceof RefusedError;
      throw error;
    }
  }

  private async listed(apiKey: string): Promise<Merchants> {
    const client = new Client({ ...this.options, apiKey, secondApiKey: '' });
    const devices = await client.devices.list({ signal: this.signal }).finally(() => client.close());
    return new Set(devices.map((device) => merchantIdOf(this.options, device.merchant_id_alpha)));
  }

  private async recall(keyId: string): Promise<Merchants | undefined> {
    const known = this.known.get(keyId);
    if (known !== undefined) return known;
    const noted = await this.options.journal.merchantsOf(keyId);
    if (noted === undefined) return undefined;
    this.noted.add(keyId);
    this.known.set(keyId, new Set(noted));
    return this.known.get(keyId);
  }
}
